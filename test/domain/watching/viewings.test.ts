/** Watched videos and the position in each, by page and API, separate for each user. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { follows, type Person, personWith, viewing } from '../../support/app/people.ts'
import { flashOf } from '../../support/app/sign-in.ts'

const app = useApp({ connections: 4 })
const { ask, sql } = app

const alice = (video_ids = ['a', 'b', 'c']) => personWith(sql, 'alice', 'slow', video_ids)
let she: Person
beforeEach(async () => {
  she = await alice()
})

const seen = async ({ library }: Person, is_seen = true) =>
  (await library.videos.list({ limit: 50, seen: is_seen })).entries.map(({ video_id }) => video_id).toSorted()

const htmx = { 'hx-request': 'true' }
/** Her player reports a position in video `a`. */
const reports = (form: Record<string, string>, headers = {}) => ask('/videos/a/position', { as: she, form, headers })
const marks = (video_id: string, as: 'seen' | 'unseen', headers = {}) =>
  ask(`/videos/${video_id}/${as}`, { as: she, method: 'POST', headers })

describe('the position', () => {
  it('the player reports the position, and every answer contains it', async () => {
    const form = await reports({ position_seconds: '75.9', duration_seconds: '760.2' })
    const json = await ask('/api/videos/b/viewing', { as: she, method: 'PUT', json: { position_seconds: 5 } })

    expect([form.status, await form.text()]).toEqual([204, ''])
    expect(await json.json()).toMatchObject({
      video_id: 'b',
      position_seconds: 5,
      duration_seconds: null,
      seen_at: null,
    })
    const { entries } = (await (await ask('/api/history/slow', { as: she })).json()) as { entries: object[] }
    expect(entries).toContainEqual(
      expect.objectContaining({ video_id: 'a', position_seconds: 75, duration_seconds: 760, seen_at: null }),
    )
  })

  it('a report without a duration keeps the known one', async () => {
    await reports({ position_seconds: '75', duration_seconds: '760' })
    await reports({ position_seconds: '80', duration_seconds: '' })
    await ask('/api/videos/a/viewing', { as: she, method: 'PUT', json: {} })
    expect(await viewing(she, 'a')).toEqual({ seen: false, position_seconds: 80, duration_seconds: 760 })
  })

  it('reaching the end marks a video as watched, opening its page does not', async () => {
    await ask('/watch/a', { as: she })
    expect((await viewing(she, 'a')).seen).toBe(false)
    await reports({ position_seconds: '90', duration_seconds: '100' })
    expect((await viewing(she, 'a')).seen).toBe(true)
  })

  it('the player gets the watched mark of the page when it asks for it', async () => {
    const answer = await reports({ position_seconds: '99', duration_seconds: '100' }, htmx)
    expect(await answer.text()).toMatch(/^<form[^>]*class="mark seen"/)
  })

  it('a video marked as unwatched stays so while the player is at its end', async () => {
    await reports({ position_seconds: '95', duration_seconds: '100' })
    await marks('a', 'unseen')
    await reports({ position_seconds: '97', duration_seconds: '100' })
    expect((await viewing(she, 'a')).seen).toBe(false)
  })

  it.each([
    [{ position_seconds: 'NaN' }],
    [{ position_seconds: '-1' }],
    [{ position_seconds: '1e400' }],
    [{ position_seconds: '99999999' }],
    [{ position_seconds: '5', duration_seconds: 'x' }],
    [{}],
  ])('the position %j is refused', async form => {
    expect((await reports(form)).status).toBe(422)
  })

  it('a duration below one second counts as unknown', async () => {
    const answer = await reports({ position_seconds: '0', duration_seconds: '0.3' })
    expect([answer.status, await viewing(she, 'a')]).toEqual([
      204,
      { seen: false, position_seconds: 0, duration_seconds: null },
    ])
  })

  it('a viewing counts in every channel of the video, until the last is unfollowed', async () => {
    await follows(she, 'list', ['a'])
    await reports({ position_seconds: '75' })
    const inChannel = async (channel_id: string) =>
      (await she.library.videos.list({ channel_id, limit: 9 })).entries.find(({ video_id }) => video_id === 'a')

    expect([await inChannel('slow'), await inChannel('list')]).toMatchObject([
      { position_seconds: 75 },
      { position_seconds: 75 },
    ])
    await she.library.channels.remove('slow')
    expect(await inChannel('list')).toMatchObject({ position_seconds: 75 })
    await she.library.channels.remove('list')
    expect(await sql`select from viewings where user_id = ${she.user.user_id}`).toHaveLength(0)
  })

  it('a report during an unfollow leaves no viewing behind', async () => {
    she = await alice(['a'])
    const { user_id } = she.user
    let noted: Promise<boolean> | undefined
    await sql.begin(async tx => {
      await tx`select from video_entries where user_id = ${user_id} for update`
      noted = she.library.viewings.record('a', { position_seconds: 75 })
      await vi.waitFor(async () =>
        expect(
          await sql`select from pg_locks where not granted and locktype in ('transactionid', 'tuple')`,
        ).not.toEqual([]),
      )
      await tx`delete from channels where user_id = ${user_id}`
    })
    expect(await noted).toBe(false)
    expect(await sql`select from viewings where user_id = ${user_id}`).toHaveLength(0)
  })

  it('a viewing is alice’s alone when bob follows the same channel', async () => {
    const he = await alice()
    await reports({ position_seconds: '75' })
    await marks('b', 'seen')
    expect([await viewing(he, 'a'), await viewing(he, 'b')]).toMatchObject([
      { position_seconds: null },
      { seen: false },
    ])
  })
})

describe('marking one video as watched', () => {
  it('a form marks a video as watched and as unwatched', async () => {
    const headers = { referer: 'http://localhost/?seen=false' }

    const marked = await marks('a', 'seen', headers)
    expect([marked.status, marked.headers.get('location')]).toEqual([303, '/?seen=false'])
    expect(flashOf(marked)).toMatchObject({ undo: { do: 'unsee', video_id: 'a' } })
    expect(await seen(she)).toEqual(['a'])

    const page = await ask('/', { as: she, headers: { cookie: marked.headers.getSetCookie().join('; ') } })
    expect(await page.text()).toMatch(/Marked as watched\..*<form [^>]*action="\/videos\/a\/unseen"/s)
    await marks('a', 'unseen')
    expect(await seen(she)).toEqual([])
  })

  it('htmx marks a video as watched and gets the mark and the message', async () => {
    const marked = await (await marks('a', 'seen', htmx)).text()
    expect(marked).toContain('class="mark seen"')
    expect(marked).toMatch(/hx-target="#flash".*Marked as watched.*action="\/videos\/a\/unseen"/s)
    const unmarked = await (await marks('a', 'unseen', htmx)).text()
    expect(unmarked).toContain('class="mark unseen"')
  })

  it('the API marks a video as watched and as unwatched', async () => {
    const put = async (json: object) =>
      (await (await ask('/api/videos/a/viewing', { as: she, method: 'PUT', json })).json()) as {
        seen_at: string | null
      }
    expect((await put({ seen: true })).seen_at).toMatch(/^\d{4}-/)
    expect((await put({ seen: false })).seen_at).toBeNull()
  })

  it('watching again keeps the time of the first', async () => {
    await marks('a', 'seen')
    const first = (await she.library.videos.find('a'))?.seen_at
    await marks('a', 'seen')
    expect((await she.library.videos.find('a'))?.seen_at).toEqual(first)
  })

  it('pages and API filter by watched', async () => {
    await marks('a', 'seen')
    const ids = async (path: string) =>
      ((await (await ask(path, { as: she })).json()) as { entries: { video_id: string }[] }).entries
        .map(({ video_id }) => video_id)
        .toSorted()
    for (const path of ['/api/history/slow', '/api/videos']) {
      expect(await ids(`${path}?seen=true`)).toEqual(['a'])
      expect(await ids(`${path}?seen=false`)).toEqual(['b', 'c'])
      expect(await ids(path)).toEqual(['a', 'b', 'c'])
      expect((await ask(`${path}?seen=perhaps`, { as: she })).status).toBe(422)
    }
    const page = await (await ask('/?seen=true', { as: she })).text()
    expect([page.includes('Video a'), page.includes('Video b')]).toEqual([true, false])
  })

  it('the pages of unwatched videos lose none', async () => {
    she = await alice(Array.from({ length: 30 }, (_, index) => `v${index}`))
    await ask('/api/videos/v7/viewing', { as: she, method: 'PUT', json: { seen: true } })
    const found: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer = await ask(`/api/videos?seen=false&limit=10&cursor=${cursor}`, { as: she })
      const page = (await answer.json()) as { entries: { video_id: string }[]; next_cursor: string | null }
      found.push(...page.entries.map(({ video_id }) => video_id))
      cursor = page.next_cursor
    }
    expect([found.length, new Set(found).size, found.includes('v7')]).toEqual([29, 29, false])
  })
})

describe('marking all videos as watched', () => {
  /** One second later, because the clock of the database is more precise than this one. */
  const now = () => new Date(Date.now() + 1000).toISOString()

  it('mark all as watched marks what the page showed, and undo unmarks exactly that', async () => {
    await marks('a', 'seen')
    const until = now()
    await sql`update video_entries set first_seen_at = now() + interval '1 hour' where video_id = 'c' and user_id = ${she.user.user_id}`

    const marked = await ask('/videos/seen', { as: she, form: { until } })
    expect(await seen(she)).toEqual(['a', 'b'])
    expect(flashOf(marked)).toMatchObject({ text: '1 video marked as watched.', undo: { do: 'unsee_all' } })

    await ask('/videos/unseen', { as: she, form: { seen_at: flashOf(marked).undo.seen_at } })
    expect(await seen(she)).toEqual(['a'])
  })

  it('the API marks all as watched, and undoes it', async () => {
    const answer = await ask('/api/videos/seen', { as: she, json: { until: now() } })
    const { marked, seen_at } = (await answer.json()) as { marked: number; seen_at: string }
    expect([answer.status, marked, await seen(she)]).toEqual([200, 3, ['a', 'b', 'c']])
    const back = await ask('/api/videos/unseen', { as: she, json: { seen_at } })
    expect([await back.json(), await seen(she)]).toEqual([{ unmarked: 3 }, []])
  })

  it('mark all as watched can be limited to one channel, and counts a video once', async () => {
    await follows(she, 'list', ['a', 'z'])
    const answer = await ask('/api/videos/seen', { as: she, json: { until: now(), channel_id: 'list' } })
    expect(await answer.json()).toMatchObject({ marked: 2 })
    expect(await seen(she)).toEqual(['a', 'z'])
    const unknown = { until: now(), channel_id: 'nope' }
    expect((await ask('/videos/seen', { as: she, form: unknown })).status).toBe(404)
    expect((await ask('/api/videos/seen', { as: she, json: unknown })).status).toBe(404)
  })

  it('mark all as watched and its undo change nothing of another user', async () => {
    const he = await alice()
    const answer = await ask('/api/videos/seen', { as: she, json: { until: now() } })
    const { seen_at } = (await answer.json()) as { seen_at: string }
    expect(await seen(he)).toEqual([])
    await ask('/api/videos/unseen', { as: he, json: { seen_at } })
    expect(await seen(she)).toEqual(['a', 'b', 'c'])
  })

  it('mark all as watched offers no undo when there was nothing to mark', async () => {
    she = await alice([])
    expect(flashOf(await ask('/videos/seen', { as: she, form: { until: now() } }))).toEqual({
      kind: 'done',
      text: 'Everything is already marked as watched.',
    })
  })

  it('mark all as watched refuses a malformed time', async () => {
    expect((await ask('/videos/seen', { as: she, form: { until: 'now' } })).status).toBe(422)
    expect((await ask('/api/videos/unseen', { as: she, json: {} })).status).toBe(422)
    for (const moment of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+05:00', '9999-12-31T23:59:59-05:00']) {
      expect((await ask('/api/videos/seen', { as: she, json: { until: moment } })).status, moment).toBe(422)
      expect((await ask('/api/videos/unseen', { as: she, json: { seen_at: moment } })).status, moment).toBe(422)
    }
  })
})
