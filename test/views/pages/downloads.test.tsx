import { describe, expect, it } from 'vitest'
import { isMoving } from '../../../src/schema/download.ts'
import { summary } from '../../../src/views/pages/downloads.tsx'
import { WatchPage } from '../../../src/views/pages/watch.tsx'
import { cellId } from '../../../src/views/parts/cell-ids.ts'
import { DownloadCell } from '../../../src/views/parts/download-cell.tsx'
import { DownloadCells, DownloadChanged, Polling } from '../../../src/views/parts/polling.tsx'
import { now, page, progress, states, video } from '../../support/app/samples.ts'

/** What a person reads, in order. */
const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
const cell = (download: Parameters<typeof DownloadCell>[0]['download']) =>
  String(<DownloadCell download={download} now={now} />)

describe('DownloadCell', () => {
  it.each([
    ['wanted', 'Not downloaded Download'],
    ['waiting', 'Waiting for its turn Cancel'],
    ['running', 'Downloading 42% · 1:10 left Cancel'],
    ['done', 'On disk · 214 MB Watch ⋯ Save file Pin file Delete file'],
    ['failed', 'For members of the channel only. It may open later. Try again Dismiss'],
    ['retrying', 'The site asks us to slow down. Tries again in 2 minutes (attempt 2 of 3). Try now Cancel'],
  ] as const)('says in words where a %s one stands', (state, words) => {
    expect(textOf(cell(states[state]))).toBe(words)
  })

  it.each([
    [{ phase: 'preparing' as const }, 'Starting'],
    [{ phase: 'processing' as const, percent: 99 }, 'Finishing'],
    [{ phase: 'converting' as const, percent: 40.7 }, 'Converting · 40%'],
    [{ phase: 'converting' as const, percent: null }, 'Converting'],
    [{ percent: null }, '310 MB so far'],
    [{ percent: null, downloaded_bytes: null }, 'Downloading'],
    [{ eta_seconds: null }, '42%'],
  ])('says no more of the progress than is known: %o', (changes, words) => {
    const { progress } = states.running
    const html = cell({ ...states.running, progress: progress && { ...progress, ...changes } })

    expect(html).toContain(`<span class="figures">${words}</span>`)
  })

  it('shows a bar without a value while the size is not known', () => {
    expect(cell({ ...states.running, progress: null })).not.toMatch(/<progress[^>]* value=/)
    expect(cell(states.running)).toMatch(/<progress[^>]* value="42"/)
  })

  it('never promises an attempt after the last', () => {
    expect(textOf(cell({ ...states.retrying, attempts: 3 }))).toContain('(attempt 3 of 3)')
  })

  it('says in a moment when the next attempt is due', () => {
    expect(textOf(cell({ ...states.retrying, next_attempt_at: now }))).toContain('Tries again in a moment')
  })

  it('shows the raw words to those who open them, and only as text', () => {
    const html = cell({ ...states.failed, download_detail: 'ERROR: <b>HTTP</b> 403' })

    expect(html).toContain('<summary>Details</summary><code>ERROR: &lt;b&gt;HTTP&lt;/b&gt; 403</code>')
    expect(cell(states.failed)).not.toContain('Details')
  })

  it('says when a site that asked us to slow down is asked again', () => {
    const site_rests_until = new Date(now.getTime() + 600_000)

    expect(textOf(cell({ ...states.waiting, site_rests_until }))).toBe(
      'The site asks us to slow down. Tries again in 10 minutes. Cancel',
    )
    expect(textOf(cell({ ...states.retrying, site_rests_until }))).toContain(
      'Tries again in 10 minutes (attempt 2 of 3)',
    )
    expect(textOf(cell({ ...states.waiting, site_rests_until: now }))).not.toContain('slow down')
  })

  it.each([
    [3, 'Members only. We check again on 23 Nov. Try now Cancel'],
    [0.25, 'Members only. We check again in 6 hours. Try now Cancel'],
    [60, 'Members only. We check again on 19 Jan 2027. Try now Cancel'],
    [0, 'Members only. We check again in a moment. Try now Cancel'],
  ])('says plainly when a rule checks again, in %d days, and never that it failed for good', (days, words) => {
    const next_attempt_at = new Date(now.getTime() + days * 86_400_000)
    const waits = { ...states.retrying, keeps_trying: true, next_attempt_at, download_error: 'Members only.' }
    expect(textOf(cell(waits))).toBe(words)
  })

  it('says what a rule waits for while other downloads of it fail', () => {
    const held_until = new Date(now.getTime() + 3 * 3_600_000)
    expect(textOf(cell({ ...states.waiting, held_until }))).toBe(
      'The last downloads like this one failed. One is tried again in 3 hours, then the others follow. Cancel',
    )
    expect(textOf(cell({ ...states.waiting, held_until: now }))).not.toContain('failed')
  })

  it('is not asked about each second while its next attempt is far away', () => {
    const far = { ...states.retrying, keeps_trying: true, next_attempt_at: new Date(now.getTime() + 86_400_000) }
    expect(isMoving(far, now)).toBe(false)
    expect(isMoving({ ...far, next_attempt_at: new Date(now.getTime() + 60_000) }, now)).toBe(true)
    expect(isMoving({ ...far, download_status: 'downloading', queued: false }, now)).toBe(true)
  })

  it('morphs itself, and works as a plain form', () => {
    expect(cell(states.wanted)).toContain(
      '<form method="post" action="/downloads/wanted" hx-post="/downloads/wanted" hx-target="#download-wanted" hx-swap="outerMorph" hx-sync="this:drop">',
    )
    expect(cell(states.waiting)).toContain('action="/downloads/waiting/cancel"')
  })
})

describe('cellId', () => {
  it.each(['dQw4w9WgXcQ', 'a.b', 'a:b', 'a/b?c#d', 'a b', '"><b>', '-_-', 'ä😀'])(
    'makes of %s an id that a selector takes as it is',
    video_id => {
      expect(cellId(video_id)).toMatch(/^[A-Za-z][A-Za-z0-9_\u00b7-]*$/)
    },
  )

  it('never gives two videos one id', () => {
    const ids = ['a.b', 'a·2e·b', 'a_b', 'a-b', 'a2eb', 'a·b'].map(cellId)

    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('Polling', () => {
  it('asks for all that moves in one request a second', () => {
    const html = String(<Polling video_ids={['a', 'b']} />)

    expect(html.match(/every 1s/g)).toHaveLength(1)
    expect(html).toContain('hx-get="/api/download/status" hx-include="#polled"')
    expect([...html.matchAll(/name="video_id" value="(.)"/g)].map(([, id]) => id)).toEqual(['a', 'b'])
  })

  it('is silent when nothing moves', () => {
    expect(String(<Polling video_ids={[]} />)).toBe('<div id="polled"></div><div id="polling"></div>')
  })

  it('keeps the address short enough for every server', () => {
    const long = Array.from({ length: 200 }, (_, index) => `${index}`.padEnd(200, 'x'))
    const asked = String(<Polling video_ids={long} />).match(/name="video_id"/g) ?? []

    expect(asked.length).toBeGreaterThan(10)
    expect(asked.length * 224).toBeLessThan(6300)
  })
})

describe('DownloadCells', () => {
  it('morphs each cell and goes on while one moves', () => {
    const html = String(<DownloadCells downloads={[states.running, states.done]} now={now} />)

    expect(html).toContain('<hx-partial hx-target="#download-running" hx-swap="outerMorph"><div id="download-running"')
    expect(html).toContain('<hx-partial hx-target="#download-done" hx-swap="outerMorph"><div id="download-done"')
    expect(html).not.toContain('#polling')
  })

  it('asks no more for what stands still', () => {
    const html = String(<DownloadCells downloads={[states.running, states.done]} now={now} />)

    expect(html).toContain('<hx-partial hx-target="#polled-download-done" hx-swap="delete">')
    expect(html).not.toContain('<hx-partial hx-target="#polled-download-running" hx-swap="delete">')
  })

  it('brings only what the page does not show yet', () => {
    const downloads = [states.running, states.waiting]
    const first = String(<DownloadCells downloads={downloads} now={now} />)
    const ids = [...first.matchAll(/name="video_id" value="([^"]+)"/g)].map(([, id = '']) => id)
    const tags = [...first.matchAll(/name="known" value="([^"]+)"/g)].map(([, tag = '']) => tag)
    const known = new Map(ids.map((id, index) => [id, tags[index] ?? '']))
    const later = { ...states.running, progress: { ...progress, percent: 80 } }

    expect(String(<DownloadCells downloads={downloads} now={now} known={known} />)).toBe('')
    const changed = String(<DownloadCells downloads={[later, states.waiting]} now={now} known={known} />)
    expect(changed).toContain('80%')
    expect(changed).not.toContain('download-waiting')
  })

  it.each([{ downloads: [states.done, states.failed] }, { downloads: [] }])(
    'falls silent once nothing moves: $downloads.length',
    ({ downloads }) => {
      expect(String(<DownloadCells downloads={downloads} now={now} />)).toContain(
        '<hx-partial hx-target="#polling" hx-swap="outerHTML"><div id="polling"></div></hx-partial>',
      )
    },
  )
})

describe('DownloadChanged', () => {
  it('is the new cell, and adds to what is asked for without replacing it', () => {
    const html = String(<DownloadChanged download={states.waiting} now={now} />)

    expect(html).toMatch(/^<div id="download-waiting"/)
    expect(html).toMatch(
      /<hx-partial hx-target="#polled" hx-swap="beforeend"><span [^>]*><input [^>]*value="waiting"\/>/,
    )
    expect(html).toMatch(/<hx-partial hx-target="#polling" hx-swap="outerHTML"><div id="polling" [^>]*every 1s/)
  })
})

describe('DownloadsPage', () => {
  it('sums up only what there is', () => {
    const none = { running: 0, waiting: 0, failed: 0, done: 0, on_disk_bytes: 0 }
    const on_disk = { ...none, done: 1, on_disk_bytes: 9_400_000_000 }

    expect(summary({ tally: on_disk, quota_bytes: null })).toBe('1 on disk, 9.4 GB')
    expect(summary({ tally: on_disk, quota_bytes: 50e9 })).toBe('1 on disk, 9.4 GB of 50 GB')
    expect(summary({ tally: { ...none, running: 1, waiting: 2, failed: 1 }, quota_bytes: 50e9 })).toBe(
      '1 running · 2 waiting · 1 needs you',
    )
  })
})

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

  it('links to the original, unless its address could run a script', () => {
    const original = (video_url: string) => String(<WatchPage page={page()} video={video({ video_url })} {...beside} />)

    expect(original('https://example.test/v')).toContain('href="https://example.test/v"')
    expect(original('javascript:alert(1)')).not.toContain('Original page')
  })
})
