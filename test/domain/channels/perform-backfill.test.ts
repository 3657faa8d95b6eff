/** Runs of backfills in this process, on lists that a test makes up. */
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { pauseHost } from '../../../src/db/queue/host-pauses.ts'
import { beginBackfill, cancelBackfill, getBackfill } from '../../../src/domain/channels/backfills.ts'
import { unfollowChannel } from '../../../src/domain/channels/channels.ts'
import { type BackfillParts, performBackfill } from '../../../src/domain/channels/perform-backfill.ts'
import { changeRule, getRule } from '../../../src/domain/rules/rules.ts'
import { updateFeed } from '../../../src/domain/saving/save-feed.ts'
import type { FeedEntry } from '../../../src/schema/sources/feed.ts'
import type { ListedEntry } from '../../../src/schema/sources/listing.ts'
import { failures } from '../../../src/ytdlp/failures/failure.ts'
import { useApp } from '../../support/app/app.ts'
import { no_bin } from '../../support/app/files.ts'
import { listed, listing, youtubeId } from '../../support/app/listings.ts'
import { entry, type Person, person } from '../../support/app/people.ts'
import { lowered } from '../../support/app/user-limits.ts'

const app = useApp()
const { sql } = app

let alice: Person
beforeEach(async () => {
  alice = await follower()
})

const channel_id = 'UCBR8-60-B28hp2BmDPdntcQ'
const channel = {
  channel_id,
  title: 'Slow Kitchen',
  rss_url: `https://www.youtube.com/feeds/videos.xml?channel_id=${channel_id}`,
}
const hour_ms = 3_600_000
const hoursAgo = (hours: number) => new Date(Date.now() - hours * hour_ms)
const never = new AbortController().signal

const inFeed = (n: number, hours: number): FeedEntry =>
  entry(youtubeId(n), { video_url: `https://www.youtube.com/watch?v=${youtubeId(n)}`, published_at: hoursAgo(hours) })
const older = (n: number, hours: number): ListedEntry =>
  listed(youtubeId(n), { published_at: hoursAgo(hours), published_precision: 'approximate' })

/** Follows a channel whose feed lists the videos 2, 1 and 0. */
async function follower(name = 'alice'): Promise<Person> {
  const alice = await person(sql, name)
  await alice.library.channels.save(channel, [inFeed(2, 24), inFeed(1, 48), inFeed(0, 72)])
  return alice
}
/** The list of the same channel: the feed's videos, then `count` older ones, three in a batch. */
const list = (count: number): ListedEntry[][] => {
  const all = [older(2, 24), older(1, 48), older(0, 72)]
  for (let n = 0; n < count; n++) all.push(older(100 + n, 100 + n))
  return Array.from({ length: Math.ceil(all.length / 3) }, (_, n) => all.slice(n * 3, n * 3 + 3))
}
const perform = ({ library }: Person, listChannel: BackfillParts['listChannel'], more: Partial<BackfillParts> = {}) =>
  performBackfill({ library, listChannel, stopping: never, beat_ms: 10, ...more }, channel_id)
/** The backfill of alice. */
const hers = () => getBackfill(alice.library, channel_id)
const history = async ({ library }: Person) => (await library.videos.list({ channel_id, limit: 100 })).entries
const aborted = (signal: AbortSignal) =>
  new Promise<void>(resolve => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
const jobs = ({ user }: Person) => sql<{ run_at: Date; priority: number }[]>`
  select run_at, priority from graphile_worker.jobs
  where  starts_with(key, ${`backfill:${user.user_id}`}) and locked_at is null order by id`

describe('a backfill', () => {
  it('a backfill saves the videos of the list that the feed does not have, and marks them as listed', async () => {
    expect(await hers()).toMatchObject({ state: 'never', found: 0, saved: 0 })
    expect(await beginBackfill(alice.library, channel_id)).toMatchObject({ state: 'queued', started_at: null })

    expect(await perform(alice, listing(list(5)))).toBe('done')

    expect(await hers()).toMatchObject({
      state: 'done',
      found: 8,
      saved: 5,
      started_at: expect.any(Date),
      finished_at: expect.any(Date),
      error: null,
    })
    const videos = await history(alice)
    expect(videos.map(({ video_id }) => video_id)).toEqual([2, 1, 0, 100, 101, 102, 103, 104].map(youtubeId))
    expect(videos.map(({ source }) => source)).toEqual([...Array(3).fill('feed'), ...Array(5).fill('listing')])
    expect(videos[0]).toMatchObject({
      title: `Video ${youtubeId(2)}`,
      published_precision: 'exact',
      duration_seconds: 63,
    })
    expect(videos[3]).toMatchObject({ title: `Listed ${youtubeId(100)}`, published_precision: 'approximate' })
  })

  it('a second request while one is unfinished is the same one, with one job', async () => {
    await beginBackfill(alice.library, channel_id)
    await Promise.all([1, 2, 3].map(() => beginBackfill(alice.library, channel_id)))
    expect(await jobs(alice)).toHaveLength(1)
  })

  it('a run that loses the database for a moment is queued again, and uses up no attempt', async () => {
    await beginBackfill(alice.library, channel_id)
    let faults = 1
    const { backfills } = alice.library
    const save: typeof backfills.save = (...words) =>
      faults-- > 0
        ? Promise.reject(Object.assign(new Error('not yet accepting connections'), { code: '57P03' }))
        : backfills.save(...words)
    const library = { ...alice.library, backfills: { ...backfills, save } }

    expect(await perform(alice, listing(list(5)), { library })).toBe('later')
    const [row] = await sql`select state, attempts from backfills where user_id = ${alice.user.user_id}`
    expect(row).toMatchObject({ state: 'queued', attempts: 0 })
    expect(await perform(alice, listing(list(5)))).toBe('done')
  })

  it('a run after a crash reads the list again, saves nothing twice, and the number found never falls', async () => {
    await beginBackfill(alice.library, channel_id)
    const gone = new Promise<never>(() => {})
    const crashed = Promise.withResolvers<void>()
    const dies = listing(list(6), {
      at(batch) {
        if (batch < 2) return undefined
        crashed.resolve()
        return gone
      },
    })
    void perform(alice, dies)
    await crashed.promise
    expect(await hers()).toMatchObject({ state: 'running', found: 6, saved: 3 })

    const shown: number[] = []
    const again = listing(list(6), { at: async () => shown.push((await hers()).found) })
    expect(await perform(alice, again)).toBe('done')

    expect(shown).toEqual([6, 6, 6])
    expect(await hers()).toMatchObject({ state: 'done', found: 9, saved: 6 })
    const ids = (await history(alice)).map(({ video_id }) => video_id)
    expect([ids.length, new Set(ids).size]).toEqual([9, 9])
  })

  it('a run that another one has replaced saves nothing more', async () => {
    await beginBackfill(alice.library, channel_id)
    const lost = perform(
      alice,
      listing(list(3), { at: async batch => batch === 1 && (await perform(alice, listing([]))) }),
    )
    expect(await lost).toBe('lost')
    expect(await hers()).toMatchObject({ state: 'done', saved: 0 })
    expect(await history(alice)).toHaveLength(3)
  })

  it('a cancelled backfill stops reading, keeps what it has, and continues from there when it is requested again', async () => {
    await beginBackfill(alice.library, channel_id)
    const stopped = Promise.withResolvers<void>()
    const listChannel: BackfillParts['listChannel'] = async ({ signal, onEntries }) => {
      for (const batch of list(3)) await onEntries(batch)
      await cancelBackfill(alice.library, channel_id)
      await aborted(signal)
      stopped.resolve()
      throw signal.reason
    }
    expect(await perform(alice, listChannel)).toBe('lost')
    await stopped.promise
    expect(await hers()).toMatchObject({ state: 'cancelled', found: 6, saved: 3 })
    expect(await jobs(alice)).toEqual([])

    await beginBackfill(alice.library, channel_id)
    await perform(alice, listing(list(5)))
    expect(await hers()).toMatchObject({ state: 'done', found: 8, saved: 5 })
  })

  it('unfollowing the channel stops its backfill and leaves nothing of it', async () => {
    await beginBackfill(alice.library, channel_id)
    const listChannel: BackfillParts['listChannel'] = async ({ signal, onEntries }) => {
      for (const batch of list(3)) await onEntries(batch)
      await unfollowChannel(alice.library, { files: app.files, bin: no_bin }, channel_id)
      await aborted(signal)
      throw signal.reason
    }
    expect(await perform(alice, listChannel)).toBe('lost')
    expect(await alice.library.backfills.find(channel_id)).toBeUndefined()
    expect(await sql`select from video_entries where user_id = ${alice.user.user_id}`).toHaveLength(0)
  })

  it('a backfill that is requested while its channel is unfollowed leaves nothing, and breaks nothing', async () => {
    for (let n = 0; n < 20; n++) {
      await alice.library.channels.save(channel, [inFeed(0, 72)])
      const both = await Promise.allSettled([
        beginBackfill(alice.library, channel_id),
        unfollowChannel(alice.library, { files: app.files, bin: no_bin }, channel_id),
      ])
      const refused = both.flatMap(one => (one.status === 'rejected' ? [one.reason.code] : []))
      expect(refused.filter(code => code !== 'not_found')).toEqual([])
      expect(await perform(alice, listing(list(1)))).toBe('not_wanted')
    }
    expect(await sql`select from backfills where user_id = ${alice.user.user_id}`).toHaveLength(0)
  })

  it('a worker that stops hands its backfill back, and the attempt does not count', async () => {
    await beginBackfill(alice.library, channel_id)
    const stopping = new AbortController()
    const stops = listing(list(6), { at: batch => batch === 2 && stopping.abort() })
    expect(await perform(alice, stops, { stopping: stopping.signal })).toBe('later')
    expect(await hers()).toMatchObject({ state: 'queued', found: 6, error: null })
    expect(await sql`select attempts from backfills where user_id = ${alice.user.user_id}`).toEqual([{ attempts: 0 }])
    expect(await jobs(alice)).toHaveLength(1)
  })

  it('a backfill whose runs crash each time ends as incomplete', async () => {
    await beginBackfill(alice.library, channel_id)
    await sql`update backfills set attempts = 8 where user_id = ${alice.user.user_id}`
    expect(await perform(alice, listing(list(3)))).toBe('incomplete')
    expect((await hers()).error).toContain('interrupted')
  })

  it('a fault of ours ends a backfill with a sentence', async () => {
    await beginBackfill(alice.library, channel_id)
    const faults: unknown[] = []
    const broken = listing(list(3), { at: () => Promise.reject(new TypeError('a bug')) })
    expect(await perform(alice, broken, { onFault: fault => faults.push(fault) })).toBe('incomplete')
    expect(faults).toHaveLength(1)
    expect((await hers()).error).toContain('on our side')
  })
})

describe('a list that ends early', () => {
  const refusal = { ...failures.unknown, kind: 'rate_limited', sentence: 'YouTube asks us to slow down.' } as const

  it('a refusal pauses the site for this person and the backfill goes on after the pause', async () => {
    await beginBackfill(alice.library, channel_id)
    expect(await perform(alice, listing(list(3), { failure: refusal }))).toBe('later')

    expect(await hers()).toMatchObject({
      state: 'queued',
      saved: 3,
      error: refusal.sentence,
      next_attempt_at: expect.any(Date),
    })
    const pauses = await sql`select host, reason from host_pauses where user_id = ${alice.user.user_id}`
    expect(pauses).toEqual([{ host: 'youtube.com', reason: refusal.sentence }])
    expect((await jobs(alice))[0]?.run_at.getTime()).toBeGreaterThan(Date.now() + 4 * 60_000)

    await sql`delete from host_pauses where user_id = ${alice.user.user_id}`
    expect(await perform(alice, listing(list(4)))).toBe('done')
    expect(await hers()).toMatchObject({ state: 'done', found: 7, saved: 4, error: null })
  })

  it('a backfill waits while its site is paused, and that is no attempt', async () => {
    await pauseHost(sql, 'youtube.com', { user_id: alice.user.user_id, reason: 'YouTube asks us to slow down.' })
    await beginBackfill(alice.library, channel_id)
    const asked: string[] = []
    expect(await perform(alice, listing(list(3), { at: () => asked.push('listed') }))).toBe('postponed')
    expect(asked).toEqual([])
    expect(await hers()).toMatchObject({ state: 'queued', error: expect.any(String) })
    expect(await sql`select attempts from backfills where user_id = ${alice.user.user_id}`).toEqual([{ attempts: 0 }])
    expect((await jobs(alice))[0]?.run_at.getTime()).toBeGreaterThan(Date.now() + 4 * 60_000)
  })

  it('a page that cannot be listed fails with a sentence, and pressing again tries again', async () => {
    await beginBackfill(alice.library, channel_id)
    expect(await perform(alice, listing([], { failure: failures.not_a_web_address }))).toBe('failed')
    expect(await hers()).toMatchObject({ state: 'failed', error: failures.not_a_web_address.sentence })
    await beginBackfill(alice.library, channel_id)
    expect(await perform(alice, listing(list(1)))).toBe('done')
  })

  it('the limit of videos ends a backfill as incomplete, with a sentence', async () => {
    await beginBackfill(alice.library, channel_id)
    onTestFinished(lowered({ videos: 5 }))
    expect(await perform(alice, listing(list(9)))).toBe('incomplete')
    const ended = await hers()
    expect(ended).toMatchObject({ state: 'incomplete', saved: 2, error: expect.stringContaining('You have 5 videos') })
    expect(await history(alice)).toHaveLength(5)
  })
})

describe('a backfill and the rule of its channel', () => {
  const requested = async ({ user }: Person) =>
    (
      await sql<{ video_id: string }[]>`
        select video_id from video_entries where user_id = ${user.user_id} and download_requested_at is not null order by id`
    ).map(({ video_id }) => video_id)

  it('a rule downloads no older video, and a video that the feed has not listed yet exactly once', async () => {
    await sql`update channels set created_at = now() - interval '5 hours' where user_id = ${alice.user.user_id}`
    await changeRule(alice.library, channel_id, { ...(await getRule(alice.library, channel_id)), auto_download: true })
    await beginBackfill(alice.library, channel_id)
    expect(await perform(alice, listing([[older(3, 2), ...(list(0)[0] ?? [])], ...list(6).slice(1)]))).toBe('done')

    expect(await requested(alice)).toEqual([youtubeId(3)])
    const shown = await alice.library.videos.list({ limit: 100, older: false })
    expect(shown.entries.map(({ video_id }) => video_id)).toEqual([3, 2, 1, 0].map(youtubeId))
    const [job] = await sql`select id from graphile_worker.jobs where key like ${`download:${alice.user.user_id}:%`}`
    await alice.library.downloads.cancel(youtubeId(3))

    await updateFeed(alice.library, channel_id, { ...channel, entries: [inFeed(3, 2), inFeed(2, 24)], skipped: 0 })

    expect(job).toBeDefined()
    expect(await requested(alice)).toEqual([])
    const [first] = await history(alice)
    expect(first).toMatchObject({
      video_id: youtubeId(3),
      title: `Video ${youtubeId(3)}`,
      published_precision: 'exact',
    })
  })

  it('a rule that includes older videos downloads them when all are loaded', async () => {
    const rule = await getRule(alice.library, channel_id)
    await beginBackfill(alice.library, channel_id)
    const during: string[][] = []
    const shown = listing(list(3), { at: async () => during.push(await requested(alice)) })
    await changeRule(alice.library, channel_id, { ...rule, auto_download: true, include_older: true, keep_newest: 5 })
    const before = await requested(alice)

    expect(await perform(alice, shown)).toBe('done')

    expect(during).toEqual([before, before])
    expect((await requested(alice)).toSorted()).toEqual([0, 1, 2, 100, 101].map(youtubeId))
  })

  it('a listed video that the feed lists later becomes an ordinary one', async () => {
    await beginBackfill(alice.library, channel_id)
    await perform(alice, listing([[older(3, 30)]]))
    expect((await history(alice)).find(({ video_id }) => video_id === youtubeId(3))?.source).toBe('listing')
    await updateFeed(alice.library, channel_id, { ...channel, entries: [inFeed(3, 30)], skipped: 0 })
    expect((await history(alice)).find(({ video_id }) => video_id === youtubeId(3))?.source).toBe('feed')
  })
})

describe('backfills of several people', () => {
  it('a person with a hundred backfills does not delay another person’s first', async () => {
    const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
    const many = Array.from({ length: 5 }, (_, n) => ({ ...channel, channel_id: `${channel_id}${n}` }))
    for (const one of many) {
      await alice.library.channels.save(one, [])
      await beginBackfill(alice.library, one.channel_id)
    }
    await bob.library.channels.save(channel, [])
    await beginBackfill(bob.library, channel_id)
    const first = (await jobs(alice))[0]?.priority ?? Number.NaN
    expect((await jobs(alice)).map(({ priority }) => priority - first)).toEqual([0, 1, 2, 3, 4])
    expect((await jobs(bob)).map(({ priority }) => priority - first)).toEqual([0])
  })

  it('bob cannot read, begin or cancel a backfill of alice', async () => {
    const bob = await person(sql, 'bob')
    await beginBackfill(alice.library, channel_id)
    for (const act of [getBackfill, beginBackfill, cancelBackfill])
      await expect(act(bob.library, channel_id)).rejects.toMatchObject({ code: 'not_found' })
    expect(await hers()).toMatchObject({ state: 'queued' })
  })
})
