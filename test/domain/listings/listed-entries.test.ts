import { describe, expect, it } from 'vitest'
import { feedEntriesOf, sorter } from '../../../src/domain/listings/listed-entries.ts'
import { entryOf } from '../../../src/feed/formats/entry.ts'
import { listed, youtubeId } from '../../support/app/listings.ts'

const now = new Date('2026-11-22T12:00:00Z')
const at = (text: string) => new Date(`${text}Z`)
const surroundings: Parameters<typeof sorter>[0] = {
  followed_at: at('2026-11-01T00:00'),
  newest_at: null,
  oldest_at: null,
}
const sort = (
  entries: ReturnType<typeof listed>[],
  known = new Map<string, Date>(),
  more: Partial<typeof surroundings> = {},
) => sorter({ ...surroundings, ...more })(feedEntriesOf(entries), known, now)
const [a, b, c, d] = [1, 2, 3, 4].map(youtubeId) as [string, string, string, string]

describe('the identity of a listed entry', () => {
  it.each([
    `https://www.youtube.com/watch?v=${a}`,
    'https://framatube.org/w/9c9de5e8-0a1e-484a-b099-e80766180a6d',
    'https://videos.example/soup.mp4',
    'https://videos.example/show?episode=5#start',
  ])('a listed entry at %s has the id that a feed gives it', url => {
    const of_feed = entryOf({
      base: url,
      links: [url],
      files: [],
      title: 't',
      description: undefined,
      thumbnails: [],
      dates: [],
    })
    const [of_list] = feedEntriesOf([listed('any', { video_url: url })])
    expect(of_list?.video_id).toBe(of_feed?.video_id)
    expect(of_list?.aliases).toEqual(of_feed?.aliases)
  })

  it('a video that is listed twice in one batch is saved once', () => {
    expect(feedEntriesOf([listed(a), listed(b), listed(a)]).map(({ video_id }) => video_id)).toEqual([a, b])
  })

  it('an entry without a title has its id as title, as in a feed', () => {
    expect(feedEntriesOf([listed(a, { title: null })])[0]).toMatchObject({ title: a, description: null })
  })
})

describe('the place of a listed entry', () => {
  it('an undated entry comes right after the one that is listed before it', () => {
    const published_at = at('2026-05-01T12:00')
    const { older } = sort([listed(a, { published_at, published_precision: 'exact' }), listed(b), listed(c)])
    expect(older.map(entry => entry.place_at)).toEqual([
      undefined,
      at('2026-05-01T11:59:59.999'),
      at('2026-05-01T11:59:59.998'),
    ])
  })

  it('an undated entry after a stored one comes right after its place in the history', () => {
    const { older } = sort([listed(a), listed(b)], new Map([[a, at('2026-04-01T00:00')]]))
    expect(older.map(entry => entry.place_at)).toEqual([undefined, at('2026-03-31T23:59:59.999')])
  })

  it('undated entries that begin a list come after the last video of the history', () => {
    const { older } = sort([listed(a), listed(b)], new Map(), { oldest_at: at('2026-04-01T00:00') })
    expect(older.map(entry => entry.place_at)).toEqual([at('2026-03-31T23:59:59.999'), at('2026-03-31T23:59:59.998')])
  })

  it('an announced stream without a date is placed at the time of the save', () => {
    const { older } = sort([listed(a, { live_status: 'upcoming' })], new Map(), { oldest_at: at('2026-04-01T00:00') })
    expect(older[0]?.place_at).toBeUndefined()
  })

  it('videos with the same approximate date keep the order of the list', () => {
    const same = { published_at: at('2024-11-22T00:00'), published_precision: 'approximate' } as const
    const { older } = sort([listed(a, same), listed(b, same), listed(c, same)])
    expect(older.map(entry => entry.published_at)).toEqual([
      at('2024-11-22T00:00:00'),
      at('2024-11-21T23:59:59'),
      at('2024-11-21T23:59:58'),
    ])
  })

  it('an approximate date is not later than the exact date of the video that is listed before it', () => {
    const known = new Map([[a, at('2026-11-18T20:00')]])
    const { older } = sort(
      [listed(a), listed(b, { published_at: at('2026-11-19T00:00'), published_precision: 'approximate' })],
      known,
      { newest_at: at('2026-11-18T20:00') },
    )
    expect(older[1]?.published_at).toEqual(at('2026-11-18T19:59:59'))
  })

  it('a playlist in no order of dates keeps its dates', () => {
    const dated = (id: string, text: string) =>
      listed(id, { published_at: at(text), published_precision: 'approximate' })
    const dates = ['2015-11-22T00:00', '2026-10-01T00:00', '2020-11-22T00:00', '2026-09-01T00:00']
    const { older } = sort([a, b, c, d].map((id, n) => dated(id, dates[n] ?? '')))
    expect(older.map(({ published_at }) => published_at)).toEqual(dates.map(at))
  })
})

describe('which listed entries are news', () => {
  const newest_at = at('2026-11-20T00:00')
  const dated = (id: string, text: string) => listed(id, { published_at: at(text), published_precision: 'approximate' })
  const ids = (entries: { video_id: string }[]) => entries.map(({ video_id }) => video_id)

  it('a video published after all that the feed has listed is news, and the others are older', () => {
    const { news, older } = sort([dated(a, '2026-11-22T09:00'), dated(b, '2026-11-19T00:00')], new Map(), { newest_at })
    expect([ids(news), ids(older)]).toEqual([[a], [b]])
  })

  it('a video published before the channel was followed is no news, even if the feed lists only older ones', () => {
    const { news } = sort([dated(a, '2026-10-22T09:00')], new Map(), { newest_at: at('2015-01-01T00:00') })
    expect(news).toEqual([])
  })

  it('a stored video is no news', () => {
    const { news, older } = sort([dated(a, '2026-11-22T09:00')], new Map([[a, now]]), { newest_at })
    expect([ids(news), ids(older)]).toEqual([[], [a]])
  })
})

describe('hidden videos of a playlist', () => {
  const hidden = { title: null, availability: 'private' } as const

  it('a private video that is not stored is not saved', () => {
    expect(sort([listed(a, hidden)])).toEqual({ older: [], news: [] })
  })

  it('a stored video that has become private is updated', () => {
    expect(sort([listed(a, hidden)], new Map([[a, now]])).older).toMatchObject([{ availability: 'private' }])
  })
})
