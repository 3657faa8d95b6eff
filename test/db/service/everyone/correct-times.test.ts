/** Times that a clock which was ahead has left, and every comparison of a stored time with the time of now. */
import { describe, expect, it } from 'vitest'
import { blockedFlags } from '../../../../src/db/downloads/everyone/hosts.ts'
import { everyoneIn } from '../../../../src/db/everyone.ts'
import { peopleWithSpaceToCheck } from '../../../../src/db/notifications/everyone/due.ts'
import { beats, correctTimes, marks, plans } from '../../../../src/db/service/everyone/correct-times.ts'
import { figuresIn } from '../../../../src/db/service/everyone/figures.ts'
import { forgottenDownloads } from '../../../../src/db/service/everyone/operations.ts'
import { sourcesIn } from '../../../nets/source.ts'
import { useDatabase } from '../../../support/app/database.ts'
import { follows, person } from '../../../support/app/people.ts'

const { sql } = useDatabase()

/** What people did, and what ends by its age. Such times are never changed. */
const facts = [
  'api_tokens.created_at',
  'api_tokens.expires_at',
  'api_tokens.last_used_at',
  'backfills.finished_at',
  'backfills.started_at',
  'channel_rules.judge_from',
  'channel_rules.judge_to',
  'channel_summaries.newest_at',
  'channels.created_at',
  'channels.first_checked_at',
  'deleted_channels.deleted_at',
  'deleted_files.deleted_at',
  'download_pauses.paused_at',
  'graphile_worker._private_jobs.created_at',
  'graphile_worker._private_jobs.updated_at',
  'graphile_worker._private_known_crontabs.known_since',
  'graphile_worker._private_known_crontabs.last_execution',
  'graphile_worker.migrations.ts',
  'groups.created_at',
  'groups.deleted_at',
  'identities.created_at',
  'identities.last_used_at',
  'imports.finished_at',
  'invitations.created_at',
  'invitations.expires_at',
  'admin_acts.at',
  'links.created_at',
  'links.expires_at',
  'links.last_used_at',
  'media_servers.created_at',
  'notification_targets.created_at',
  'notification_targets.delivered_at',
  'passkeys.created_at',
  'passkeys.last_used_at',
  'password_resets.expires_at',
  'playlist_videos.added_at',
  'playlist_videos.removed_at',
  'playlists.created_at',
  'playlists.deleted_at',
  'podcast_feeds.created_at',
  'saved_searches.created_at',
  'saved_searches.deleted_at',
  'secrets.created_at',
  'secrets.expires_at',
  'secrets.last_used_at',
  'sessions.created_at',
  'sessions.expires_at',
  'sessions.used_at',
  'sign_in_attempts.expires_at',
  'site_cookies.stored_at',
  'site_cookies.worked_at',
  'sounds.completed_at',
  'sounds.created_at',
  'users.created_at',
  'users.last_seen_at',
  'users.locked_at',
  'video_entries.download_cancelled_at',
  'video_entries.download_completed_at',
  'video_entries.download_paused_at',
  'video_entries.download_requested_at',
  'video_entries.download_started_at',
  'video_entries.first_seen_at',
  'video_entries.published_at',
  'video_entries.sort_at',
  'viewings.dismissed_at',
  'viewings.forgotten_at',
  'viewings.imported_at',
  'viewings.later_at',
  'viewings.not_for_me_at',
  'viewings.seen_at',
  'viewings.watched_at',
  'web_push_keys.created_at',
]

it('each time in the database is a plan, a beat, a mark or a fact', async () => {
  const found = await sql<{ column: string }[]>`
    select   case table_schema when 'public' then '' else table_schema || '.' end || table_name || '.' || column_name as column
    from     information_schema.columns
    join     information_schema.tables using (table_schema, table_name)
    where    table_schema in ('public', 'graphile_worker') and data_type = 'timestamp with time zone'
    and      table_type = 'BASE TABLE'`
  expect(found.map(({ column }) => column).toSorted()).toEqual([...plans, ...beats, ...marks, ...facts].toSorted())
})

/** Why a time from the future holds up nothing in these comparisons. */
const harmless: Record<string, string[]> = {
  'The column is one of those that are corrected.': [
    'at is to come: service/everyone/correct-times.ts',
    'locked_at is recent: service/everyone/operations.ts',
    'looked_at is old: queue/host-checks.ts',
    'looked_at is old: queue/host-pauses.ts',
    'looked_at is old: videos/everyone/look-plans.ts',
    'looked_at is recent: channels/everyone/feeds.ts',
    'seen_at is recent: media/everyone/media.ts',
    'seen_at is recent: media/media-paths.ts',
    'started_at is old: service/everyone/operations.ts',
    'started_at is old: videos/everyone/due-pictures.ts',
    'started_at is recent: account/limits.ts',
    'stored_at is old: queue/picture-plans.ts',
    'updated_at is old: channels/everyone/feed-plans.ts',
    'used_at is old: queue/picture-plans.ts',
  ],
  'A row, a file or a right to sign in is kept for longer.': [
    'created_at is old: account/everyone/old-secrets.ts',
    'created_at is old: imports/imports.ts',
    'created_at is old: notifications/everyone/due.ts',
    'deleted_at is old: bin/everyone/bin.ts',
    'deleted_at is recent: bin/bin-channels.ts',
    'deleted_at is recent: bin/bin-files.ts',
    'deleted_at is recent: bin/bin-restore.ts',
    'deleted_at is recent: bin/bin.ts',
    'deleted_at is recent: rows/named-things.ts',
    'download_completed_at is old: downloads/retention.ts',
    'expires_at is past: account/everyone/old-secrets.ts',
    'expires_at is to come: account/own-secrets.ts',
    'expires_at is to come: account/secrets.ts',
    'expires_at is to come: admin/invitations-and-resets.ts',
    'expires_at is to come: admin/people.ts',
    'last_watched is old: downloads/space.ts',
    'last_watched_at is old: downloads/retention.ts',
    'removed_at is old: watching/playlist-members.ts',
    'seen_at is old: downloads/downloads.ts',
    'watched_at is recent: downloads/retention.ts',
  ],
  'A feed that has moved is followed at its former address for longer.': [
    'first_seen_at is old: channels/everyone/feeds.ts',
  ],
  'A message is tried for longer.': ['created_at is old: notifications/messages.ts'],
  'The time is shown or counted only.': [
    'expires_at is to come: service/everyone/figures.ts',
    'last_seen_at is old: account/identities.ts',
    'last_used_at is old: account/identities.ts',
    'last_used_at is recent: service/everyone/figures.ts',
    'used_at is recent: service/everyone/figures.ts',
  ],
  'The time is that of a video, as its site says it.': [
    'date is past: queue/known-feeds.ts',
    'published_at is past: channels/channels.ts',
    'published_at is past: saving/columns.ts',
    'published_at is to come: saving/columns.ts',
  ],
  'Times from the future are left out.': ['download_started_at is past: downloads/everyone/hosts.ts'],
}

type Comparison = { path: string; column: string; kind: string }

async function comparisons(): Promise<Comparison[]> {
  return (await sourcesIn('src/db', 'jobs')).flatMap(({ path, text }) =>
    [...text.matchAll(/\b(\w+)(?:, '[^']*')?['")}\]]* *(<=?|>=?) *now\(\)( -)?/g)].map(
      ([, column = '', sign = '', past]) => ({
        path: path.replace('src/db/', ''),
        column,
        kind: kindOf(sign.startsWith('>'), past !== undefined),
      }),
    ),
  )
}

function kindOf(is_later: boolean, is_from_now: boolean): string {
  if (is_from_now) return is_later ? 'is recent' : 'is old'
  return is_later ? 'is to come' : 'is past'
}

it('every comparison of a stored time with the time of now is of a time that is corrected, or is harmless', async () => {
  const nameOf = (column: string) => column.replace(/.*\./, '')
  const corrected = new Set([...plans, ...beats].map(nameOf))
  for (const other of [...marks, ...facts]) corrected.delete(nameOf(other))
  const found = await comparisons()
  expect(found.length).toBeGreaterThan(100)
  const rest = found
    .filter(({ column }) => !corrected.has(column))
    .map(({ path, column, kind }) => `${column} ${kind}: ${path}`)
  expect([...new Set(rest)].toSorted()).toEqual(Object.values(harmless).flat().toSorted())
})

const inDays = (days: number) => new Date(Date.now() + days * 24 * 3_600_000)

describe('after the clock was ahead by a day', () => {
  it('what was planned is moved back, what happened is not later than now, and what people did is unchanged', async () => {
    const alice = await person(sql, 'alice')
    await follows(alice, 'kitchen', ['v1'])
    await alice.library.downloads.request(['v1'])
    await alice.library.downloads.start('v1', crypto.randomUUID())
    await sql`
      update channels
      set    next_fetch_at = ${inDays(1.02)}, refresh_asked_at = ${inDays(1)}, created_at = ${inDays(1)}`
    await sql`
      update video_entries
      set    download_heartbeat_at = ${inDays(1)}, download_next_attempt_at = ${inDays(0.5)}, first_seen_at = ${inDays(1)}`
    await sql`update graphile_worker._private_jobs set run_at = ${inDays(1.02)}, locked_at = ${inDays(1)}`

    const { ahead_s } = await correctTimes(sql, new Date())
    expect(ahead_s / 86_400).toBeCloseTo(1, 2)
    const [channel] = await sql`
      select next_fetch_at between now() + interval '25 minutes' and now() + interval '30 minutes' as is_soon,
             refresh_asked_at <= now() as was_asked, created_at > now() + interval '23 hours' as is_kept
      from   channels`
    const [entry] = await sql`
      select download_heartbeat_at <= now() as was_heard, download_next_attempt_at <= now() as is_due,
             first_seen_at > now() + interval '23 hours' as is_kept
      from   video_entries`
    const [job] = await sql`
      select run_at between now() and now() + interval '30 minutes' as is_soon, locked_at <= now() as was_locked
      from   graphile_worker._private_jobs`
    expect(channel).toEqual({ is_soon: true, was_asked: true, is_kept: true })
    expect(entry).toEqual({ was_heard: true, is_due: true, is_kept: true })
    expect(job).toEqual({ is_soon: true, was_locked: true })
    expect(await correctTimes(sql, new Date())).toMatchObject({ ahead_s: 0 })
  })

  it('the crontab alone shows that the clock was ahead', async () => {
    // A worker stopped in order, and only the crontab remembers the time.
    await sql`
      insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
      values ('housekeeping', now(), ${inDays(365)})`
    const { ahead_s } = await correctTimes(sql, new Date())
    expect(Math.round(ahead_s / 86_400)).toBe(365)
    const [crontab] = await sql`select last_execution <= now() as is_past from graphile_worker._private_known_crontabs`
    expect(crontab).toEqual({ is_past: true })
    expect(await correctTimes(sql, inDays(7))).toMatchObject({ ahead_s: 0, gap_s: expect.closeTo(7 * 86_400, -2) })
  })
})

describe('a time from the future of what people did', () => {
  it('neither blocks a host, nor hides a download that lost its job, nor counts as of now', async () => {
    const alice = await person(sql, 'alice')
    await follows(alice, 'kitchen', ['done', 'waiting'])
    await alice.library.downloads.request(['done', 'waiting'])
    await sql`delete from graphile_worker._private_jobs`
    await sql`update video_entries set download_started_at = now() - interval '2 hours'`
    await sql`
      update video_entries
      set    download_status = 'COMPLETED', download_path = 'a.mp4', file_size = 1, download_started_at = ${inDays(1)},
             download_completed_at = ${inDays(1)}
      where  video_id = 'done'`
    await sql`update video_entries set download_requested_at = ${inDays(1)} where video_id = 'waiting'`
    const everyone = everyoneIn(sql)
    const limits = { host_concurrency: 9, host_pause_seconds: 3600, isOurs: () => false }

    expect(await blockedFlags(everyone, limits)).toEqual([])
    expect((await forgottenDownloads(everyone, 15)).map(({ video_id }) => video_id)).toEqual(['waiting'])
    expect(await figuresIn(everyone).ended()).toEqual([])
    expect(await peopleWithSpaceToCheck(everyone)).toEqual([])
  })
})
