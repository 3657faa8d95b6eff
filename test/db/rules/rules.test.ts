/** Rules from a save to the queue, and from housekeeping to the disk: what they download, and which files they delete. */
import type { RequestListener } from 'node:http'
import type { JobHelpers } from 'graphile-worker'
import { beforeEach, describe, expect, it } from 'vitest'
import { refreshFeedTask } from '../../../jobs/tasks/feeds.ts'
import { deleteByRules } from '../../../jobs/tasks/housekeeping.ts'
import { first_round } from '../../../src/db/queue/queue.ts'
import { followChannel, refreshChannel, showFeed } from '../../../src/domain/channels/channels.ts'
import { cancelDownload, dropDownload, pinDownload, requestDownload } from '../../../src/domain/downloads/downloads.ts'
import { changeRule, previewRule } from '../../../src/domain/rules/rules.ts'
import { recordViewing } from '../../../src/domain/watching/viewings.ts'
import { createChangeFetcher } from '../../../src/feed/fetch/fetch-feed.ts'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { notFoundWords } from '../../../src/schema/channels/channel.ts'
import { type Rule, RuleRequest } from '../../../src/schema/rules/rule.ts'
import type { FeedEntry } from '../../../src/schema/sources/feed.ts'
import { filesIn } from '../../../src/store/local-files.ts'
import { placeOf } from '../../../src/store/paths.ts'
import { silent } from '../../support/app/app.ts'
import { useDatabase } from '../../support/app/database.ts'
import { no_bin } from '../../support/app/files.ts'
import { entry, type Person, person } from '../../support/app/people.ts'
import { downloads } from '../../support/app/ruled-channel.ts'
import { siteWith } from '../../support/media/feed-site.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const { sql } = useDatabase()
const folder = newFolder()
const files = filesIn(folder)

let alice: Person
beforeEach(async () => {
  await sql`delete from channels`
  await sql`truncate graphile_worker._private_jobs`
  alice = await person(sql, 'alice')
})

/** The entries of the one feed of these tests. */
let entries: FeedEntry[] = []
const rss_url = 'https://videos.example/kitchen.xml'
const findFeed = async () => ({ rss_url, feed: { channel_id: 'kitchen', title: 'Slow Kitchen', entries, skipped: 0 } })
const rule = (changes: Partial<Rule> = {}) => changeRule(alice.library, 'kitchen', on(changes))
const on = (changes: Partial<Rule>): Rule => ({ ...RuleRequest.parse({ auto_download: true }), ...changes })

/** Published on that day of a future year, so after the channel was followed. */
const fresh = (video_id: string, day: number, more: Partial<FeedEntry> = {}) =>
  entry(video_id, { published_at: new Date(Date.UTC(2099, 0, day)), ...more })
/** Follows the feed, which has these entries from now on. */
const follow = (now = entries) => {
  entries = now
  return followChannel(alice.library, findFeed, rss_url)
}
const refresh = async (now: FeedEntry[]) => {
  entries = now
  await sql`update channels set refresh_asked_at = null`
  await refreshChannel(alice.library, async () => (await findFeed()).feed, 'kitchen')
}
/** In the order in which the workers take them. */
const queued = async () =>
  (
    await sql<{ video_id: string }[]>`
    select   payload ->> 'video_id' as video_id
    from     graphile_worker._private_jobs
    where    key like 'download:%'
    order by priority, run_at, id`
  ).map(({ video_id }) => video_id)

describe('a rule that is on', () => {
  beforeEach(() => follow([entry('there before')]))

  it('a rule queues new videos at a refresh, behind those that people request', async () => {
    await rule()
    await refresh([entry('there before'), fresh('new', 1)])
    await requestDownload(alice.library, files, 'there before')

    expect(await queued()).toEqual(['there before', 'new'])
    expect(await sql`select priority from graphile_worker.jobs where key like '%:new'`).toEqual([
      { priority: first_round.rule },
    ])
    expect(await alice.library.videos.find('new')).toMatchObject({ queued: true, download_status: 'pending' })
  })

  it('a rule queues new videos when the channel is followed again, and when the feed endpoint saves it', async () => {
    await rule()
    await follow([fresh('a', 1)])
    entries = [fresh('a', 1), fresh('b', 2)]
    await showFeed(alice.library, findFeed, rss_url, false)
    expect(await queued()).toEqual(['a'])
    await showFeed(alice.library, findFeed, rss_url, true)
    expect(await queued()).toEqual(['a', 'b'])
  })

  it('a rule queues new videos at a scheduled fetch, for its owner only', async () => {
    let body = feedOf('v1')
    const site = await siteWith(((_, response) => response.end(body)) as RequestListener)
    const edge = { policy: addressPolicy(['127.0.0.0/8']), limits: { timeout_ms: 5000, max_redirects: 3 } }
    const bob = await person(sql, 'bob')
    for (const { library } of [alice, bob]) await library.channels.save({ ...plain, rss_url: site.url }, [])
    await sql`update channels set next_fetch_at = now() where rss_url = ${site.url}`
    await changeRule(alice.library, 'site', on({}))
    body = feedOf('v1', 'v2')

    const task = refreshFeedTask({
      sql,
      log: silent,
      fetchChanges: createChangeFetcher(edge),
      refresh_interval_minutes: 30,
    })
    await task({ rss_url: site.url }, {} as JobHelpers)

    const jobs =
      await sql`select payload ->> 'user_id' as user_id from graphile_worker._private_jobs where key like 'download:%'`
    expect(jobs).toEqual([{ user_id: alice.user.user_id }, { user_id: alice.user.user_id }])
    expect((await bob.library.videos.list({ limit: 9 })).entries).toHaveLength(2)
  })

  it('a rule downloads only the videos that fit it', async () => {
    await rule({ title_words: ['bread'], title_pattern: '(b+)+read$', skip_shorts: true })
    await refresh([
      fresh('fits', 1, { title: 'Rye bread' }),
      fresh('other', 2, { title: 'Rye soup' }),
      fresh('short', 3, { title: 'Bread', video_url: 'https://www.youtube.com/shorts/abc123DEF45' }),
      fresh('hostile', 4, { title: `${'b'.repeat(5000)}! bread?` }),
    ])
    expect(await queued()).toEqual(['fits'])
  })

  it('a rule downloads no video that was published before the channel was followed', async () => {
    await rule()
    await refresh([entry('there before'), entry('late', { published_at: new Date('2026-05-02') })])
    expect(await queued()).toEqual([])
  })

  it('a rule takes a video without a date for a new one', async () => {
    await rule()
    await refresh([entry('undated', { published_at: null })])
    expect(await queued()).toEqual(['undated'])
  })

  it('a rule downloads no video that was seen before it was on, or before it was changed', async () => {
    await refresh([fresh('before', 1)])
    await rule({ title_words: ['bread'] })
    await refresh([fresh('between', 2, { title: 'Soup' })])
    await rule({})
    await refresh([fresh('after', 3)])
    expect(await queued()).toEqual(['after'])
  })

  it('a rule does not start afresh when only the files it keeps have changed', async () => {
    const { on_since } = await rule()
    expect(await rule({ keep_days: 3 })).toMatchObject({ on_since, keep_days: 3 })
    expect((await rule({ auto_download: false })).on_since).toBeNull()
    expect((await rule()).on_since?.getTime()).toBeGreaterThan(on_since?.getTime() ?? Infinity)
  })

  it('a rule downloads the newest of many at once, and never returns to the others', async () => {
    await rule({ keep_newest: 2 })
    const many = [1, 2, 3, 4].map(day => entry(`v${day}`, { published_at: null }))
    await refresh(many)
    const first = await queued()
    expect(first).toHaveLength(2)
    await refresh(many)
    expect(await queued()).toEqual(first)
  })
})

describe('a rule that keeps the newest three', () => {
  const days = [1, 2, 3, 4, 5].map(day => fresh(`v${day}`, day))
  beforeEach(async () => {
    await follow([])
    await rule({ keep_newest: 3 })
    await refresh(days)
    expect(await queued()).toEqual(['v5', 'v4', 'v3'])
  })
  const next = async () => {
    await sql`truncate graphile_worker._private_jobs`
    await refresh(days)
    return queued()
  }

  it.each<[string, () => Promise<unknown>, string[]]>([
    ['all are queued', async () => {}, []],
    ['all are on disk', () => Promise.all(['v3', 'v4', 'v5'].map(id => finish(id))), []],
    ['one runs', () => start('v5'), []],
    ['one failed for good', () => fail('v5'), ['v2']],
    ['one waits for a later attempt', () => failForNow('v5'), ['v2']],
    [
      'a person deleted one',
      () => finish('v5').then(() => dropDownload(alice.library, { files, bin: no_bin }, 'v5')),
      ['v2'],
    ],
    ['a person cancelled one', () => cancelDownload(alice.library, files, 'v5'), ['v2']],
    ['one is pinned', () => finish('v5').then(() => pinDownload(alice.library, 'v5', true)), ['v2']],
    ['a person requested one', () => requestDownload(alice.library, files, 'v5'), ['v2']],
  ])('a rule for the newest three has three where three are possible: %s', async (_, happens, expected) => {
    await happens()
    expect(await next()).toEqual(expected)
    expect(await next()).toEqual([])
  })
})

describe('a rule that is off', () => {
  it('a channel begins with a rule that is off, and it does nothing', async () => {
    await follow([])
    await refresh([fresh('a', 1)])
    expect(await alice.library.rules.find('kitchen')).toMatchObject({ auto_download: false, on_since: null })
    expect(await queued()).toEqual([])
  })

  it('a rule that is off downloads nothing and deletes nothing', async () => {
    await follow([])
    await rule()
    await refresh([fresh('a', 1), fresh('b', 2)])
    for (const id of ['a', 'b']) await finish(id)
    await rule({ auto_download: false, keep_newest: 1, keep_days: 1 })
    await sql`update video_entries set download_completed_at = now() - interval '9 days'`
    await refresh([fresh('c', 3)])
    await deleteByRules({ sql, files, bin: no_bin, log: silent })
    expect(await onDisk()).toEqual(['a', 'b'])
  })
})

describe('a video that a person gave up', () => {
  beforeEach(async () => {
    await follow([])
    await rule()
    await refresh([fresh('a', 1)])
  })

  it.each<[string, () => Promise<unknown>]>([
    ['deleted', () => finish('a').then(() => dropDownload(alice.library, { files, bin: no_bin }, 'a'))],
    ['cancelled in the queue', () => cancelDownload(alice.library, files, 'a')],
    ['cancelled while it ran', () => start('a').then(() => cancelDownload(alice.library, files, 'a'))],
    ['dismissed after it failed', () => fail('a').then(() => cancelDownload(alice.library, files, 'a'))],
  ])('a rule does not download a video again that was %s; a person still can', async (_, giveUp) => {
    await giveUp()
    await refresh([fresh('a', 1, { title: 'Another title' })])
    await follow()
    expect(await queued()).toEqual([])
    expect(await alice.library.downloads.request(['a'], 'rule')).toEqual(new Map([['a', 'already_queued']]))
    expect(await queued()).toEqual([])

    expect((await requestDownload(alice.library, files, 'a')).result).toBe('queued')
    expect(await queued()).toEqual(['a'])
  })

  it('a deleted video is not downloaded again for another channel with the same video', async () => {
    await finish('a')
    await dropDownload(alice.library, { files, bin: no_bin }, 'a')
    await alice.library.channels.save(plain, [])
    await changeRule(alice.library, 'site', on({}))
    const feed = { channel_id: 'site', title: 'Site', entries: [fresh('a', 1)], skipped: 0 }
    await followChannel(alice.library, async () => ({ rss_url: plain.rss_url, feed }), plain.rss_url)
    expect(await queued()).toEqual([])
  })
})

describe('housekeeping', () => {
  const ids = ['v1', 'v2', 'v3', 'v4']
  beforeEach(async () => {
    await follow([])
    await rule()
    await refresh(ids.map(id => entry(id, { published_at: null })))
    // Seen one after the other, the last one last.
    for (const [n, id] of ids.entries())
      await sql`update video_entries set first_seen_at = now() + ${n} * interval '1 minute' where video_id = ${id}`
    for (const id of ids) await finish(id)
  })
  const clean = () => deleteByRules({ sql, files, bin: no_bin, log: silent })

  it('housekeeping keeps all files of a rule without limits', async () => {
    await clean()
    expect(await onDisk()).toEqual(ids)
  })

  it('housekeeping keeps only the newest files, on disk and in the database', async () => {
    await rule({ keep_newest: 2 })
    await clean()
    expect(await onDisk()).toEqual(['v3', 'v4'])
    expect(await alice.library.videos.find('v1')).toMatchObject({ download_status: 'pending', download_path: null })
    // They are not downloaded again.
    await refresh([])
    expect(await alice.library.videos.idsOnShelf('waiting', 9)).toEqual([])
  })

  it('housekeeping deletes files that are older than the rule allows', async () => {
    await rule({ keep_days: 3 })
    await sql`update video_entries set download_completed_at = now() - interval '73 hours' where video_id in ('v2', 'v4')`
    await clean()
    expect(await onDisk()).toEqual(['v1', 'v3'])
  })

  it('housekeeping deletes neither a pinned file nor one that a person requested', async () => {
    await rule({ keep_newest: 1, keep_days: 1 })
    await pinDownload(alice.library, 'v1', true)
    await requestDownload(alice.library, files, 'v2')
    await sql`update video_entries set download_completed_at = now() - interval '9 days'`
    await clean()
    expect(await onDisk()).toEqual(['v1', 'v2'])

    await pinDownload(alice.library, 'v1', false)
    await clean()
    expect(await onDisk()).toEqual(['v2'])
  })

  const isPlaying = (video_id: string) =>
    recordViewing(alice.library, video_id, { position_seconds: 8, duration_seconds: 20 })
  const stoppedHoursAgo = (hours: number) => sql`update viewings set watched_at = now() - ${hours} * interval '1 hour'`

  it('housekeeping keeps a file that was played within the last day', async () => {
    await rule({ keep_newest: 1 })
    await isPlaying('v1')
    await recordViewing(alice.library, 'v2', { position_seconds: 20, duration_seconds: 20 })
    await clean()
    expect(await onDisk()).toEqual(['v1', 'v2', 'v4'])
    await stoppedHoursAgo(23)
    await clean()
    expect(await onDisk()).toEqual(['v1', 'v2', 'v4'])
    await stoppedHoursAgo(25)
    await clean()
    expect(await onDisk()).toEqual(['v4'])
  })

  it('a file that has just been played is not deleted', async () => {
    await isPlaying('v1')
    expect(await alice.library.downloads.deleteFile('v1', files.remove, { only_kept_by_rule: true })).toBe(false)
    expect(await onDisk()).toEqual(ids)
  })

  it('housekeeping keeps a file that could not be downloaded again, and its preview says so', async () => {
    const [older, watched] = [{ keep_days: 3 }, { delete_watched_days: 1 }]
    await sql`update video_entries set download_completed_at = now() - interval '9 days'`
    await sql`update video_entries set availability = 'removed' where video_id = 'v1'`
    await sql`update video_entries set availability = 'private' where video_id = 'v2'`
    await sql`
      insert into viewings (user_id, video_id, seen_at, watched_at)
      select user_id, video_id, now() - interval '9 days', now() - interval '9 days' from video_entries where video_id in ('v1', 'v3')`
    const preview = await previewRule(alice.library, 'kitchen', on(older))
    expect(preview).toMatchObject({ delete_count: 2, only_copies: 2 })
    expect(preview.would_delete.map(({ video_id }) => video_id)).toEqual(['v4', 'v3'])
    await rule(watched)
    await clean()
    expect(await onDisk()).toEqual(['v1', 'v2', 'v4'])
    await rule(older)
    await clean()
    expect(await onDisk()).toEqual(['v1', 'v2'])
  })

  it('housekeeping keeps all files of a channel whose feed is gone', async () => {
    await rule({ keep_newest: 1 })
    await sql`update channels set fetch_error = ${notFoundWords(410)}`
    await clean()
    expect(await onDisk()).toEqual(ids)
  })

  it('pinned files are not counted among the newest', async () => {
    await rule({ keep_newest: 1 })
    await pinDownload(alice.library, 'v4', true)
    await clean()
    expect(await onDisk()).toEqual(['v3', 'v4'])
  })

  it('a file that has just been pinned is not deleted', async () => {
    await pinDownload(alice.library, 'v1', true)
    expect(await alice.library.downloads.deleteFile('v1', files.remove, { only_kept_by_rule: true })).toBe(false)
    expect(await onDisk()).toEqual(ids)
  })

  it('housekeeping keeps a file that the rule of another channel still keeps', async () => {
    await alice.library.channels.save(plain, [fresh('v1', 1)])
    await changeRule(alice.library, 'site', on({}))
    await rule({ keep_newest: 3 })
    await clean()
    expect(await onDisk()).toEqual(ids)
    await changeRule(alice.library, 'site', { ...on({}), auto_download: false })
    await clean()
    expect(await onDisk()).toEqual(['v2', 'v3', 'v4'])
  })

  it('housekeeping does not touch the files of other people', async () => {
    const bob = await person(sql, 'bob')
    await bob.library.channels.save({ ...plain, channel_id: 'kitchen' }, [entry('v1')])
    await changeRule(bob.library, 'kitchen', on({}))
    const his = await put(bob, 'v1')
    await rule({ keep_newest: 1 })
    await clean()
    expect(await files.exists(his)).toBe(true)
  })
})

const plain = { channel_id: 'site', title: 'Site', rss_url: 'https://videos.example/site.xml' }
const feedOf = (...ids: string[]) => `<rss><channel><title>Site</title>${ids.map(item).join('')}</channel></rss>`
const item = (id: string) => `<item><title>${id}</title><link>https://h.example/${id}</link></item>`

async function start(video_id: string): Promise<string> {
  const claim = crypto.randomUUID()
  expect(await alice.library.downloads.start(video_id, claim)).toBeDefined()
  return claim
}

async function fail(video_id: string): Promise<void> {
  const failed = { download_error: 'The site is away.', next_attempt_at: null }
  await alice.library.downloads.fail(video_id, await start(video_id), failed)
  await sql`truncate graphile_worker._private_jobs`
}

async function failForNow(video_id: string): Promise<void> {
  const failed = { download_error: 'Members only.', next_attempt_at: new Date(Date.now() + 86_400_000) }
  await alice.library.downloads.fail(video_id, await start(video_id), failed)
}

/** Downloads it, and forgets what waits. */
async function finish(video_id: string, owner = alice): Promise<string> {
  await downloads(owner, sql, files, folder, video_id)
  await sql`truncate graphile_worker._private_jobs`
  return placeOf({ user_id: owner.user.user_id, channel_id: 'kitchen', video_id })
}

async function put(owner: Person, video_id: string): Promise<string> {
  await owner.library.downloads.request([video_id], 'rule')
  return finish(video_id, owner)
}

/** The files of alice; the database and the disk must agree. */
async function onDisk(): Promise<string[]> {
  const { entries } = await alice.library.videos.list({ limit: 50 })
  const there = await Promise.all(
    entries.map(async ({ video_id }) => {
      const place = placeOf({ user_id: alice.user.user_id, channel_id: 'kitchen', video_id })
      return (await files.exists(place)) ? [video_id] : []
    }),
  )
  const known = entries.filter(({ download_status }) => download_status === 'completed').map(({ video_id }) => video_id)
  expect(known.toSorted()).toEqual(there.flat().toSorted())
  return known.toSorted()
}
