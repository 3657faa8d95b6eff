import { describe, expect, it } from 'vitest'
import { DownloadsPage, onDiskWords } from '../../../src/views/downloads/downloads-page.tsx'
import { page, video } from '../../support/app/samples.ts'

describe('DownloadsPage', () => {
  const none = { running: 0, waiting: 0, failed: 0, done: 0, on_disk_bytes: 0 }
  const shelf = { entries: [], next_cursor: null }
  const shelves = { running: shelf, waiting: shelf, failed: shelf, done: shelf }
  const shown = (tally: Partial<typeof none>, more: object = {}) =>
    String(
      <DownloadsPage
        page={page()}
        overview={{
          query: { sort: 'newest' },
          tally: { ...none, ...tally },
          shelves,
          notices: [],
          quota_bytes: null,
          ...more,
        }}
      />,
    )

  it('says what is on disk, and of how much', () => {
    expect(onDiskWords(9_400_000_000, null)).toBe('9.4 GB on disk')
    expect(onDiskWords(9_400_000_000, 50e9)).toBe('9.4 GB of 50 GB on disk')
  })

  it('has a tab for each shelf, with its count where it is not empty', () => {
    const html = shown({ running: 1, waiting: 1204 }, { query: { show: 'waiting', sort: 'newest' } })
    const tabs = html.slice(html.indexOf('<nav aria-label="Downloads by state"'))

    expect(tabs).toContain(
      'href="/downloads?show=waiting" aria-current="true">Queued<span class="amount"> 1,204</span>',
    )
    expect(tabs).toContain('href="/downloads?show=failed">Failed</a>')
    expect(tabs).toContain('href="/downloads">All</a>')
  })

  it('counts in its title what runs or waits', () => {
    expect(shown({ running: 1, waiting: 2, failed: 4 })).toContain('<title>(3) Downloads · Backlot</title>')
    expect(shown({ done: 2 })).toContain('<title>Downloads · Backlot</title>')
  })

  it('leads from the beginning of a shelf to all of it, and there to the next page', () => {
    const waiting = { entries: [video({ download_status: 'pending', queued: true })], next_cursor: 'later' }
    const some = { shelves: { ...shelves, waiting } }

    expect(shown({ waiting: 60 }, some)).toMatch(/href="\/downloads\?show=waiting">\s*Show all 60/)
    expect(shown({ waiting: 60 }, { ...some, query: { show: 'waiting', sort: 'newest' } })).toMatch(
      /href="\/downloads\?show=waiting&amp;cursor=later">\s*Show more/,
    )
  })
})
