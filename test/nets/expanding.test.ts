/** New migrations leave the version before them working, so that an update stops nothing, or say which versions they stop. */
import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { harmIn, requiredBy, tellsOlder } from './expanding.ts'

/** Earlier ones are of one update for which everything was stopped. */
const first_checked = '000025'

it('each new migration only adds, or names the migration that older versions must know, and tells them', async () => {
  const committed = (await readdir('migrations/committed')).filter(name => name.slice(0, 6) >= first_checked)
  const texts = await Promise.all(
    committed.map(async name => [name, await readFile(`migrations/committed/${name}`, 'utf8')] as const),
  )
  const current = await readFile('migrations/current.sql', 'utf8')
  for (const [name, text] of [...texts, ['999999-current.sql', current] as const]) {
    const required = requiredBy(text)
    if (required === undefined) {
      expect({ name, harm: await harmIn(text) }).toEqual({ name, harm: [] })
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

it('the migrations for which everything was stopped are found to do harm', async () => {
  const harm = await harmIn(await readFile('migrations/committed/000023-administrators.sql', 'utf8'))
  expect(harm).toContain('AT_DropNotNull of users.password_hash is not known to be harmless')
  expect(requiredBy('-- Takes away what versions before 000026 use: the column nickname.')).toBe('000026')
})
