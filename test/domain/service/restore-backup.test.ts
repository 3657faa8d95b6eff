/** A backup and its restore, in this process: what comes back, what does not, and what is refused. */
import { createHash } from 'node:crypto'
import { cp, link, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { repairQueue } from '../../../jobs/tasks/housekeeping.ts'
import { lasting_kinds, type SecretKind, secretsIn } from '../../../src/db/account/secrets.ts'
import { connect } from '../../../src/db/postgres/client.ts'
import { migrateTo, newestMigration } from '../../../src/db/postgres/migrations.ts'
import { deleteFile } from '../../../src/domain/downloads/deletions.ts'
import { recover } from '../../../src/domain/downloads/recovery.ts'
import { backUp } from '../../../src/domain/service/back-up.ts'
import { restore } from '../../../src/domain/service/restore-backup.ts'
import { ListLine, Manifest } from '../../../src/schema/service/backup.ts'
import { filesIn } from '../../../src/store/local-files.ts'
import { silent } from '../../support/app/app.ts'
import { type TestDatabase, useDatabase } from '../../support/app/database.ts'
import { fullLibrary } from '../../support/app/full-library.ts'
import { follows, has, type Person, personWith } from '../../support/app/people.ts'
import { openTestStorage, storage_kinds } from '../../support/app/storages.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const top = newFolder()
const no_files = filesIn(join(top, 'none'))
let made = 0
/** A second later for each, because a folder is named after its second. */
const backupOf = async ({ sql }: TestDatabase, { files = no_files, folder = join(top, 'backups') } = {}) =>
  backUp({ sql, files, version: '1.2.3' }, folder, new Date(Date.UTC(2026, 10, 27) + 1000 * made++))

const as_meant = { dry_run: false, check_files: false }
const restoreTo = ({ sql, url }: TestDatabase, folder: string, given = as_meant) => {
  // The service would have this name.
  const own = connect(url, { max: 2, name: 'a-test' })
  return restore({ sql: own as typeof sql, url }, no_files, folder, given).finally(() => own.end())
}

const manifestOf = async (folder: string) =>
  Manifest.parse(JSON.parse(await readFile(join(folder, 'backup.json'), 'utf8')))
const textOf = async (folder: string, part: string) => gunzipSync(await readFile(join(folder, `${part}.gz`))).toString()
const partsIn = async (folder: string) => {
  const { tables } = await manifestOf(folder)
  return [...tables.map(({ name }) => `table.${name}`), 'jobs', 'files']
}
const linesOf = async (folder: string) =>
  (await textOf(folder, 'files'))
    .trim()
    .split('\n')
    .map(line => ListLine.parse(JSON.parse(line)))
const hashOf = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
const textsOf = async (folder: string) =>
  Object.fromEntries(await Promise.all((await partsIn(folder)).map(async part => [part, await textOf(folder, part)])))

/** Closes its connections, which a running service would have. */
const closed = async (db: TestDatabase) => {
  await db.sql.end()
  return db
}

const source = useDatabase()
let carol: Person
let whole: string
beforeAll(async () => {
  carol = await fullLibrary(source.sql, join(top, 'files'))
  await source.sql`insert into secrets (kind, hash, expires_at) values ('invitation', 'h', now() + interval '1 day')`
  await source.sql`update users set default_rule = '{"auto_download": true, "title_words": ["a\\tb\\nc"], "without_words": [], "skip_shorts": false, "live": "any", "include_older": false}' where id = ${carol.user.user_id}`
  await follows(carol, 'ruled', ['r1', 'r2'])
  await source.sql`update channel_rules set judge_from = null, judge_to = null, apply_at = null`
  whole = (await backupOf(source)).path
})

describe('a database that is restored', () => {
  const target = useDatabase()
  let sql: TestDatabase['sql']
  let second: string
  beforeAll(async () => {
    await restoreTo(await closed(target), whole)
    sql = connect(target.url, { max: 2 }) as TestDatabase['sql']
    second = (await backupOf({ sql, url: target.url })).path
  })
  afterAll(() => sql.end())

  it('gives a backup with the same rows, columns and jobs, byte by byte', async () => {
    expect(await textsOf(second)).toEqual(await textsOf(whole))
    const [{ counters, tables }, first] = await Promise.all([manifestOf(second), manifestOf(whole)])
    expect({ counters, tables }).toEqual({ counters: first.counters, tables: first.tables })
    expect(tables.length).toBeGreaterThan(40)
    expect(tables.find(({ name }) => name === 'video_entries')?.lines).toBe(12 * 40 + 2)
  })

  it('keeps no session, invitation or link to a new password, and goes on counting where it was', async () => {
    expect((await source.sql`select from sessions`).length).toBeGreaterThan(0)
    const [left] = await sql`
      select (select count(*) from sessions) + (select count(*) from secrets where kind = 'invitation')
           + (select count(*) from invitations) + (select count(*) from workers) as rows`
    expect(left).toEqual({ rows: 0 })

    const [added] = await sql<{ id: number; is_new: boolean }[]>`
      insert into video_entries (user_id, channel_id, video_id, title, video_url)
      values (${carol.user.user_id}, 'kitchen', 'later', 'Later', 'https://videos.example/later')
      returning id, id > (select max(id) from video_entries) as is_new`
    expect(added?.is_new).toBe(true)
    const [channel] = await sql`
      select entry_count = (select count(*) from video_entries where channel_id = 'kitchen') as counts
      from   channels where channel_id = 'kitchen'`
    expect(channel).toEqual({ counts: true })
  })

  it('takes up the download that ran, and loses no job that waited', async () => {
    const jobs = () =>
      sql<{ key: string }[]>`select key from graphile_worker.jobs where key like 'download:%' order by key`
    const before = (await jobs()).map(({ key }) => key)
    expect(before.length).toBeGreaterThan(9)
    const running = `download:${carol.user.user_id}:bench-0`

    const parts = { sql, files: no_files, log: silent }
    await sql`update video_entries set download_heartbeat_at = now() - interval '1 hour' where download_status = 'DOWNLOADING'`
    await recover(parts, async () => {})
    await repairQueue(parts)

    const [entry] = await sql`select standing, download_claim from video_entries where video_id = 'bench-0'`
    expect(entry).toEqual({ standing: 'waiting', download_claim: null })
    expect((await jobs()).map(({ key }) => key)).toEqual(before)
    expect(before).toContain(running)
  })
})

describe('a backup of an earlier version', () => {
  const old = useDatabase({ empty: true })
  const target = useDatabase()

  it('is brought forward, and one of a later version is refused with what to do', async () => {
    const before = { filename: '000020.sql', hash: '' }
    await migrateTo(old.url, before)
    await old.sql`insert into users (username, password_hash) values ('early', 'h')`
    await old.sql`
      insert into channels (user_id, channel_id, title, rss_url) select id, 'c', 'C', 'https://videos.example/c' from users`
    const { path } = await backupOf(old)
    expect((await manifestOf(path)).migration.filename).toBe('000020.sql')

    await restoreTo(await closed(target), path)

    const sql = connect(target.url, { max: 1 })
    const rows = await sql`select username, role, rss_url from users join channels on user_id = users.id`
    expect(rows).toEqual([{ username: 'early', role: 'admin', rss_url: 'https://videos.example/c' }])
    expect(await newestMigration(sql)).toEqual(await newestMigration(source.sql))
    await sql.end()
  })
})

/** A copy of the backup, to be damaged. */
async function copyOf(folder: string): Promise<string> {
  const copy = join(top, `copy-${made++}`)
  await cp(folder, copy, { recursive: true })
  return copy
}
const manifestWith = (change: (manifest: Manifest) => unknown) => (folder: string) => changeManifest(folder, change)
async function changeManifest(folder: string, change: (manifest: Manifest) => unknown): Promise<void> {
  const manifest = await manifestOf(folder)
  change(manifest)
  await writeFile(join(folder, 'backup.json'), JSON.stringify(manifest))
}
/** The part and the manifest that belongs to it. */
async function replacePart(
  folder: string,
  part: string,
  text: string,
  lines = text.split('\n').length - 1,
): Promise<void> {
  const packed = gzipSync(text)
  await writeFile(join(folder, `${part}.gz`), packed)
  await changeManifest(folder, manifest => {
    const described = part === 'files' ? manifest.files : manifest.tables.find(({ name }) => part === `table.${name}`)
    Object.assign(described ?? {}, {
      lines,
      bytes: Buffer.byteLength(text),
      sha256: hashOf(packed),
    })
  })
}

describe('what is refused', () => {
  const target = useDatabase()
  beforeAll(() => target.sql.end())
  const refusalOf = async (folder: string) =>
    restoreTo(target, folder).then(
      () => 'restored',
      (fault: Error) => fault.message,
    )

  it.each<[string, (folder: string) => Promise<unknown>, RegExp]>([
    ['a folder without a backup', folder => rm(join(folder, 'backup.json')), /is no backup/],
    ['a manifest that was cut off', folder => writeFile(join(folder, 'backup.json'), '{"format":1'), /is damaged/],
    [
      'a manifest that is a link',
      async folder => {
        await cp(join(folder, 'backup.json'), join(folder, 'other.json'))
        await rm(join(folder, 'backup.json'))
        await symlink('other.json', join(folder, 'backup.json'))
      },
      /is no backup/,
    ],
    ['a format of a newer version', manifestWith(given => Object.assign(given, { format: 2 })), /newer version/],
    [
      'a migration of a newer version',
      manifestWith(({ migration }) => Object.assign(migration, { filename: '000999.sql' })),
      /whose database is newer/,
    ],
    [
      'another migration of the same number',
      manifestWith(({ migration }) => Object.assign(migration, { hash: 'sha1:0' })),
      /other migrations/,
    ],
    ['a part that is missing', folder => rm(join(folder, 'table.users.gz')), /is damaged/],
    [
      'a part with one other byte',
      async folder => {
        const file = join(folder, 'table.video_entries.gz')
        const bytes = await readFile(file)
        bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
        await writeFile(file, bytes)
      },
      /is damaged/,
    ],
    [
      'a part that is a link',
      async folder => {
        await rm(join(folder, 'jobs.gz'))
        await symlink('/dev/zero', join(folder, 'jobs.gz'))
      },
      /is damaged/,
    ],
    [
      'a part that unpacks to more than it says',
      folder => writeFile(join(folder, 'table.users.gz'), gzipSync(Buffer.alloc(50_000_000))),
      /is damaged/,
    ],
    [
      'a table outside of the folder',
      manifestWith(({ tables }) => Object.assign(tables[0] ?? {}, { name: '../../etc' })),
      /is damaged/,
    ],
    [
      'a table that is not ours',
      async folder => {
        await cp(join(folder, 'table.users.gz'), join(folder, 'table.pg_authid.gz'))
        await changeManifest(folder, ({ tables }) =>
          tables.push({ ...(tables.find(({ name }) => name === 'users') as (typeof tables)[0]), name: 'pg_authid' }),
        )
      },
      /pg_authid, which this service does not have/,
    ],
    [
      'a column that is not ours',
      manifestWith(({ tables }) => tables[0]?.columns.push('ctid')),
      /which this service does not have/,
    ],
    [
      'fewer rows than it says',
      async folder => {
        const text = await textOf(folder, 'table.viewings')
        await replacePart(folder, 'table.viewings', text.slice(text.indexOf('\n') + 1), 99)
      },
      /is damaged/,
    ],
    [
      'a row that breaks a key',
      async folder => {
        const text = await textOf(folder, 'table.channels')
        await replacePart(folder, 'table.channels', text + text)
      },
      /duplicate key/,
    ],
  ])('refuses %s, and changes nothing', async (_, damage, expected) => {
    const folder = await copyOf(whole)
    await damage(folder)
    expect(await refusalOf(folder)).toMatch(expected)
    const sql = connect(target.url, { max: 1 })
    expect(await sql`select from users`).toHaveLength(0)
    expect(await sql`select from pg_trigger where tgenabled = 'D'`).toHaveLength(0)
    await sql.end()
  })

  it('refuses a folder of backups, and names the newest one', async () => {
    expect(await refusalOf(join(top, 'backups'))).toContain((await readdir(join(top, 'backups'))).toSorted().at(-1))
  })

  it('refuses while a service is connected', async () => {
    const service = connect(target.url, { max: 1 })
    await service`select`
    expect(await refusalOf(whole)).toMatch(/A running service uses this database/)
    await service.end()
  })

  it('refuses a database that is not empty, and a dry run changes nothing', async () => {
    const sql = connect(target.url, { max: 1, name: 'a-test' })
    onTestFinished(async () => {
      await sql`delete from secrets`
      await sql`delete from workers`
      await sql.end()
    })
    await sql`insert into workers (id) values ('w')`
    const dry = { dry_run: true, check_files: true }
    const { rows, files, faulty_files } = await restoreTo(target, whole, dry)
    expect([rows > 500, files, faulty_files]).toEqual([true, 24, 0])

    expect(await sql`select from users`).toHaveLength(0)
    await sql`insert into secrets (kind, hash, expires_at) values ('passkey', 'h', now())`
    for (const given of [dry, as_meant])
      await expect(restoreTo(target, whole, given)).rejects.toThrow(
        /is not empty: its table (?:secrets|sign_in_attempts)/,
      )
  })
})

describe('the list of files', () => {
  const db = useDatabase()
  beforeEach(() => db.sql`truncate channels, deleted_files, pictures cascade`)

  it.each(storage_kinds)('in %s names what rows name, and finds what is missing', async kind => {
    const storage = await openTestStorage(kind)
    const backups = join(storage.folder, 'backups')
    const alice = await personWith(db.sql, 'alice', 'c', ['v1', 'v2', 'v3', 'v4'])
    const pathOf = (video_id: string) => `${alice.user.user_id}/c/${video_id}.mp4`
    for (const id of ['v1', 'v2', 'v3', 'v4']) await has(alice, id, pathOf(id), 5, id === 'v1' ? ['en'] : [])
    for (const id of ['v1', 'v2', 'v4']) await storage.give(pathOf(id), id.padEnd(5))
    await storage.give(`${alice.user.user_id}/c/v1.en.vtt`, 'WEBVTT')
    await deleteFile(alice.library, { files: storage.files, bin: { hours: 24, quota_bytes: 0 } }, 'v4')
    const [picture] = await db.sql<{ picture_id: string }[]>`
      insert into pictures (kind, source_hash, url, host, stored_at, fetch_at)
      values ('video', gen_random_uuid(), 'https://a', 'a', now(), null) returning picture_id`
    const id = picture?.picture_id ?? ''
    for (const size of ['small', 'large'])
      await storage.give(`.pictures/${id.slice(0, 2)}/${id.slice(2, 4)}/${id}.${size}`, size)

    const report = await backupOf(db, { files: storage.files, folder: backups })
    expect(report.missing).toEqual([pathOf('v3')])
    const listed = (await linesOf(report.path)).flatMap(({ files }) => files)
    expect(listed.map(({ path, size, missing }) => ({ path, size, missing }))).toMatchObject([
      { path: pathOf('v1'), size: 5 },
      { path: `${alice.user.user_id}/c/v1.en.vtt`, size: 6 },
      { path: pathOf('v2'), size: 5 },
      { path: pathOf('v3'), missing: true },
      { path: storage.files.inBin(pathOf('v4')), size: 5 },
      { size: 5 },
      { size: 5 },
    ])
    if (kind === 'a folder') expect(listed[0]?.sha256).toBe(hashOf('v1   '))
    else expect(listed[0]?.etag).toMatch(/\w{32}/)
    await storage.close()
  })

  it('reads a file again only if it has changed, and a file with several names once', async () => {
    const storage = await openTestStorage('a folder')
    const backups = join(storage.folder, 'backups')
    const alice = await personWith(db.sql, 'alice', 'c', ['v1', 'v2'])
    const pathOf = (video_id: string) => join(alice.user.user_id, 'c', `${video_id}.mp4`)
    for (const id of ['v1', 'v2']) await has(alice, id, pathOf(id), 5)
    const file = await storage.give(pathOf('v1'), 'first')
    const on_a_second = new Date('2026-01-01')
    await utimes(file, on_a_second, on_a_second)
    await link(file, join(dirname(file), 'v2.mp4'))
    const hashes = async () => {
      const { path } = await backupOf(db, { files: storage.files, folder: backups })
      return (await linesOf(path)).flatMap(({ files }) => files.map(({ sha256 }) => sha256))
    }
    expect(await hashes()).toEqual([hashOf('first'), hashOf('first')])

    await writeFile(file, 'other')
    await utimes(file, on_a_second, on_a_second)
    expect(await hashes()).toEqual([hashOf('first'), hashOf('first')])
    await utimes(file, new Date(), new Date(0))
    expect(await hashes()).toEqual([hashOf('other'), hashOf('other')])
    await storage.close()
  })
})

describe('a folder of backups', () => {
  it('is for its owner alone, keeps nothing of a backup that fails, and nothing of one that was killed a day ago', async () => {
    const folder = join(top, 'own')
    await mkdir(join(folder, 'backlot-2026-01-01T00-00-00Z.unfinished'), { recursive: true })
    await utimes(join(folder, 'backlot-2026-01-01T00-00-00Z.unfinished'), new Date(0), new Date(0))
    const { path } = await backupOf(source, { folder })
    const files = { ...no_files, localPath: () => Promise.reject(new Error('the disk is away')) }
    await expect(backupOf(source, { folder, files })).rejects.toThrow('the disk is away')

    expect((await readdir(folder)).map(name => join(folder, name))).toEqual([path])
    expect((await stat(path)).mode & 0o777).toBe(0o700)
    for (const name of await readdir(path)) expect((await stat(join(path, name))).mode & 0o777).toBe(0o600)
  })
})

describe('a backup of a busy service', () => {
  const busy = useDatabase({ connections: 4 })
  const target = useDatabase()

  it('is consistent: all keys hold, and all counts agree with what is counted', async () => {
    const people = await Promise.all(['a', 'b', 'c'].map(name => personWith(busy.sql, name, 'c', ['v0'])))
    let is_over = false
    let rounds = 0
    const write = async (one: Person, at: number) => {
      for (let nth = 1; !is_over; nth++) {
        await follows(one, `c${nth % 3}`, [`v${at}-${nth}`, `w${at}-${nth}`])
        await has(one, `v${at}-${nth}`, `${one.user.user_id}/c/${nth}.mp4`, 5)
        await one.library.downloads.request([`w${at}-${nth}`])
        rounds += 1
      }
    }
    const writing = Promise.all(people.map(write))
    const paths: string[] = []
    for (let nth = 0; nth < 2; nth++) paths.push((await backupOf(busy)).path)
    is_over = true
    await writing
    expect(rounds).toBeGreaterThan(10)

    await restoreTo(await closed(target), paths.at(-1) ?? '')
    const sql = connect(target.url, { max: 1 })
    const wrong = await sql`
      select from channels
      where  entry_count <> (select count(*) from video_entries entry
                             where  (entry.user_id, entry.channel_id) = (channels.user_id, channels.channel_id))`
    const jobless = await sql`
      select from video_entries where standing = 'waiting'
      and    not exists (select from graphile_worker.jobs where key = 'download:' || user_id || ':' || video_id)`
    const [counted] = await sql`select count(*) as waiting from video_entries where standing = 'waiting'`
    expect([wrong.length, jobless.length]).toEqual([0, 0])
    expect(counted?.waiting).toBeGreaterThan(0)
    await sql.end()
  })
})

it('a backup has each kind of secret that opens again and again, and none that opens once', async () => {
  const { user_id } = carol.user
  const about: Record<SecretKind, object> = {
    token: { scope: 'read' },
    play: { video_id: 'v1' },
    share: { video_id: 'v1' },
    podcast: { podcast_id: crypto.randomUUID() },
    invitation: {},
    reset: {},
    oidc: {},
    passkey: {},
    new_passkey: {},
  }
  const kinds = Object.keys(about) as SecretKind[]
  const made = new Map<SecretKind, string>()
  for (const kind of kinds) {
    const secret = { kind, user_id: kind === 'invitation' ? null : user_id, opens: about[kind], lasts_s: 60 }
    made.set(kind, hashOf((await secretsIn(source.sql).make(secret as never)).token))
  }
  const kept = await textOf((await backupOf(source)).path, 'table.secrets')
  expect(kinds.filter(kind => kept.includes(made.get(kind) ?? ''))).toEqual(lasting_kinds)
})
