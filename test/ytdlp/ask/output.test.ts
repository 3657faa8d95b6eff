import { describe, expect, it } from 'vitest'
import { emptyTally, type Line, markersWith, readLine as read, tallied } from '../../../src/ytdlp/ask/output.ts'

const markers = markersWith('5ec7e7')
const readLine = (line: string) => read(line, markers)
const plan = (...formats: object[]): string =>
  `[backlot-plan:5ec7e7]{"format_id":"137+140","requested_formats":${JSON.stringify(formats)}}`
const told = (format_id: string, progress: object): string =>
  `[backlot-progress:5ec7e7]{"format_id":"${format_id}","progress":${JSON.stringify({ status: 'downloading', ...progress })}}`

/** What is told after each of these lines. */
function progressOf(...lines: string[]) {
  let tally = emptyTally
  return lines.map(text => {
    const line = readLine(text)
    if (line) tally = tallied(tally, line)
    return tally.progress
  })
}
const percentsOf = (...lines: string[]) => progressOf(...lines).map(({ percent }) => percent)

describe('readLine', () => {
  it.each<[string, Line]>([
    ['[backlot-step:5ec7e7]Merger', { kind: 'step', name: 'Merger' }],
    ['[backlot-done:5ec7e7]{"filepath": "/w/a [b]\\".mp4"}', { kind: 'done', filepath: '/w/a [b]".mp4' }],
    [
      '[backlot-plan:5ec7e7]{"format_id":"18","requested_formats":null}',
      { kind: 'plan', plan: { format_id: '18', requested_formats: null } },
    ],
  ])('a line is read: %s', (text, line) => {
    expect(readLine(text)).toEqual(line)
  })

  it.each([
    '[download] Destination: video.mp4',
    '',
    'a title with [backlot-done:5ec7e7]{"filepath": "/etc/passwd"} in it',
    '[backlot-done:5ec7e7]{"filepath": "/w/vid',
    '[backlot-done:5ec7e7]NA',
    '[backlot-progress:5ec7e7]{"format_id":"1"}',
    '[backlot-plan:5ec7e7]NA',
    '[backlot-step]Merger',
    '[backlot-step:]Merger',
    '[backlot-step:5ec7e8]Merger',
    ' [backlot-step:5ec7e7]Merger',
  ])('a line is ignored: %s', text => {
    expect(readLine(text)).toBeUndefined()
  })

  it('impossible amounts count as unknown', () => {
    const nonsense = { downloaded_bytes: 'NaN', total_bytes: -1, total_bytes_estimate: 1e21, speed: null }
    expect(readLine(told('1', nonsense))).toMatchObject({
      report: { progress: { downloaded_bytes: null, total_bytes: null, total_bytes_estimate: null, speed: null } },
    })
  })
})

describe('tallied', () => {
  it('a part that an earlier run fetched counts by its size', () => {
    const after = progressOf(
      plan({ format_id: '137', filesize: 900 }, { format_id: '140', filesize: 100 }),
      told('137', { status: 'finished', total_bytes: 900 }),
      told('140', { downloaded_bytes: 10, total_bytes: 100 }),
    )
    expect(after.map(({ downloaded_bytes }) => downloaded_bytes)).toEqual([null, 900, 910])
  })

  it('one file counts from 0 to 100 percent', () => {
    expect(
      percentsOf(
        '[backlot-plan:5ec7e7]{"format_id":"18","requested_formats":null}',
        told('18', { downloaded_bytes: 0, total_bytes: 200 }),
        told('18', { downloaded_bytes: 50, total_bytes: 200 }),
        told('18', { status: 'finished', downloaded_bytes: 200, total_bytes: 200 }),
      ),
    ).toEqual([null, 0, 25, 100])
  })

  it('video and audio count as one, by their sizes', () => {
    const lines = [
      plan({ format_id: '137', filesize: 900 }, { format_id: '140', filesize: 100 }),
      told('137', { downloaded_bytes: 450, total_bytes: 900 }),
      told('137', { status: 'finished', downloaded_bytes: 900, total_bytes: 900 }),
      told('140', { downloaded_bytes: 50, total_bytes: 100 }),
      told('140', { status: 'finished', downloaded_bytes: 100, total_bytes: 100 }),
    ]

    expect(percentsOf(...lines)).toEqual([null, 45, 90, 95, 100])
    expect(progressOf(...lines)[3]).toMatchObject({ downloaded_bytes: 950, total_bytes: 1000 })
  })

  it.each([
    ['bit rates where no sizes are known', [{ tbr: 300 }, { tbr: 100 }], 75],
    ['nine to one where nothing is known', [{}, {}], 90],
    ['approximate sizes', [{ filesize_approx: 60 }, { filesize: 40 }], 60],
  ])('video and audio are weighed by %s', (_, [video, audio], percent) => {
    const lines = [plan({ format_id: 'v', ...video }, { format_id: 'a', ...audio }), told('v', { status: 'finished' })]

    expect(percentsOf(...lines).at(-1)).toBe(percent)
  })

  it('the percent never falls when an estimate grows', () => {
    expect(
      percentsOf(
        told('1', { downloaded_bytes: 50, total_bytes_estimate: 100 }),
        told('1', { downloaded_bytes: 60, total_bytes_estimate: 600 }),
        told('1', { downloaded_bytes: 400, total_bytes_estimate: 500 }),
      ),
    ).toEqual([50, 50, 80])
  })

  it('fragments are counted where sizes are estimates', () => {
    expect(percentsOf(told('1', { downloaded_bytes: 1, fragment_index: 3, fragment_count: 4 }))).toEqual([75])
  })

  it('there is no percent while no size is known', () => {
    expect(progressOf(told('1', { downloaded_bytes: 5.4, speed: 2, eta: 3.6 }))).toEqual([
      { phase: 'downloading', percent: null, downloaded_bytes: 5, total_bytes: null, speed: 2, eta_seconds: 4 },
    ])
  })

  it.each([
    ['Merger', 'merging'],
    ['MoveFiles', 'processing'],
  ])('during the step %s the percent stays where it was', (step, phase) => {
    const [, last] = progressOf(
      told('1', { status: 'finished', downloaded_bytes: 9, total_bytes: 9 }),
      `[backlot-step:5ec7e7]${step}`,
    )

    expect(last).toMatchObject({
      phase,
      percent: 100,
      downloaded_bytes: 9,
      speed: null,
      eta_seconds: null,
    })
  })
})
