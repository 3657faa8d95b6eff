import { describe, expect, it } from 'vitest'
import { isMoving } from '../../../src/schema/downloads/download.ts'
import { DownloadCell } from '../../../src/views/downloads/download-cell.tsx'
import { facts, now, states } from '../../support/app/samples.ts'
import { half } from '../../support/app/scene.ts'

/** The text that a person reads, in order, without the menu. */
const textOf = (html: string) =>
  html
    .replace(/<details class="menu more-acts".*?<\/details>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,])/g, '')
    .trim()
const cell = (download: Parameters<typeof DownloadCell>[0]['download']) =>
  String(<DownloadCell download={download} now={now} />)

describe('DownloadCell', () => {
  it.each([
    ['wanted', 'Not downloaded Download'],
    ['waiting', 'Queued Cancel'],
    ['running', 'Downloading 42% · 1:10 left 310 of 738 MB · 6.1 MB/s Cancel'],
    ['done', 'On disk · 214 MB'],
    [
      'failed',
      'For members of the channel only. It may open later. Why? For members of the channel only. It may open later. Retry Dismiss Retry',
    ],
    [
      'retrying',
      'The site asks us to slow down. Retrying in 2 minutes, attempt 2 of 3. Why? The site asks us to slow down. Retrying in 2 minutes, attempt 2 of 3. Retry now Cancel Retry now',
    ],
  ] as const)('says the state of a %s download in words', (state, words) => {
    expect(textOf(cell(states[state]))).toBe(words)
  })

  it.each([
    ['members', 'Not downloaded Download when it opens'],
    ['lost', 'No copy'],
    ['kept', 'On disk · 214 MB'],
    [
      'lost_failed',
      'For members of the channel only. It may open later. Why? For members of the channel only. It may open later. Dismiss',
    ],
  ] as const)('offers only what can be done about a %s video', (fact, words) => {
    expect(textOf(cell(facts[fact]))).toBe(words)
  })

  it.each([
    [{ phase: 'preparing' as const }, 'Starting'],
    [{ phase: 'processing' as const, percent: 99 }, 'Finishing…'],
    [{ phase: 'merging' as const, percent: 99 }, 'Merging…'],
    [{ phase: 'converting' as const, percent: 40.7 }, 'Converting · 40%'],
    [{ phase: 'converting' as const, percent: null }, 'Converting'],
    [{ percent: null }, '310 MB so far'],
    [{ percent: null, downloaded_bytes: null }, 'Downloading'],
    [{ eta_seconds: null }, '42%'],
  ])('shows only the known parts of the progress: %o', (changes, words) => {
    const { progress } = states.running
    const html = cell({ ...states.running, progress: progress && { ...progress, ...changes } })

    expect(html).toContain(`<span class="figures">${words}</span>`)
  })

  it('says that a download is paused, or about to be, and offers to resume it', () => {
    const paused = { paused_at: now, paused_by: 'video' as const }
    expect(textOf(cell({ ...states.waiting, ...paused }))).toBe('Paused Resume Cancel')
    expect(textOf(cell({ ...states.retrying, ...paused }))).toBe('Paused Resume Cancel')
    expect(textOf(cell({ ...states.running, paused_at: now }))).toContain('Pausing…')
  })

  it.each([
    ['site', 'Site paused Cancel'],
    ['all', 'Queued Cancel'],
  ] as const)('offers no Resume where the pause of %s would refuse it', (paused_by, words) => {
    expect(textOf(cell({ ...states.waiting, paused_at: now, paused_by }))).toBe(words)
  })

  it('shows a download as failed only when no attempt is planned', () => {
    expect(cell(states.retrying)).toContain('class="cell pending"')
    expect(cell(states.failed)).toContain('class="cell failed"')
  })

  it('shows a progress bar without a value while the size is not known', () => {
    expect(cell({ ...states.running, progress: null })).not.toMatch(/<progress[^>]* value=/)
    expect(cell(states.running)).toMatch(/<progress[^>]* value="42"/)
    const merging = { ...half, phase: 'merging' as const }
    expect(cell({ ...states.running, progress: merging })).not.toMatch(/<progress[^>]* value=/)
  })

  it('never announces an attempt after the last one', () => {
    expect(textOf(cell({ ...states.retrying, attempts: 3 }))).toContain('attempt 3 of 3')
  })

  it('says soon when the next attempt is due', () => {
    expect(textOf(cell({ ...states.retrying, next_attempt_at: now }))).toContain('Retrying soon')
  })

  it("shows the tool's own words under Why, escaped as text", () => {
    const html = cell({ ...states.failed, download_detail: 'ERROR: <b>HTTP</b> 403' })

    expect(html).toContain('<code>ERROR: &lt;b&gt;HTTP&lt;/b&gt; 403</code>')
    expect(cell(states.failed)).not.toContain('<code>')
  })

  it('says when downloads from a site that asked us to slow down resume', () => {
    const site_rests_until = new Date(now.getTime() + 600_000)

    expect(textOf(cell({ ...states.waiting, site_rests_until }))).toBe(
      'Resumes in 10 minutes Why? The site asked us to slow down. Cancel',
    )
    expect(textOf(cell({ ...states.retrying, site_rests_until }))).toBe(
      textOf(cell({ ...states.waiting, site_rests_until })),
    )
    expect(cell({ ...states.retrying, site_rests_until })).toContain('class="cell pending"')
    const next_attempt_at = new Date(now.getTime() + 1_200_000)
    expect(textOf(cell({ ...states.retrying, site_rests_until, next_attempt_at }))).toContain('Retrying in 20 minutes')
    expect(textOf(cell({ ...states.waiting, site_rests_until: now }))).not.toContain('slow down')
  })

  it('says when a download starts that waits for the hours, unless something else keeps it waiting for longer', () => {
    const hours_begin_at = new Date(now.getTime() + 3_600_000)
    const [earlier, later] = [new Date(now.getTime() + 600_000), new Date(now.getTime() + 7_200_000)]
    const said = 'Starts in 1 hour Why? Downloads run at certain hours. Watch now starts this one at once. Cancel'

    expect(textOf(cell({ ...states.waiting, hours_begin_at }))).toBe(said)
    expect(textOf(cell({ ...states.waiting, hours_begin_at, site_rests_until: earlier }))).toBe(said)
    expect(textOf(cell({ ...states.waiting, hours_begin_at, site_rests_until: later }))).toContain('Resumes in 2 hours')
    expect(textOf(cell({ ...states.waiting, hours_begin_at, held_until: later }))).toContain('Next try in 2 hours')
    expect(textOf(cell({ ...states.waiting, hours_begin_at, paused_at: now, paused_by: 'video' }))).toContain('Paused')
    expect(textOf(cell({ ...states.waiting, hours_begin_at: now }))).not.toContain('Starts')
    expect(textOf(cell({ ...states.retrying, hours_begin_at, next_attempt_at: earlier }))).toContain(
      'Retrying in 1 hour',
    )
  })

  it.each([
    [3, 'Next check on 23 Nov.'],
    [0.25, 'Next check in 6 hours.'],
    [60, 'Next check on 19 Jan 2027.'],
    [0, 'Next check soon.'],
  ])('says when a rule checks again in %d days, and never that the download failed for good', (days, words) => {
    const next_attempt_at = new Date(now.getTime() + days * 86_400_000)
    const waits = { ...states.retrying, keeps_trying: true, next_attempt_at, download_error: 'Members only.' }
    expect(textOf(cell(waits))).toBe(`Members only. ${words} Why? Members only. ${words} Retry now Cancel Retry now`)
  })

  it('says that a download is on hold while other downloads of its rule fail', () => {
    const held_until = new Date(now.getTime() + 3 * 3_600_000)
    expect(textOf(cell({ ...states.waiting, held_until }))).toBe(
      'Next try in 3 hours Why? On hold: recent downloads failed. Cancel',
    )
    expect(textOf(cell({ ...states.waiting, held_until: now }))).not.toContain('failed')
  })

  it('is not polled each second while its next attempt is far away', () => {
    const far = { ...states.retrying, keeps_trying: true, next_attempt_at: new Date(now.getTime() + 86_400_000) }
    expect(isMoving(far, now)).toBe(false)
    expect(isMoving({ ...far, next_attempt_at: new Date(now.getTime() + 60_000) }, now)).toBe(true)
    expect(isMoving({ ...far, download_status: 'downloading', queued: false }, now)).toBe(true)
  })

  it.each(['members', 'private'] as const)('offers Retry where cookies may help: %s', download_reason =>
    expect(textOf(cell({ ...states.failed, download_reason }))).toContain('Retry'),
  )

  it.each(['geography', 'removed'] as const)('offers no Retry where it cannot help: %s', download_reason =>
    expect(textOf(cell({ ...states.failed, download_reason }))).not.toContain('Retry'),
  )

  it('morphs itself with htmx, and works as a plain form without a script', () => {
    expect(cell(states.wanted)).toContain(
      '<form class="get" method="post" action="/downloads/wanted" hx-post="/downloads/wanted" hx-target="#download-wanted" hx-swap="outerMorph" hx-sync="this:drop">',
    )
    expect(cell(states.waiting)).toContain('action="/downloads/waiting/cancel"')
  })

  it('is not a live region: the page has one for all of its videos', () => {
    for (const state of Object.values(states)) expect(cell(state)).not.toMatch(/role="status"|aria-live/)
  })
})
