import { describe, expect, it } from 'vitest'
import type { Video } from '../../../src/schema/video.ts'
import { WatchPage } from '../../../src/views/pages/watch.tsx'
import { facts, page, states, video } from '../../support/app/samples.ts'

describe('WatchPage', () => {
  const beside = { start: { at_seconds: 0, is_resumed: false }, neighbours: { previous: null, next: null }, more: [] }

  it('plays and offers the file only when it is on disk', () => {
    const done = String(<WatchPage page={page()} video={states.done} {...beside} />)
    const running = String(<WatchPage page={page()} video={states.running} {...beside} />)

    expect(done).toContain('src="/stream/done"')
    expect(done).toContain('href="/download/done"')
    expect(running).not.toContain('<video')
    expect(running).not.toContain('/download/running')
  })

  it('links to the site of the video by name, unless the address could run a script', () => {
    const original = (video_url: string) => String(<WatchPage page={page()} video={video({ video_url })} {...beside} />)

    expect(original('https://www.example.test/v')).toMatch(
      /href="https:\/\/www.example.test\/v"[^>]*>Open on example.test</,
    )
    expect(original('javascript:alert(1)')).not.toContain('Open on')
  })

  const textOf = (shown: Video) =>
    String(<WatchPage page={page()} video={shown} {...beside} />)
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')

  it.each([
    ['short', '12 minutes 4 seconds.'],
    ['live', 'Live now.'],
    ['upcoming', 'Upcoming.'],
    ['recording', '3 hours ago Recording of a live stream.'],
    ['members', '3 hours ago Members only. We check again until it opens.'],
    ['adult', '3 hours ago Age-restricted.'],
    ['private', '3 hours ago Private on its site.'],
    ['unlisted', '3 hours ago Unlisted on its site. Added by you.'],
    ['lost', '3 hours ago No longer on the site, and there is no copy.'],
    ['kept', '3 hours ago No longer on the site. You have a copy.'],
    ['approximate', 'Published about March 2023 (approximate) Found when older videos were loaded.'],
  ] as const)('the page of a %s video says what is known about it', (fact, words) => {
    expect(textOf(facts[fact])).toContain(words)
  })

  it('the page of a removed video on disk warns that its file cannot be downloaded again', () => {
    expect(textOf(facts.kept)).toContain('no longer on the site, so you cannot download it again')
    expect(textOf(states.done)).toContain('You can download it again while the site still has it')
  })
})
