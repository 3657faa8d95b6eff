/** A video in two channels of a person is two rows, and one download: what is of the video is the same in both. */
import { expect, it } from 'vitest'
import { repairQueue } from '../../../jobs/tasks/housekeeping.ts'
import { copied_columns, saved_types } from '../../../src/db/saving/columns.ts'
import { silent } from '../../support/app/app.ts'
import { useDatabase } from '../../support/app/database.ts'
import { follows, type Person, person } from '../../support/app/people.ts'
import { runs } from '../../support/app/scene.ts'

const { sql } = useDatabase()

/** The columns of a row that no other row of the same video gives it. */
const of_the_row = [
  ...['id', 'user_id', 'channel_id', 'video_id', 'first_seen_at', 'sort_at', 'words'],
  // Each row is looked at until the facts of its video are known.
  ...['look_at', 'looked_at', 'looks'],
  // Nothing reads it.
  'download_turns_lost',
]

type Column = { name: string; is_derived: boolean; usual: string | null }

const columns = () => sql<Column[]>`
  select   attname as name, attgenerated <> '' as is_derived, pg_get_expr(adbin, adrelid) as usual
  from     pg_attribute
  left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where    attrelid = 'video_entries'::regclass and attnum > 0 and not attisdropped
  order by attnum`

const rowsOf = (alice: Person) =>
  sql<
    ({ channel_id: string; video_id: string } & Record<string, unknown>)[]
  >`select * from video_entries where user_id = ${alice.user.user_id} order by id`

const network = { download_error: 'No answer.', reason: 'cut_off' as const, failures: 2 }

it('every column of a video is saved, copied or of the row, and only one of these', async () => {
  const written = (await columns()).filter(({ is_derived }) => !is_derived).map(({ name }) => name)
  expect([...Object.keys(saved_types), ...copied_columns, ...of_the_row].sort()).toEqual(written.sort())
})

it('a copied column of a new video has the usual value of its column', async () => {
  const alice = await person(sql, 'alice')
  await follows(alice, 'kitchen', ['a'])
  const [row] = await rowsOf(alice)
  for (const { name, usual } of (await columns()).filter(({ name }) => copied_columns.includes(name))) {
    const [value] = await sql`select ${sql.unsafe(usual ?? 'null')} as usual`
    expect([name, row?.[name]]).toEqual([name, value?.usual ?? null])
  }
  expect(copied_columns.length).toBeGreaterThan(20)
})

it('every copied column of a failed, a paused and a finished download is the same in a second channel', async () => {
  const alice = await person(sql, 'alice')
  const { downloads } = alice.library
  await follows(alice, 'kitchen', ['failed', 'paused', 'done'])
  await downloads.request(['failed', 'paused', 'done'])
  await downloads.fail('failed', await runs(alice, 'failed'), {
    ...network,
    next_attempt_at: new Date(Date.now() + 1000),
  })
  await downloads.pause(['paused'])
  await sql`update video_entries set pinned = true, file_is_read = true, download_restarts = 2 where video_id = 'done'`
  await follows(alice, 'copies', ['failed', 'paused', 'done'])
  const rows = await rowsOf(alice)
  const of = (channel_id: string) =>
    rows
      .filter(row => row.channel_id.includes(channel_id))
      .toSorted((one, other) => one.video_id.localeCompare(other.video_id))
      .map(row => ['video_id', ...copied_columns].map(name => [name, row[name]]))
  expect(of('kitchen')).toHaveLength(3)
  expect(of('copies')).toEqual(of('kitchen'))
})

it('a paused download stays paused, and repairs stay quiet, when its video appears in a second channel', async () => {
  const alice = await person(sql, 'alice')
  await follows(alice, 'kitchen', ['a'])
  await alice.library.downloads.request(['a'])
  await alice.library.downloads.pause(['a'])
  await follows(alice, 'copies', ['a'])
  await sql`
    update video_entries set download_requested_at = now() - interval '1 hour' where user_id = ${alice.user.user_id}`
  const warnings: string[] = []
  const log = { ...silent, warn: (_: unknown, text: string) => warnings.push(text) }
  for (let times = 0; times < 3; times++) {
    await repairQueue({ sql, log: log as never, files: { forgetAbandoned: async () => {} } as never })
  }
  expect(warnings).toEqual([])
  expect(await alice.library.downloads.start('a', crypto.randomUUID())).toBeUndefined()
})

it('a run knows why the last one failed when the video has appeared in a second channel', async () => {
  const alice = await person(sql, 'alice')
  await follows(alice, 'kitchen', ['a'])
  await alice.library.downloads.request(['a'])
  for (let times = 0; times < 2; times++) {
    const next_attempt_at = new Date(Date.now() + 1000)
    await alice.library.downloads.fail('a', await runs(alice, 'a'), { ...network, next_attempt_at })
  }
  await follows(alice, 'copies', ['a'])
  const started = await alice.library.downloads.start('a', crypto.randomUUID())
  expect(started).toMatchObject({ failing: { reason: 'cut_off', failures: 2 } })
})
