/** The orders of a list of videos, and the month in which it begins, by the API. */
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { entry, type Person, person } from '../../support/app/people.ts'
import { finishes } from '../../support/app/scene.ts'

const { ask, sql } = useApp()

const at = (date: string) => ({ published_at: new Date(date) })

async function alice() {
  const made = await person(sql, 'alice')
  await made.library.channels.save({ channel_id: 'kitchen', title: 'Kitchen', rss_url: 'https://videos.example/k' }, [
    entry('april', { ...at('2026-04-30T23:59:59Z'), duration_seconds: 60 }),
    entry('march-late', { ...at('2026-03-31T23:59:59Z'), duration_seconds: 600 }),
    entry('march-early', { ...at('2026-03-01T00:00:00Z') }),
    entry('february', { ...at('2026-02-28T23:59:59Z'), duration_seconds: 6000 }),
    entry('old', { ...at('2025-03-10T00:00:00Z'), duration_seconds: 6 }),
  ])
  await finishes(made, 'old', 5_000_000)
  await finishes(made, 'april', 9_000_000)
  return made
}

/** Page by page, two videos on each. */
async function listed(as: Person, query: string, path = '/api/history/kitchen'): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer = await ask(`${path}?limit=2&${query}${cursor && `&cursor=${cursor}`}`, { as })
    expect(answer.status).toBe(200)
    const page = (await answer.json()) as { entries: { video_id: string }[]; next_cursor: string | null }
    ids.push(...page.entries.map(({ video_id }) => video_id))
    cursor = page.next_cursor
  }
  return ids
}

describe('orders', () => {
  it('every order is read once page by page, and videos without the value are last', async () => {
    const her = await alice()
    const newest = ['april', 'march-late', 'march-early', 'february', 'old']
    expect(await listed(her, '')).toEqual(newest)
    expect(await listed(her, 'sort=newest')).toEqual(newest)
    expect(await listed(her, 'sort=oldest')).toEqual(newest.toReversed())
    expect(await listed(her, 'sort=longest')).toEqual(['february', 'march-late', 'april', 'old', 'march-early'])
    expect(await listed(her, 'sort=shortest')).toEqual(['old', 'april', 'march-late', 'february', 'march-early'])
    expect((await listed(her, 'sort=largest')).slice(0, 2)).toEqual(['april', 'old'])
    expect((await listed(her, 'sort=largest')).toSorted()).toEqual(newest.toSorted())
  })

  it('a cursor of another order is refused', async () => {
    const her = await alice()
    const first = await ask('/api/history/kitchen?limit=2', { as: her })
    const { next_cursor } = (await first.json()) as { next_cursor: string }
    const other = await ask(`/api/history/kitchen?limit=2&sort=longest&cursor=${next_cursor}`, { as: her })
    expect(other.status).toBe(422)
  })
})

describe('months', () => {
  it('a list by date begins with the month, and goes on beyond it', async () => {
    const her = await alice()
    expect(await listed(her, 'month=2026-03')).toEqual(['march-late', 'march-early', 'february', 'old'])
    expect(await listed(her, 'month=2026-03&sort=oldest')).toEqual(['march-early', 'march-late', 'april'])
    expect(await listed(her, 'month=2025')).toEqual(['old'])
    expect(await listed(her, 'month=2026-03', '/api/videos')).toEqual(['march-late', 'march-early', 'february', 'old'])
  })

  it('a list by length has only the month', async () => {
    const her = await alice()
    expect(await listed(her, 'month=2026-03&sort=shortest')).toEqual(['march-late', 'march-early'])
    expect(await listed(her, 'month=2026&sort=longest')).toEqual(['february', 'march-late', 'april', 'march-early'])
  })

  it('what is no month is refused', async () => {
    const her = await alice()
    for (const month of ['2026-13', '2026-3', '0001-01', 'march', '20261', '9999-12'])
      expect([month, (await ask(`/api/videos?month=${month}`, { as: her })).status]).toEqual([month, 422])
    expect(await listed(her, 'month=2999-12')).toHaveLength(5)
    expect(await listed(her, 'month=1900')).toHaveLength(0)
  })
})
