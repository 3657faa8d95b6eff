import { describe, expect, it } from 'vitest'
import { DownloadCells, DownloadChanged, Polling } from '../../../src/views/downloads/polling.tsx'
import { now, progress, states } from '../../support/app/samples.ts'

describe('Polling', () => {
  it('asks for all moving downloads in one request a second', () => {
    const html = String(<Polling video_ids={['a', 'b']} />)

    expect(html.match(/every 1s/g)).toHaveLength(1)
    expect(html).toContain('hx-get="/api/download/status" hx-include="#polled"')
    expect([...html.matchAll(/name="video_id" value="(.)"/g)].map(([, id]) => id)).toEqual(['a', 'b'])
  })

  it('sends no request when nothing moves', () => {
    expect(String(<Polling video_ids={[]} />)).toBe('<div id="polled"></div><div id="polling"></div>')
  })

  it('keeps the address of the poll short enough for every server', () => {
    const long = Array.from({ length: 200 }, (_, index) => `${index}`.padEnd(200, 'x'))
    const asked = String(<Polling video_ids={long} />).match(/name="video_id"/g) ?? []

    expect(asked.length).toBeGreaterThan(10)
    expect(asked.length * 224).toBeLessThan(6300)
  })
})

describe('DownloadCells', () => {
  it('morphs each cell, and polling continues while one moves', () => {
    const html = String(<DownloadCells downloads={[states.running, states.done]} now={now} />)

    expect(html).toContain('<hx-partial hx-target="#download-running" hx-swap="outerMorph"><div id="download-running"')
    expect(html).toContain('<hx-partial hx-target="#download-done" hx-swap="outerMorph"><div id="download-done"')
    expect(html).not.toContain('#polling')
  })

  it('stops polling for a download that has ended', () => {
    const html = String(<DownloadCells downloads={[states.running, states.done]} now={now} />)

    expect(html).toContain('<hx-partial hx-target="#polled-download-done" hx-swap="delete">')
    expect(html).not.toContain('<hx-partial hx-target="#polled-download-running" hx-swap="delete">')
  })

  it('contains only the cells that the page does not show yet', () => {
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
    'stops polling once nothing moves: $downloads.length',
    ({ downloads }) => {
      expect(String(<DownloadCells downloads={downloads} now={now} />)).toContain(
        '<hx-partial hx-target="#polling" hx-swap="outerHTML"><div id="polling"></div></hx-partial>',
      )
    },
  )
})

describe('DownloadChanged', () => {
  it('is the new cell, and adds the video to the polled list without replacing the list', () => {
    const html = String(<DownloadChanged download={states.waiting} now={now} />)

    expect(html).toMatch(/^<div id="download-waiting"/)
    expect(html).toMatch(
      /<hx-partial hx-target="#polled" hx-swap="beforeend"><span [^>]*><input [^>]*value="waiting"\/>/,
    )
    expect(html).toMatch(/<hx-partial hx-target="#polling" hx-swap="outerHTML"><div id="polling" [^>]*every 1s/)
  })
})
