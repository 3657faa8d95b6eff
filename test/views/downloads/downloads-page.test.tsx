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
          hours_begin_at: null,
          ...more,
        }}
      />,
    )

  it('says what is on disk, and of how much', () => {
    expect(onDiskWords(9_400_000_000, null)).toBe('9.4 GB on disk')
    expect(onDiskWords(9_400_000_000, 50e9)).toBe('9.4 GB of 50 GB on disk')
  })

  it("says when waiting downloads start, by the reader's clock, as the rows do", () => {
    const hours_begin_at = new Date(page().now.getTime() + 3_600_000)
    const line = /Downloads start again <time data-clock="at"[^>]*>in 1 hour<\/time>\. Watch now starts one at once\./g
    expect(shown({ waiting: 2 }, { hours_begin_at }).match(line)).toHaveLength(1)
    expect(shown({ waiting: 2 })).not.toContain('Downloads start')
  })

  it('has no checkbox until videos are selected', () => {
    const done = { entries: [video({ download_status: 'completed' })], next_cursor: null }
    const some = { shelves: { ...shelves, done } }
    expect(shown({ done: 1 }, some)).not.toContain('type="checkbox"')
    expect(shown({ done: 1 }, some)).toContain('href="/downloads?select=1"')
    expect(shown({ done: 1 }, { ...some, query: { sort: 'newest', select: '1' } })).toContain('name="video_id"')
  })

  it('tells the same failure of several videos of a site once, and has them behind a fold', () => {
    const failure = { download_status: 'failed', download_error: 'Members only.' } as const
    const entries = ['a', 'b'].map(video_id => video({ video_id, ...failure }))
    const elsewhere = video({ video_id: 'c', video_url: 'https://films.example/c', ...failure })
    const html = shown(
      { failed: 3 },
      { shelves: { ...shelves, failed: { entries: [...entries, elsewhere], next_cursor: null } } },
    )
    const [fold = '', rest = ''] = html.slice(html.indexOf('class="alike"')).split('</details></li>')
    expect(fold.replace(/<[^>]*>/g, '')).toContain('2 videos of youtube.com: Members only.')
    expect(fold).toMatch(/id="row-a".*id="row-b"/s)
    expect(rest + html).toContain('id="row-c"')
    expect(fold).not.toContain('id="row-c"')
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
