import { describe, expect, it } from 'vitest'
import type { Video } from '../../../src/schema/videos/video.ts'
import { WatchPage } from '../../../src/views/watching/watch-page.tsx'
import { facts, page, states, video } from '../../support/app/samples.ts'

describe('WatchPage', () => {
  const beside = { start: { at_seconds: 0, is_resumed: false }, neighbours: { newer: [], older: [] } }

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

  const readable = (html: unknown) =>
    String(html)
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
  const textOf = (shown: Video) => readable(<WatchPage page={page()} video={shown} {...beside} />)

  it.each([
    ['short', '12 minutes 4 seconds.'],
    ['live', 'Live now.'],
    ['upcoming', 'Upcoming.'],
    ['recording', '3 hours ago Recording of a live stream.'],
    ['members', '3 hours ago Members only. We&#39;ll keep checking.'],
    ['adult', '3 hours ago Age-restricted.'],
    ['private', '3 hours ago Private on its site.'],
    ['unlisted', '3 hours ago Unlisted on its site. Added by you.'],
    ['lost', '3 hours ago No longer on the site, and there is no copy.'],
    ['kept', '3 hours ago No longer on the site. You have a copy.'],
    ['approximate', 'Published about March 2023 (approximate) Found when older videos were loaded.'],
  ] as const)('the page of a %s video says what is known about it', (fact, words) => {
    expect(textOf(facts[fact])).toContain(words)
  })

  const restorable = 'You can restore it for 24 hours. '
  const only_copy = 'This is the only copy. '
  const while_it_can = 'while the site still has it.'
  it.each([
    [24, true, only_copy + restorable, only_copy + restorable],
    [24, false, restorable, restorable],
    [0, true, `${only_copy}Delete file`, `${only_copy}Remove `],
    [0, false, `You can download it again ${while_it_can}`, `You can add it again by its link ${while_it_can}`],
  ] as const)(
    'the questions before a file is deleted and a video removed, with %i hours to restore, warn of the only copy: %s',
    (bin_hours, is_only_copy, of_file, of_video) => {
      const file = { is_only_copy, restorable_until: undefined, can_forget: true }
      const shown = readable(<WatchPage page={page({ bin_hours })} video={facts.kept} {...beside} file={file} />)
      expect(shown).toContain(`Delete this file (214 MB)? ${of_file}`)
      expect(shown).toContain(`is deleted too. ${of_video}`)
    },
  )
})
