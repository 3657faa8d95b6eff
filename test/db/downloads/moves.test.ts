/**
 * Random moves from several connections at once. Whatever they do, and however they meet: every step is one of the table's,
 * every state that can be seen is a legal one, and a video never runs twice.
 */
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { type Library, libraryOf } from '../../../src/db/library.ts'
import { connect, type Sql } from '../../../src/db/postgres/client.ts'
import { downloadKey } from '../../../src/db/queue/queue.ts'
import { moves } from '../../../src/schema/downloads/download.ts'
import type { UserId } from '../../../src/schema/values/user.ts'
import { useDatabase } from '../../support/app/database.ts'
import { follows, person } from '../../support/app/people.ts'
import { holds } from '../../support/run/holds.ts'

const { sql, url } = useDatabase()
const connections = Array.from({ length: 4 }, () => connect(url, { max: 1 }))
afterAll(() => Promise.all(connections.map(connection => connection.end())))

const video_ids = ['v1', 'v2']
/** Requests and starts are more frequent, or few downloads would run. */
const steps = [
  ...(['request', 'request', 'request', 'take', 'take', 'take', 'take', 'take', 'recover'] as const),
  ...(['cancel', 'lose_file', 'beat', 'finish', 'fail_for_good', 'fail_for_now', 'hand_back', 'forget'] as const),
  ...([
    'request_by_rule',
    'request_by_rule',
    'give_way',
    'give_way',
    'fail_to_a_second_life',
    'fail_to_a_second_life',
  ] as const),
]
type Step = { step: (typeof steps)[number]; video_id: string }

/** Each list is done by one connection, in this order; all connections work at the same time. */
const histories = fc.array(
  fc.array(fc.record({ step: fc.constantFrom(...steps), video_id: fc.constantFrom(...video_ids) }), {
    minLength: 30,
    maxLength: 50,
    size: 'max',
  }),
  { minLength: connections.length, maxLength: connections.length },
)

it('no download is ever in an illegal state, whichever moves happen at the same time', async () => {
  await watchSteps(sql)
  await holds(
    fc.asyncProperty(histories, async lists => {
      const alice = await person(sql, 'alice')
      await follows(alice, 'kitchen', video_ids)
      await follows(alice, 'playlist', ['v1'])
      const { user_id } = alice.user

      const observer = observe(user_id)
      await Promise.all(lists.map((list, n) => act(connections[n] ?? sql, user_id, list)))
      await observer.end()

      expect(await stepsOf(user_id)).toEqual([])
      expect(await illegal(user_id)).toEqual([])
    }),
    { runs: 20, shrinks: false },
  )
})

/** A worker or a person, on a connection of their own. */
async function act(connection: Sql, user_id: UserId, list: Step[]): Promise<void> {
  const library = libraryOf(connection, user_id)
  const held = new Map<string, string>()
  for (const { step, video_id } of list) {
    const claim = held.get(video_id) ?? crypto.randomUUID()
    if (step === 'take') await take(connection, library, video_id, claim, held)
    else if (await doStep[step](library, video_id, claim)) held.delete(video_id)
  }
}

const progress = {
  phase: 'downloading' as const,
  percent: 1,
  downloaded_bytes: 1,
  total_bytes: 2,
  speed: 1,
  eta_seconds: 1,
}

/** `true`: this run is over, whether it still had its claim or not. */
const doStep: Record<
  Exclude<Step['step'], 'take'>,
  (library: Library, id: string, claim: string) => Promise<boolean>
> = {
  request: async (library, id) => !(await library.downloads.request([id])),
  request_by_rule: async (library, id) => !(await library.downloads.request([id], 'rule')),
  cancel: async (library, id) => (await library.downloads.cancel(id)) && false,
  lose_file: async (library, id) => (await library.downloads.deleteFile(id)) && false,
  beat: async ({ downloads }, id, claim) => !(await downloads.beat(id, claim, progress)),
  finish: ({ downloads }, id, claim) =>
    over(
      downloads.finish(
        id,
        claim,
        { download_path: `x/${id}.mp4`, file_size: 1 },
        async () => {},
        async () => {},
      ),
    ),
  fail_for_good: ({ downloads }, id, claim) =>
    over(downloads.fail(id, claim, { download_error: 'Gone.', next_attempt_at: null })),
  fail_for_now: ({ downloads }, id, claim) =>
    over(downloads.fail(id, claim, { download_error: 'Later.', next_attempt_at: new Date(Date.now() + 60_000) })),
  fail_to_a_second_life: ({ downloads }, id, claim) =>
    over(
      downloads.fail(id, claim, {
        download_error: 'Members only.',
        next_attempt_at: new Date(Date.now() + 60_000),
        resets_attempts: true,
        by_rule: true,
        reason: 'bot_check',
        failures: 1,
        holds: { of: 'site', waits_s: [0, 60] },
      }),
    ),
  give_way: ({ downloads }, id, claim) =>
    over(downloads.handBack(id, claim, { refund: true, yielded: { kept_bytes: 5, is_restarted: false } })),
  hand_back: ({ downloads }, id, claim) => over(downloads.handBack(id, claim, { refund: true })),
  // A worker that died: its claim stays until the download is recovered.
  forget: async () => true,
  recover: async ({ downloads, user_id }, id) => {
    const [stale] = await sql<{ claim: string }[]>`
      select download_claim as claim from video_entries
      where  user_id = ${user_id} and video_id = ${id} and download_claim is not null`
    return stale ? !(await downloads.handBack(id, stale.claim)) && false : false
  },
}

const over = (ending: Promise<unknown>) => ending.then(() => true)

/** Runs a job as the queue does: it is locked, then run, and removed when its run is over. */
async function take(connection: Sql, library: Library, id: string, claim: string, held: Map<string, string>) {
  if (held.has(id)) return
  const key = downloadKey({ user_id: library.user_id, video_id: id })
  const [job] = await connection`
    update graphile_worker._private_jobs
    set    locked_at = now(), locked_by = ${claim}, attempts = attempts + 1
    where  key = ${key} and locked_at is null
    returning id`
  if (!job) return
  const started = await library.downloads.start(id, claim)
  if (started && !started.free_at) held.set(id, claim)
  await connection`delete from graphile_worker._private_jobs where id = ${job.id}`
}

/** Reads all downloads in one snapshot after another. */
function observe(user_id: UserId) {
  let going = true
  const looking = (async () => {
    while (going) expect(await illegal(user_id)).toEqual([])
  })()
  looking.catch(() => {})
  return {
    end() {
      going = false
      return looking
    },
  }
}

/** Whatever one snapshot shows that must never be. */
const illegal = (user_id: UserId) => sql`
  with entry as (
    select *, download_status::text as status from video_entries where user_id = ${user_id}
  )
  select 'a claim without a run, or a run without a claim' as what, video_id
  from   entry
  where  (status = 'DOWNLOADING') <> (download_claim is not null and download_heartbeat_at is not null)
  union all
  select 'a file without COMPLETED, or COMPLETED without a file', video_id
  from   entry
  where  (status = 'COMPLETED') <> (download_path is not null and file_size is not null)
  union all
  select 'FAILED without a reason', video_id
  from   entry
  where  status = 'FAILED' and coalesce(download_error, '') = ''
  union all
  select 'COMPLETED and still waited for', video_id
  from   entry
  where  status = 'COMPLETED' and download_requested_at is not null
  union all
  select 'waited for without a job', video_id
  from   entry
  where  download_requested_at is not null and status <> 'DOWNLOADING'
  and    not exists (
           select from graphile_worker.jobs
           where  key = 'download:' || entry.user_id || ':' || entry.video_id)
  union all
  select 'one video in two states, or two runs of it', video_id
  from   entry
  group by video_id
  having count(distinct (status, download_claim, download_requested_at)) > 1
  union all
  -- A job that is replaced while it runs loses its key and is not tried again.
  select 'more than one job that waits', payload ->> 'video_id'
  from   graphile_worker._private_jobs
  where  payload ->> 'user_id' = ${user_id} and payload ->> 'video_id' <> '' and locked_at is null and attempts < max_attempts
  group by payload ->> 'video_id'
  having count(*) > 1
  union all
  select 'kept by a rule, though it is there', video_id
  from   entry
  where  status = 'COMPLETED' and download_by_rule
  union all
  select 'attempts below none', video_id
  from   entry
  where  download_attempts < 0`

/** Lets the database log every change of a status. */
async function watchSteps(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create table steps (user_id uuid, video_id text, from_status text, to_status text, taken boolean);
    create function note_step() returns trigger language plpgsql as $$
    begin
      insert into steps values (new.user_id, new.video_id, old.download_status::text, new.download_status::text,
        old.download_claim is not null and new.download_claim is not null and old.download_claim <> new.download_claim);
      return null;
    end $$;
    create trigger note_step after update of download_status on video_entries
      for each row execute function note_step();`)
}

/** Changes that are not in the table of moves, and claims that passed from one run to another without an end between. */
async function stepsOf(user_id: UserId) {
  const rows = await sql<{ from_status: string; to_status: string; taken: boolean }[]>`
    select from_status, to_status, taken from steps where user_id = ${user_id}`
  seen += rows.length
  const known = Object.values(moves).flatMap(({ from, to }) => from.map(status => `${status} ${to}`))
  return rows.filter(
    ({ from_status, to_status, taken }) => taken || !known.includes(`${from_status} ${to_status}`.toLowerCase()),
  )
}

let seen = 0
afterAll(() => console.log(`${seen} steps were taken`))
