import { describe, expect, it } from 'vitest'
import { WatchPage } from '../../../src/views/pages/watch.tsx'
import { page, states, video } from '../../support/app/samples.ts'

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
})
