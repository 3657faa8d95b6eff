/** New migrations leave the version before them working, so that an update stops nothing, or say which versions they stop. */
import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { harmIn, requiredBy, tellsOlder } from './expanding.ts'

/** Earlier ones are of one update for which everything was stopped. */
const first_checked = '000025'

it('each migration has a number of its own', async () => {
  const numbers = Map.groupBy(await readdir('migrations/committed'), name => name.slice(0, 6))
  expect([...numbers.values()].filter(names => names.length > 1)).toEqual([])
})

it('each new migration only adds, or names the migration that older versions must know, and tells them', async () => {
  const committed = (await readdir('migrations/committed')).toSorted()
  const texts = await Promise.all(
    committed.map(async name => [name, await readFile(`migrations/committed/${name}`, 'utf8')] as const),
  )
  const current = await readFile('migrations/current.sql', 'utf8')
  const all = [...texts, ['999999-current.sql', current] as const]
  for (const [at, [name, text]] of all.entries()) {
    if (name.slice(0, 6) < first_checked) continue
    const required = requiredBy(text)
    if (required === undefined) {
      const earlier = all.slice(0, at).map(([, text]) => text)
      expect({ name, harm: await harmIn(text, earlier) }).toEqual({ name, harm: [] })
      continue
    }
    expect({ name, tells: text.includes(tellsOlder(required)) }).toEqual({ name, tells: true })
    expect(required < name.slice(0, 6), `${name} requires a migration before it`).toBe(true)
    if (name.startsWith('999999')) continue
    const back = await readFile(`migrations/revert/${name}`, 'utf8')
    expect(back).toContain('comment on table graphile_migrate.migrations is ')
  }
})

it.each([
  'create table notes (user_id uuid primary key, text text not null unique)',
  'create table notes (id int); create unique index on notes (id); alter table notes alter column id set not null; update notes set id = 1',
  'alter table users add column nickname text',
  "alter table users add column nickname text not null default '', add column added_at timestamptz not null default now()",
  "alter table users add column level smallint not null default 0 check (level < 9), alter column theme set default 'dark'",
  'create index concurrently users_nickname_idx on users (nickname)',
  'create function one() returns int language sql as $$ select 1 $$',
  "insert into picture_pass (kind) values ('video')",
])('harmless: %s', async migration => {
  expect(await harmIn(migration)).toEqual([])
})

it.each([
  'drop table users',
  'drop index video_entries_standing_idx',
  'alter table users drop column nickname',
  'alter table users rename column nickname to name',
  'alter table users rename to people',
  'alter table users alter column nickname type varchar(9)',
  'alter table users alter column nickname set not null',
  'alter table users alter column nickname drop default',
  'alter table users add column nickname text not null',
  'alter table users add column code uuid not null default gen_random_uuid()',
  'alter table users add column twice int generated always as (1 + 1) stored',
  'alter table users add column nickname text unique',
  'alter table users add constraint short check (length(username) < 9)',
  'alter table users drop constraint users_quota',
  'create index users_nickname_idx on users (nickname)',
  'create unique index concurrently users_nickname_idx on users (nickname)',
  'update users set nickname = username',
  'delete from users',
  'truncate users',
  'drop trigger users_first on users',
  'alter table notes add column a int; create table notes (id int); drop table notes',
])('refused: %s', async migration => {
  expect(await harmIn(migration)).not.toEqual([])
})

const earlier = [
  `create table users (username text, constraint users_size check (length(username) < 9));
   alter table users add column quality text not null default 'best' constraint users_quality check (quality in ('best', 'audio'))`,
  "create table lists (kind text, constraint lists_kind check (kind in ('a', 'b')))",
]
const widened =
  "drop constraint users_quality, add constraint users_quality check (quality in ('best', 'mp3', 'audio')) not valid"

it.each([
  `alter table users ${widened}`,
  `alter table users ${widened}; alter table users validate constraint users_quality`,
  "alter table lists drop constraint lists_kind, add constraint lists_kind check (kind in ('a', 'b', 'c')) not valid",
  `alter table users ${widened};
   alter table users drop constraint users_quality, add constraint users_quality check (quality in ('best', 'mp3', 'audio', 'x')) not valid`,
])('harmless: a check that allows more than the one it replaces: %s', async migration => {
  expect(await harmIn(migration, earlier)).toEqual([])
})

it.each([
  // One value is refused that was allowed.
  "alter table users drop constraint users_quality, add constraint users_quality check (quality in ('best', 'mp3')) not valid",
  // Every row is read while everyone waits.
  "alter table users drop constraint users_quality, add constraint users_quality check (quality in ('best', 'mp3', 'audio'))",
  // Another name, another column, another table, and no earlier check.
  "alter table users drop constraint users_quality, add constraint users_kind check (quality in ('best', 'audio')) not valid",
  "alter table users drop constraint users_quality, add constraint users_quality check (username in ('best', 'audio')) not valid",
  "alter table lists drop constraint users_quality, add constraint users_quality check (quality in ('best', 'audio')) not valid",
  "alter table users drop constraint users_theme, add constraint users_theme check (theme in ('dark')) not valid",
  // Checks that are no plain lists of values.
  "alter table users drop constraint users_quality, add constraint users_quality check (quality not in ('best', 'audio')) not valid",
  "alter table users drop constraint users_quality, add constraint users_quality check (quality in ('best', 'audio') and username = 'x') not valid",
  'alter table users drop constraint users_size, add constraint users_size check (length(username) < 20) not valid',
  // Two statements, between which anything could be written; and what comes with them.
  "alter table users drop constraint users_quality; alter table users add constraint users_quality check (quality in ('best', 'audio')) not valid",
  'alter table users drop constraint users_quality',
  "alter table users drop constraint users_quality cascade, add constraint users_quality check (quality in ('best', 'audio')) not valid",
  `alter table users ${widened}, drop column username`,
  `alter table users ${widened}; alter table users validate constraint users_size`,
  'alter table users validate constraint users_quality',
])('refused: a check that may allow less: %s', async migration => {
  expect(await harmIn(migration, earlier)).not.toEqual([])
})

it('refuses to narrow a check that an earlier migration widened', async () => {
  const later = [...earlier, `alter table users ${widened}`]
  const narrowed =
    "drop constraint users_quality, add constraint users_quality check (quality in ('best', 'audio')) not valid"
  expect(await harmIn(`alter table users ${narrowed}`, later)).not.toEqual([])
})

it('the migrations for which everything was stopped are found to do harm', async () => {
  const harm = await harmIn(await readFile('migrations/committed/000023-administrators.sql', 'utf8'))
  expect(harm).toContain('AT_DropNotNull of users.password_hash is not known to be harmless')
  expect(requiredBy('-- Takes away what versions before 000026 use: the column nickname.')).toBe('000026')
})
