/** Every kind of rule, from its preview to the queue and the disk. */
import { beforeEach, describe, expect, it } from 'vitest'
import { applyDueRules, deleteByRules } from '../../../jobs/tasks/housekeeping.ts'
import {
  applyRule,
  changeDefaultRule,
  changeRule,
  changeRules,
  getDefaultRule,
  getRule,
  previewRule,
} from '../../../src/domain/rules/rules.ts'
import { saveFeed } from '../../../src/domain/saving/save-feed.ts'
import { type Rule, RuleRequest } from '../../../src/schema/rules/rule.ts'
import { max_playlist_videos } from '../../../src/schema/watching/playlist.ts'
import { filesIn } from '../../../src/store/local-files.ts'
import { silent } from '../../support/app/app.ts'
import { useDatabase } from '../../support/app/database.ts'
import { no_bin } from '../../support/app/files.ts'
import { entry, follows, type Person, person } from '../../support/app/people.ts'
import { channel_id, downloads, type Given, onDiskOf, queuedFor, saves } from '../../support/app/ruled-channel.ts'
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

const on = (changes: Partial<Rule> = {}): Rule => ({ ...RuleRequest.parse({ auto_download: true }), ...changes })
const has = (videos: Record<string, Given>) => saves(alice, sql, videos)
const queued = () => queuedFor(alice, sql)
const finish = (video_id: string) => downloads(alice, sql, files, folder, video_id)
const keepHouse = async () => {
  await applyDueRules({ sql, log: silent })
  await deleteByRules({ sql, files, bin: no_bin, log: silent })
}

/** Previews the rule, saves it, and returns what both say. */
async function previewAndSave(changes: Partial<Rule>) {
  const preview = await previewRule(alice.library, channel_id, on(changes))
  await changeRule(alice.library, channel_id, on(changes))
  return {
    previewed: preview.would_download.map(({ video_id }) => video_id),
    requested: await queued(),
    reasons: Object.fromEntries(preview.skipped.map(({ video_id, reason }) => [video_id, reason])),
  }
}

describe('conditions of a rule that includes the last ten years', () => {
  const videos: Record<string, Given> = {
    long: { days_ago: 1, title: 'Rye bread', duration_seconds: 900, live_status: 'none' },
    short: { days_ago: 2, title: 'Soup', duration_seconds: 60, live_status: 'none' },
    stream: { days_ago: 3, title: 'Bread, live', duration_seconds: 9000, live_status: 'was_live' },
    unknown: { days_ago: 4, title: 'Bread trailer' },
    members: { days_ago: 5, title: 'Bread for members', duration_seconds: 900, availability: 'members_only' },
    announced: { days_ago: 6, title: 'Bread soon', live_status: 'upcoming' },
    running: { days_ago: 7, title: 'Bread now', live_status: 'live' },
    removed: { days_ago: 8, title: 'Bread gone', availability: 'removed' },
  }
  const closed = {
    members: 'Members only',
    announced: 'Not published yet',
    running: 'Live now',
    removed: 'No longer on the site',
  }
  beforeEach(() => has(videos))

  it.each<[string, Partial<Rule>, string[], Record<string, string>]>([
    ['no condition', {}, ['long', 'short', 'stream', 'unknown'], {}],
    ['title words', { title_words: ['bread'] }, ['long', 'stream', 'unknown'], { short: 'Title lacks: bread' }],
    [
      'unwanted words',
      { without_words: ['soup', 'live'] },
      ['long', 'unknown'],
      { short: 'Title contains: soup', stream: 'Title contains: live' },
    ],
    [
      'an expression',
      { title_pattern: '^Rye' },
      ['long'],
      {
        short: 'Title does not match: ^Rye',
        stream: 'Title does not match: ^Rye',
        unknown: 'Title does not match: ^Rye',
        members: 'Title does not match: ^Rye',
        announced: 'Title does not match: ^Rye',
        running: 'Title does not match: ^Rye',
        removed: 'Title does not match: ^Rye',
      },
    ],
    [
      'a shortest length',
      { min_seconds: 300 },
      ['long', 'stream'],
      { short: 'Shorter than 5 minutes', unknown: 'Length unknown' },
    ],
    [
      'a greatest length',
      { max_seconds: 1200 },
      ['long', 'short'],
      { stream: 'Longer than 20 minutes', unknown: 'Length unknown' },
    ],
    [
      'no recordings of streams',
      { live: 'none' },
      ['long', 'short'],
      { stream: 'Recording of a live stream', unknown: 'Unknown whether it was live' },
    ],
    [
      'only recordings of streams',
      { live: 'only' },
      ['stream'],
      {
        long: 'Not a recording of a live stream',
        short: 'Not a recording of a live stream',
        unknown: 'Unknown whether it was live',
      },
    ],
    [
      'two a day',
      { most_per_day: 2 },
      ['long', 'short'],
      { stream: 'Next day (UTC): at most 2 per day', unknown: 'Next day (UTC): at most 2 per day' },
    ],
    [
      'the newest two',
      { keep_newest: 2 },
      ['long', 'short'],
      { stream: 'Only the newest 2 are kept', unknown: 'Only the newest 2 are kept' },
    ],
  ])('a rule with %s does what its preview said', async (_, changes, expected, reasons) => {
    const { previewed, requested, reasons: given } = await previewAndSave({ also_days: 3650, ...changes })
    expect(previewed).toEqual(expected)
    expect(requested).toEqual(expected)
    expect(given).toEqual({ ...closed, ...reasons })
  })

  it('a rule that skips Shorts does what its preview said', async () => {
    await has({ fold: { days_ago: 1, video_url: 'https://www.youtube.com/shorts/abc123DEF45' } })
    const { previewed, requested, reasons } = await previewAndSave({ also_days: 3650, skip_shorts: true })
    expect(requested).toEqual(previewed)
    expect(previewed).toEqual(['long', 'short', 'stream', 'unknown'])
    expect(reasons.fold).toBe('Short')
  })
})

describe('which videos a rule is for', () => {
  beforeEach(() =>
    has({
      recent: { days_ago: 2 },
      old: { days_ago: 40 },
      listed: { days_ago: 3, source: 'listing' },
      'old listed': { days_ago: 900, source: 'listing' },
    }),
  )

  it.each<[string, Partial<Rule>, string[]]>([
    ['of a rule without them', {}, []],
    ['of the last days', { also_days: 7 }, ['recent']],
    ['of a rule that includes older ones', { include_older: true }, ['recent', 'listed', 'old', 'old listed']],
    ['of the last days, with older ones', { also_days: 7, include_older: true }, ['recent', 'listed']],
  ])('videos that were there before are requested as the preview said: %s', async (_, changes, expected) => {
    const { previewed, requested, reasons } = await previewAndSave(changes)
    expect(previewed).toEqual(expected)
    expect(requested).toEqual(expected)
    expect(new Set(Object.values(reasons))).toEqual(new Set(expected.length === 4 ? [] : ['Older than the rule']))
  })

  it('older videos that are listed later are requested by housekeeping only when the rule includes them', async () => {
    await changeRule(alice.library, channel_id, on())
    await has({ first: { days_ago: 500, source: 'listing' } })
    await keepHouse()
    expect(await queued()).toEqual([])

    await changeRule(alice.library, channel_id, on({ include_older: true, title_words: ['later'] }))
    await has({
      'not this': { days_ago: 501, source: 'listing' },
      second: { days_ago: 502, source: 'listing', title: 'Later' },
    })
    await keepHouse()
    expect(await queued()).toEqual(['second'])
  })

  it('a backlog of the last days is taken once: a change of the files to keep does not count the days anew', async () => {
    await changeRule(alice.library, channel_id, on({ also_days: 7 }))
    await sql`update channel_rules set also_since = now() - interval '1 day'`
    await sql`update video_entries set download_asked_by = null, download_requested_at = null`
    await sql`truncate graphile_worker._private_jobs`
    expect((await previewAndSave({ also_days: 7, keep_days: 9 })).requested).toEqual([])
    expect((await previewAndSave({ also_days: 7, title_words: ['video'] })).requested).toEqual(['recent'])
  })

  it('a backlog of more videos than one judgement reads is requested completely, and older ones after newer ones', async () => {
    await has(
      Object.fromEntries(Array.from({ length: 1300 }, (_, n) => [`v${n}`, { days_ago: 100 + n, source: 'listing' }])),
    )
    const preview = await previewRule(alice.library, channel_id, on({ include_older: true }))
    expect([preview.would_download.length, preview.has_more]).toEqual([200, true])

    await changeRule(alice.library, channel_id, on({ include_older: true }))
    expect((await queued()).length).toBe(1000)
    await keepHouse()
    expect((await queued()).length).toBe(1304)
    expect((await queued()).slice(0, 5)).toEqual(['recent', 'listed', 'old', 'v0', 'v1'])
    expect(await sql`select judge_from, apply_at from channel_rules`).toEqual([{ judge_from: null, apply_at: null }])
  })
})

describe('videos that are decided later', () => {
  const facts = async (
    video_id: string,
    changes: { duration_seconds?: number; availability?: string; live_status?: string },
  ) => {
    await sql`update video_entries set ${sql(changes)} where user_id = ${alice.user.user_id} and video_id = ${video_id}`
  }
  const later = (video_id: string, more: Partial<Given> = {}) => ({ [video_id]: { days_ago: -1, ...more } })
  beforeEach(() => has({}))

  it('a video of unknown length waits, and is requested when its length is known and fits', async () => {
    await changeRule(alice.library, channel_id, on({ min_seconds: 300 }))
    await has({ ...later('fits'), ...later('too short') })
    expect(await applyRule(alice.library, channel_id)).toEqual([])

    await facts('fits', { duration_seconds: 600 })
    await facts('too short', { duration_seconds: 60 })
    expect(await applyRule(alice.library, channel_id)).toEqual(['fits'])
  })

  it('a video for members only is requested once it opens, whatever its age and however many are newer', async () => {
    await changeRule(alice.library, channel_id, on({ title_words: ['bread'] }))
    await has(later('members first', { title: 'Bread', availability: 'members_only' }))
    await has(Object.fromEntries(Array.from({ length: 700 }, (_, n) => [`v${n}`, { days_ago: -1 }])))
    await sql`update video_entries set first_seen_at = first_seen_at + interval '1 minute' where video_id <> 'members first'`
    expect(await applyRule(alice.library, channel_id)).toEqual([])

    await facts('members first', { availability: 'public' })
    await keepHouse()
    expect(await queued()).toEqual(['members first'])
  })

  it('an announced stream is requested once it has ended', async () => {
    await changeRule(alice.library, channel_id, on({ live: 'only' }))
    await has(later('stream', { live_status: 'upcoming' }))
    await facts('stream', { live_status: 'live' })
    await keepHouse()
    expect(await queued()).toEqual([])
    await facts('stream', { live_status: 'was_live' })
    await keepHouse()
    expect(await queued()).toEqual(['stream'])
  })

  it('a rule of two a day requests the rest on the next day, the newest first, and two judgements at once no more', async () => {
    await changeRule(alice.library, channel_id, on({ most_per_day: 2 }))
    const nth = (n: number) => ({ [`v${n}`]: { days_ago: 0, published_at: new Date(Date.now() + n) } })
    await sql`update channels set created_at = now() - interval '1 hour'`
    await has(
      Object.assign(
        {},
        ...[1, 2, 3, 4].map(n => ({
          [`v${n}`]: { days_ago: 0, published_at: new Date(Date.now() - 60_000 + n * 1000) },
        })),
      ),
    )
    await Promise.all([1, 2, 3].map(() => applyRule(alice.library, channel_id)))
    expect(await queued()).toEqual(['v4', 'v3'])
    await keepHouse()
    expect(await queued()).toEqual(['v4', 'v3'])

    await sql`update channel_rules set requested_on = requested_on - 1, apply_at = now()`
    await has(nth(5))
    await keepHouse()
    expect(await queued()).toEqual(['v4', 'v3', 'v5', 'v2'])
    await sql`update channel_rules set requested_on = requested_on - 1, apply_at = now()`
    await keepHouse()
    expect(await queued()).toEqual(['v4', 'v3', 'v5', 'v2', 'v1'])
  })

  it('a rule that fails is tried again in an hour, and does not delay others', async () => {
    await changeRule(alice.library, channel_id, on())
    await has(later('v1'))
    const refused = `check (download_asked_by is null) not valid`
    await sql.unsafe(`alter table video_entries add constraint refused ${refused}`)
    try {
      await applyDueRules({ sql, log: silent })
    } finally {
      await sql`alter table video_entries drop constraint refused`
    }
    expect(await sql`select apply_at > now() + interval '50 minutes' as later from channel_rules`).toEqual([
      { later: true },
    ])
  })
})

describe('files that a rule deletes', () => {
  const watched = (video_id: string, days: number) => sql`
    insert into viewings (user_id, video_id, seen_at) values (${alice.user.user_id}, ${video_id}, now() - ${days} * interval '1 day')
    on conflict on constraint viewings_pkey do update set seen_at = excluded.seen_at`
  beforeEach(async () => {
    await has(Object.fromEntries([1, 2, 3, 4].map(n => [`v${n}`, { days_ago: n }])))
    await changeRule(alice.library, channel_id, on({ include_older: true }))
    for (const id of await queued()) await finish(id)
    for (const id of ['v2', 'v3', 'v4']) await watched(id, 10)
  })

  /** Previews and saves the rule, keeps house, and returns what the preview said and what is left. */
  async function deleteBy(changes: Partial<Rule>) {
    const wanted = on({ include_older: true, ...changes })
    const preview = await previewRule(alice.library, channel_id, wanted)
    await changeRule(alice.library, channel_id, wanted)
    await keepHouse()
    return {
      previewed: preview.would_delete.map(({ video_id }) => video_id),
      count: preview.delete_count,
      left: await onDiskOf(alice, sql),
    }
  }

  it.each<[string, Partial<Rule>, string[]]>([
    ['watched a week ago', { delete_watched_days: 7 }, ['v2', 'v3', 'v4']],
    ['watched a fortnight ago', { delete_watched_days: 14 }, []],
    ['watched a week ago, but the newest one stays', { delete_watched_days: 7, keep_newest_watched: 1 }, ['v3', 'v4']],
    ['beyond the newest three', { keep_newest: 3 }, ['v4']],
    ['watched, or beyond the newest three', { keep_newest: 3, delete_watched_days: 7, keep_newest_watched: 2 }, ['v4']],
  ])('files are deleted as the preview said: %s', async (_, changes, expected) => {
    const { previewed, count, left } = await deleteBy(changes)
    expect(previewed).toEqual(expected)
    expect(count).toBe(expected.length)
    expect(left).toEqual(['v1', 'v2', 'v3', 'v4'].filter(id => !expected.includes(id)))
  })

  it('files are deleted as the preview said: older than three days', async () => {
    await sql`update video_entries set download_completed_at = now() - interval '4 days' where video_id = 'v3'`
    expect(await deleteBy({ keep_days: 3 })).toEqual({ previewed: ['v3'], count: 1, left: ['v1', 'v2', 'v4'] })
  })

  it('a file that is watched again, unwatched, pinned or requested by a person stays', async () => {
    await watched('v1', 10)
    await alice.library.viewings.record('v1', { position_seconds: 5 })
    await alice.library.viewings.record('v2', { seen: false })
    await alice.library.rules.pin('v3', true)
    await alice.library.downloads.request(['v4'])
    expect(await deleteBy({ delete_watched_days: 7 })).toEqual({
      previewed: [],
      count: 0,
      left: ['v1', 'v2', 'v3', 'v4'],
    })
  })

  it('a file that is unwatched or played between the query and its deletion stays', async () => {
    const only = { only_kept_by_rule: true, only_watched: true }
    await alice.library.viewings.record('v2', { seen: false })
    await alice.library.viewings.record('v3', { position_seconds: 5 })
    for (const id of ['v1', 'v2', 'v3', 'v4']) await alice.library.downloads.deleteFile(id, files.remove, only)
    expect(await onDiskOf(alice, sql)).toEqual(['v1', 'v2', 'v3'])
  })

  it('a rule that deletes watched videos does not download older ones that were watched before', async () => {
    await has({ seen: { days_ago: 5 }, unseen: { days_ago: 6 } })
    await watched('seen', 10)
    const { previewed, requested, reasons } = await previewAndSave({ include_older: true, delete_watched_days: 7 })
    expect(previewed).toEqual(['unseen'])
    expect(requested).toEqual(['unseen'])
    expect(reasons.seen).toBe('Watched already')
  })

  it('a watched file stays while the rule of another channel keeps it', async () => {
    await follows(alice, 'other', ['v4'])
    await changeRule(alice.library, 'other', on())
    expect(await deleteBy({ delete_watched_days: 7 })).toMatchObject({ previewed: ['v2', 'v3'], left: ['v1', 'v4'] })
  })
})

describe('rules for several channels', () => {
  it('one rule for chosen channels changes these alone, and only one’s own', async () => {
    const bob = await person(sql, 'bob')
    for (const id of ['a', 'b', 'c']) await follows(alice, id, [])
    await follows(bob, 'a', [])
    expect(await changeRules(alice.library, { channel_ids: ['a', 'c', 'unknown'] }, on({ keep_newest: 3 }))).toBe(2)
    expect(await getRule(alice.library, 'a')).toMatchObject({ auto_download: true, keep_newest: 3 })
    expect(await getRule(alice.library, 'b')).toMatchObject({ auto_download: false, keep_newest: null })
    expect(await getRule(bob.library, 'a')).toMatchObject({ auto_download: false })
  })

  it('one rule for all channels is applied to older videos by housekeeping', async () => {
    await has({ recent: { days_ago: 1 } })
    await follows(alice, 'other', ['o1'])
    expect(await changeRules(alice.library, { all: true }, on({ also_days: 7 }))).toBe(2)
    expect(await queued()).toEqual([])
    await keepHouse()
    expect(await queued()).toEqual(['recent'])
  })

  it('a channel that is followed gets the default rule, however it is followed, and its backlog at once', async () => {
    const now = new Date()
    await changeDefaultRule(alice.library, on({ also_days: 3, title_words: ['video'] }))
    const feed = { channel_id: 'new', title: 'New', skipped: 0 }
    const entries = [entry('recent', { published_at: now }), entry('old')]
    await saveFeed(alice.library, { rss_url: 'https://videos.example/new.xml', feed: { ...feed, entries } })
    expect(await getRule(alice.library, 'new')).toMatchObject({
      auto_download: true,
      also_days: 3,
      title_words: ['video'],
    })
    expect(await queued()).toEqual(['recent'])

    await changeRule(alice.library, 'new', RuleRequest.parse({ auto_download: false }))
    await saveFeed(alice.library, { rss_url: 'https://videos.example/new.xml', feed: { ...feed, entries } })
    expect(await getRule(alice.library, 'new')).toMatchObject({ auto_download: false })
  })

  it('a default rule that is off, or of another person, changes nothing', async () => {
    const bob = await person(sql, 'bob')
    await changeDefaultRule(bob.library, on())
    await changeDefaultRule(alice.library, RuleRequest.parse({ auto_download: false, keep_days: 3 }))
    await follows(alice, 'a', [])
    expect(await getRule(alice.library, 'a')).toMatchObject({ auto_download: false, keep_days: null })
  })
})

describe('a playlist that a rule fills', () => {
  const create = async (name = 'Bread', { library } = alice) => (await library.playlists.create(name)).playlist_id
  const idsIn = (playlist_id: string) => alice.library.playlists.videoIds(playlist_id)
  const save = (videos: Record<string, Given>) => has(videos).then(() => applyRule(alice.library, channel_id))

  it('gets what the rule requests at its end, the oldest first, and nothing that a person requests', async () => {
    await has({ own: { days_ago: 9 }, unfit: { days_ago: 2, title: 'Soup' }, v1: { days_ago: 3 }, v2: { days_ago: 1 } })
    await alice.library.downloads.request(['own'])
    const playlist_id = await create()
    await alice.library.playlists.addVideos(playlist_id, ['own', 'unfit'])
    await changeRule(alice.library, channel_id, on({ include_older: true, without_words: ['soup'], playlist_id }))
    expect(await idsIn(playlist_id)).toEqual(['own', 'unfit', 'v1', 'v2'])
    await save({ v3: { days_ago: -1 } })
    expect(await idsIn(playlist_id)).toEqual(['own', 'unfit', 'v1', 'v2', 'v3'])
  })

  it('has a video once, and not again after a person removed it', async () => {
    await has({ v1: { days_ago: 1 }, v2: { days_ago: 2 } })
    const playlist_id = await create()
    await alice.library.playlists.addVideos(playlist_id, ['v1'])
    await changeRule(alice.library, channel_id, on({ include_older: true, playlist_id }))
    expect(await idsIn(playlist_id)).toEqual(['v1', 'v2'])

    await alice.library.playlists.takeOut(playlist_id, ['v2'])
    await alice.library.downloads.cancel('v2')
    await changeRule(alice.library, channel_id, on({ include_older: true, min_seconds: 1, playlist_id }))
    await changeRule(alice.library, channel_id, on({ include_older: true, playlist_id }))
    await save({ v2: { days_ago: 2, title: 'Another title' } })
    await keepHouse()
    expect(await idsIn(playlist_id)).toEqual(['v1'])
  })

  it('counts as none once it is deleted, for the default rule too, and returns with an undo', async () => {
    const playlist_id = await create()
    await has({ v1: { days_ago: 9 } })
    await changeRule(alice.library, channel_id, on({ playlist_id }))
    await changeDefaultRule(alice.library, on({ playlist_id }))
    await follows(alice, 'other', [])
    const named = async () => [
      (await getRule(alice.library, channel_id)).playlist_id,
      (await getRule(alice.library, 'other')).playlist_id,
      (await getDefaultRule(alice.library)).playlist_id,
    ]
    expect(await named()).toEqual([playlist_id, playlist_id, playlist_id])

    await alice.library.playlists.remove(playlist_id)
    await save({ v2: { days_ago: -1 } })
    expect([await named(), await queued()]).toEqual([[null, null, null], ['v2']])

    await alice.library.playlists.restore(playlist_id)
    await save({ v3: { days_ago: -2 } })
    expect([await named(), await idsIn(playlist_id)]).toEqual([[playlist_id, playlist_id, playlist_id], ['v3']])
  })

  it('does not change which videos the rule is for', async () => {
    await has({ v1: { days_ago: 9 } })
    await changeRule(alice.library, channel_id, on())
    const before = await getRule(alice.library, channel_id)
    const playlist_id = await create()
    expect(await changeRule(alice.library, channel_id, on({ playlist_id }))).toEqual({ ...before, playlist_id })
  })

  it('must be a playlist of the person', async () => {
    await has({ v1: { days_ago: 9 } })
    const playlist_id = await create('Bread', await person(sql, 'bob'))
    const refusal = { code: 'invalid', fields: { playlist_id: expect.stringContaining('no such playlist') } }
    await expect(changeRule(alice.library, channel_id, on({ playlist_id }))).rejects.toMatchObject(refusal)
    await expect(changeRules(alice.library, { all: true }, on({ playlist_id }))).rejects.toMatchObject(refusal)
    await expect(changeDefaultRule(alice.library, on({ playlist_id }))).rejects.toMatchObject(refusal)
    // A race with a deletion saves it all the same.
    await alice.library.rules.save(channel_id, on({ playlist_id }))
    expect(await sql`select playlist_id from channel_rules`).toEqual([{ playlist_id: null }])
  })

  it('gets no more videos than a playlist may have, and the rule still requests them', async () => {
    const playlist_id = await create()
    await sql`
      insert into playlist_videos (user_id, playlist_id, video_id, place)
      select ${alice.user.user_id}, ${playlist_id}, 'other' || n, n from generate_series(1, ${max_playlist_videos - 1}) n`
    await has({ v1: { days_ago: 1 }, v2: { days_ago: 2 } })
    await changeRule(alice.library, channel_id, on({ include_older: true, playlist_id }))
    expect([await idsIn(playlist_id), (await queued()).toSorted()]).toEqual([['v2'], ['v1', 'v2']])
  })

  it('is filled while a person changes it at the same moment', async () => {
    const videos = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`v${n}`, { days_ago: n + 1 }]))
    await has(videos)
    const playlist_id = await create()
    const both = Object.keys(videos).toReversed()
    await Promise.all([
      changeRule(alice.library, channel_id, on({ include_older: true, playlist_id })),
      ...both.map(video_id => alice.library.playlists.addVideos(playlist_id, [video_id])),
    ])
    expect((await idsIn(playlist_id)).toSorted()).toEqual(both.toSorted())
  })
})

it('a save of a channel with 20,000 listed videos reads none of them for its rule', async () => {
  await has({ v1: { days_ago: 1 } })
  await changeRule(alice.library, channel_id, on({ title_words: ['bread'] }))
  await sql`
    insert into video_entries (user_id, channel_id, video_id, video_url, title, source, published_at)
    select ${alice.user.user_id}, ${channel_id}, 'old' || n, 'https://videos.example/' || n, 'Old', 'listing', now() - n * interval '1 hour'
    from   generate_series(100, 20100) n`
  await keepHouse()
  await has({ v2: { days_ago: -1, title: 'Bread' } })
  const to_judge = await alice.library.rules.toJudge(channel_id)
  expect(to_judge?.videos.map(({ video_id }) => video_id)).toEqual(['v2'])
})
