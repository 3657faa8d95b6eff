/** A claim about what is kept of each channel: its unwatched videos, its newest video and its name are what counting finds. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { mergeVideos } from '../../src/db/imports/archive-videos.ts'
import { keepSummaries } from '../../src/db/rows/channel-summaries.ts'
import { mergeViewings } from '../../src/db/watching/merged-viewings.ts'
import { DomainError } from '../../src/errors.ts'
import { ArchiveVideo, ArchiveViewing } from '../../src/schema/imports/archive.ts'
import { useDatabase } from '../support/app/database.ts'
import { entry, type Person, person } from '../support/app/people.ts'
import { claim, fewest_runs } from './claims.ts'

const { sql } = useDatabase({ connections: 6 })

const bin = { hours: 24, quota_bytes: 0 }
const at = new Date('2026-01-01T00:00:00Z')
const date = (day: number) => new Date(at.getTime() + day * 86_400_000)
const channelOf = (channel_id: string) => ({
  channel_id,
  title: `Channel ${channel_id}`,
  rss_url: `https://videos.example/${channel_id}`,
})

type Given = { channel_id: string; video_id: string; video_ids: string[]; day: number; is_on: boolean }
type Act = (who: Person, given: Given) => Promise<unknown>

const acts: Record<string, Act> = {
  save: ({ library }, { channel_id, video_ids, day }) =>
    library.channels.save(
      { ...channelOf(channel_id), title: `Channel ${day}` },
      video_ids.map((id, nth) => entry(id, { title: `Edition ${day}`, published_at: date(day + nth) })),
    ),
  'load older videos': async ({ user: { user_id }, library }, { channel_id, video_ids, day }) => {
    await library.channels.save(channelOf(channel_id), [])
    const videos = video_ids.map(video_id =>
      ArchiveVideo.parse({
        channel_id,
        video_id,
        video_url: `https://videos.example/${video_id}`,
        title: 'Older',
        source: 'listing',
        published_at: date(day).toISOString(),
        first_seen_at: date(day).toISOString(),
      }),
    )
    await sql.begin(tx => mergeVideos(tx, user_id, videos))
  },
  'import marks': ({ user: { user_id } }, { video_ids, is_on }) => {
    const mark = is_on ? 'seen_at' : 'not_for_me_at'
    const viewings = video_ids.map(video_id => ArchiveViewing.parse({ video_id, [mark]: at.toISOString() }))
    return sql.begin(tx => mergeViewings(tx, user_id, viewings, 100))
  },
  play: ({ library }, { video_id, day }) => library.viewings.record(video_id, { position_seconds: day }),
  watch: ({ library }, { video_id, is_on }) => library.viewings.record(video_id, { seen: is_on }),
  dismiss: ({ library }, { video_id, is_on }) => library.viewings.record(video_id, { not_for_me: is_on }),
  'watch later': ({ library }, { video_id, is_on }) => library.viewings.record(video_id, { later: is_on }),
  'mark some': ({ library }, { video_ids }) => library.viewings.markSome('seen_at', video_ids, at),
  'unmark some': ({ library }, { video_ids }) => library.viewings.unmarkSome('seen_at', video_ids),
  'mark all': ({ library }, { channel_id, is_on }) =>
    library.viewings.markAll({ until: date(36_500), channel_ids: is_on ? [channel_id] : undefined }, at),
  'take marks back': ({ library }) => library.viewings.unmarkAll(at),
  'add by address': ({ library }, { video_id }) => library.added.mark(video_id),
  forget: ({ library }, { video_id, is_on }) => library.added.forget(video_id, is_on),
  unfollow: ({ library }, { channel_id, is_on }) => library.channels.remove(channel_id, is_on),
  restore: ({ library }, { channel_id }) => library.bin.restoreChannel(channel_id, bin),
  'find another date': ({ user: { user_id } }, { channel_id, video_id, day }) => sql`
    update video_entries
    set    published_at = ${date(day)}
    where  user_id = ${user_id} and channel_id = ${channel_id} and video_id = ${video_id}`,
}

const channel_id = fc.constantFrom('a', 'b', 'c')
const video_id = fc.constantFrom('v1', 'v2', 'v3', 'v4', 'v5', 'v6')
const given = fc.record({
  channel_id,
  video_id,
  day: fc.nat(100),
  is_on: fc.boolean(),
  video_ids: fc.uniqueArray(video_id, { minLength: 1 }),
})
const act = fc.record({ kind: fc.constantFrom(...Object.keys(acts)), given })

/** Acts at the same moment. None of them may end because others wait for each other. */
const together = (who: Person, some: { kind: string; given: Given }[]) =>
  Promise.all(
    some.map(({ kind, given }) =>
      acts[kind]?.(who, given).catch((fault: unknown) => {
        if (!(fault instanceof DomainError)) throw fault
      }),
    ),
  )

const kept = async ({ user: { user_id } }: Person) => {
  await keepSummaries(sql, user_id)
  return sql`
  select   channel_id, sort_name, unwatched, newest_at, newest_title
  from     channel_summaries
  where    user_id = ${user_id}
  order by channel_id`
}

const counted = ({ user: { user_id } }: Person) => sql`
  select   channel_id, sort_name(title) as sort_name, unwatched, newest_at, newest_title
  from     channels channel
  cross join lateral (
    select count(*) filter (where source <> 'listing' and viewing.video_id is null)::int as unwatched, max(sort_at) as newest_at,
           (array_agg(title order by sort_at desc, id desc))[1]                           as newest_title
    from   video_entries entry
    left join (select video_id
               from   viewings
               where  user_id = ${user_id} and (seen_at is not null or not_for_me_at is not null)) viewing using (video_id)
    where  entry.user_id = ${user_id} and entry.channel_id = channel.channel_id) counted
  where    user_id = ${user_id}
  order by channel_id`

claim(
  'what is kept of each channel is what counting finds, after any acts of several connections',
  fc.asyncProperty(fc.array(fc.array(act, { minLength: 1, maxLength: 6 }), { maxLength: 12 }), async rounds => {
    const alice = await person(sql, 'alice')
    for (const round of rounds) {
      await together(alice, round)
      expect([...(await kept(alice))]).toEqual([...(await counted(alice))])
    }
  }),
  fewest_runs,
)
