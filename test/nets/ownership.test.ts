/** Checks that every query of a table with an owner is limited to one user, and that the database refuses rows without an owner. */
import { expect, it } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { follows, person } from '../support/app/people.ts'
import { asksEveryone, importsOf, nodesOf, type Source, sourcesIn } from './source.ts'

const { sql } = useDatabase()

/** The tables of one person's library. The person is known before a row is read. */
const library_tables = [
  'channels',
  'channel_summaries',
  'channel_changes',
  'video_entries',
  'channel_rules',
  'viewings',
  'imports',
  'import_lines',
  'import_parts',
  'rule_holds',
  'download_pauses',
  'turns_given',
  'tool_outcomes',
  'backfills',
  'groups',
  'channel_groups',
  'saved_searches',
  'playlists',
  'playlist_videos',
  'media_trees',
  'media_channels',
  'media_episodes',
  'media_paths',
  'media_playlists',
  'media_servers',
  'media_server_videos',
  'deleted_files',
  'deleted_channels',
  'deleted_videos',
  'transcripts',
  'moments',
  'sounds',
  'podcast_feeds',
  'notification_targets',
  'notifications',
  'messages',
  'space_notices',
  'site_cookies',
]

/** Their rows are read to find the person, by the hash of a token, so their keys cannot include the person. */
const account_tables = [
  'api_tokens',
  'identities',
  'links',
  'passkeys',
  'password_resets',
  'secrets',
  'sessions',
  'sign_in_attempts',
]

/** The tables with a `user_id`. */
const owned_tables = [...library_tables, ...account_tables]
const names_owned = new RegExp(`\\b(?:from|join|into|update)\\s+(?:${owned_tables.join('|')})\\b`)

/** Its queries get the name of their table, which is one of `owned_tables`. */
const named_things = 'src/db/rows/named-things.ts'
const names_a_table = /\b(?:from|into|update) …/

/** Queries that name no user, found by a part of their text. Each is limited to one user in another way. */
const closed_otherwise: Record<string, string[]> = {
  // The secret names the row, and so its user.
  'src/auth/sessions.ts': [
    'update sessions set used_at = now() where id =',
    'from sessions session join users on users.id = session.user_id where session.id =',
  ],
  'src/db/account/secrets.ts': [
    'from secrets left join users owner on owner.id = user_id',
    'used as ( update secrets set last_used_at = now() where secret_id = ',
    'delete from secrets using found',
  ],
  // The issuer and the subject name the row, and so its user.
  'src/db/account/identities.ts': [
    'from identities join users on users.id = user_id where issuer = ',
    'update identities set last_used_at = now() where issuer = ',
  ],
  // The credential names the row, and so its user.
  'src/db/account/passkeys.ts': ['join users on users.id = passkeys.user_id where credential_id ='],
  // Only of the users that the same statement has changed.
  'src/db/account/accounts.ts': ['delete from secrets where user_id in (select id from changed)'],
  // The row that it adds has the person.
  'src/db/rows/named-things.ts': ['insert into … …'],
  'src/db/notifications/targets.ts': ['insert into notification_targets … on conflict (user_id, kind, address) do …'],
  // Parts of queries, limited by the row they are joined to.
  'src/db/imports/archive-pages.ts': [
    'where member.user_id = channels.user_id and member.channel_id = channels.channel_id',
  ],
  'src/db/search/transcripts.ts': ['from viewings viewing where viewing.user_id = entry.user_id'],
  'src/db/rows/channel-columns.ts': ['where member.user_id = c.user_id and member.channel_id = c.channel_id'],
  'src/db/imports/imports.ts': ['from imports cross join lateral'],
  'src/db/downloads/requests.ts': ['from channel_rules rule where rule.user_id = entry.user_id'],
  'src/db/rules/rule-judging.ts': [
    'from video_entries entry where entry.user_id = channel.user_id',
    'from viewings where viewings.user_id = entry.user_id',
    'from site_cookies where site_cookies.user_id = entry.user_id',
  ],
  'src/db/downloads/retention.ts': [
    // Joined to the rules that are given: those of one user, or in a job those of all.
    'from limited join video_entries entry using (user_id, channel_id)',
    'from channels channel where channel.user_id = entry.user_id',
  ],
  'src/db/rows/sound-rows.ts': [
    'from sounds sound where sound.user_id = entry.user_id and …',
    'from sounds sound where sound.user_id = deleted_files.user_id and sound.video_id = deleted_files.video_id',
    'from video_entries entry where entry.user_id = sound.user_id and …',
  ],
  'src/db/rows/video-columns.ts': [
    'left join viewings viewing on viewing.user_id = entry.user_id',
    'from viewings where viewings.user_id = entry.user_id and viewings.video_id = entry.video_id offset 0',
    'from video_entries twin where twin.user_id = entry.user_id',
  ],
  'src/db/queue/paused.ts': [
    'exists ( select from download_pauses pause where pause.user_id = entry.user_id',
    "select case when min(pause.host) = '' then 'all' when min(pause.host) <> '' then 'site' end from download_pauses pause where pause.user_id = entry.user_id",
    'select max(pause.paused_at) from download_pauses pause where pause.user_id = entry.user_id',
  ],
  // Tells only whether another download runs, and its person sees the same place in the queue in both cases.
  'src/db/queue/same-video.ts': ['exists ( select from video_entries run where run.address_hash = entry.address_hash'],
  // Their paths only tell whether the disk is there, and are shown to no one.
  'src/db/service/service.ts': ["select download_path from video_entries where standing = 'done' limit 20"],
  // Only whether any person follows the feed.
  'src/db/push/push-callbacks.ts': ['exists (select from channels where channels.rss_url = push.rss_url)'],
  'src/db/words/words.ts': ['select from transcripts where transcripts.user_id ='],
}

/** Queries of a save, limited to its targets: each is joined to the row of a target. The test below says who gives the targets. */
const of_a_save = [
  'src/db/saving/channel-writes.ts',
  'src/db/saving/match-candidates.ts',
  'src/db/saving/matching.ts',
  'src/db/saving/new-video-notifications.ts',
  'src/db/saving/save-statement.ts',
]
const joins_a_target =
  /where (?:\w+\.user_id = \w+\.user_id|\(\w+\.user_id, \w+\.channel_id(?:, \w+\.\w+)?\) = \(\w+\.user_id, \w+\.channel_id\b)/g

type Query = { path: string; text: string; values: string[] }

/** Every template literal that names an owned table, whatever its tag. A template inside another is a query of its own. */
function queriesIn(source: Source): Query[] {
  const queries = [...nodesOf(source)].flatMap(node => {
    if (node.type !== 'TemplateLiteral') return []
    const parts = node.quasis as { value: { raw: string } }[]
    const values = (node.expressions as { name?: string }[]).map(({ name }) => name ?? '')
    return [
      {
        path: source.path,
        text: parts
          .map(({ value }) => value.raw)
          .join('…')
          .replace(/\s+/g, ' '),
        values,
      },
    ]
  })
  return queries.filter(({ path, text }) => (path === named_things ? names_a_table : names_owned).test(text))
}

const sources = await sourcesIn('src', 'jobs')
const queries = sources.flatMap(queriesIn)

it('the list of tables with an owner is complete', async () => {
  const found = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where  column_name = 'user_id' and table_schema = 'public'
    order  by table_name`
  // A pause belongs to a host; its `user_id` means that so far only this person's downloads wait. A probe is of a host too: all share its
  // minute.
  expect(found.map(({ name }) => name)).toEqual([...owned_tables, 'host_pauses', 'host_probes'].toSorted())
})

it('every query of a table with an owner is limited to one user, or listed here with the reason', () => {
  const open = queries.filter(
    ({ path, values }) =>
      !asksEveryone(path) && !of_a_save.includes(path) && !values.some(name => /^(mine|user_id)$/.test(name)),
  )
  const expected = Object.entries(closed_otherwise).flatMap(([path, words]) => words.map(text => [path, text]))
  const unknown = open.filter(
    ({ path, text }) => !expected.some(([file, words = '']) => file === path && text.includes(words)),
  )
  const gone = expected.filter(
    ([file, words = '']) => !open.some(({ path, text }) => file === path && text.includes(words)),
  )
  expect({ unknown, gone }).toEqual({ unknown: [], gone: [] })
  expect(queries.length).toBeGreaterThan(300)
})

it('in a save every query of a table with an owner is limited to a target', () => {
  const unlimited = queries.filter(({ path, text }) => {
    const read = text.replaceAll(/insert into \w+/g, '').match(new RegExp(names_owned, 'g')) ?? []
    return of_a_save.includes(path) && (text.match(joins_a_target) ?? []).length !== read.length
  })
  expect(unlimited).toEqual([])
})

it('only a library, for its own person, and queries across people give a save its targets', async () => {
  const users = sources.flatMap(importsOf).filter(({ to, type_only }) => to === 'src/db/saving/saving.ts' && !type_only)
  expect(users.map(({ from }) => from)).toEqual([
    'src/db/channels/channel-feeds.ts',
    'src/db/channels/everyone/save-for-followers.ts',
  ])
  const own = sources.find(({ path }) => path === 'src/db/channels/channel-feeds.ts')
  expect(own?.text.match(/targets:.*|const targets =.*/g)).toEqual([
    'const targets = (channel_ids: string[]) => channel_ids.map((channel_id, feed) => ({ user_id, channel_id, feed }))',
    'targets: targets(channel_ids),',
    'targets: targets([channel_id]),',
    'targets: targets([channel_id]),',
    'targets: targets([channel_id]),',
  ])
})

it('every primary key and unique index of a table of a library includes the person', async () => {
  const keys = await sql<{ name: string; columns: string[] }[]>`
    select indexrelid::regclass::text as name,
           array(select attname::text
                 from   pg_attribute
                 where  attrelid = indrelid and attnum = any(indkey)) as columns
    from   pg_index
    where  indisunique and indrelid = any(${library_tables}::text[]::regclass[])`
  expect(keys.length).toBeGreaterThan(library_tables.length)
  expect(keys.filter(({ columns }) => !columns.includes('user_id'))).toEqual([])
})

it('every foreign key between tables of a library includes the person', async () => {
  const keys = await sql<{ name: string; columns: string[] }[]>`
    select conname as name,
           array(select attname::text
                 from   pg_attribute
                 where  attrelid = conrelid and attnum = any(conkey)) as columns
    from   pg_constraint
    where  contype = 'f' and conrelid = any(${library_tables}::text[]::regclass[])`
  expect(keys.length).toBeGreaterThan(5)
  expect(keys.filter(({ columns }) => !columns.includes('user_id'))).toEqual([])
})

it('the database refuses an entry of one user in another user’s channel', async () => {
  const alice = await person(sql, 'alice')
  const bob = await person(sql, 'bob')
  await follows(alice, 'hers', [])

  const smuggled = sql`
    insert into video_entries (user_id, channel_id, video_id, video_url, title)
    values (${bob.user.user_id}, 'hers', 'v1', 'https://videos.example/v1', 'smuggled')`

  await expect(smuggled).rejects.toThrow(/foreign key/)
})

it('the database refuses a channel and an entry without an owner', async () => {
  const channel = sql`insert into channels (channel_id, title, rss_url) values ('c', 't', 'https://videos.example/c')`
  await expect(channel).rejects.toThrow(/user_id/)
  const video = sql`insert into video_entries (channel_id, video_id, video_url, title) values ('c', 'v', 'https://videos.example/v', 't')`
  await expect(video).rejects.toThrow(/user_id/)
})
