/** As a process, in a checkout: starts requested downloads as the worker does, but downloads nothing. Measures one start. */
import process from 'node:process'
import { median } from '../run/figures.ts'
import { ofCheckout } from '../run/inside.ts'

const { amount, user_id } = JSON.parse(process.argv[2] ?? '{}')
const { connect } = await ofCheckout('src/db/postgres/client.ts')
const { libraryOf } = await ofCheckout('src/db/library.ts')
const { earliestStart } = await ofCheckout('jobs/tasks/download-slots.ts')

const sql = connect(process.env.DATABASE_URL ?? '')
const library = libraryOf(sql, user_id)
// Our own hosts have no limits, so every download may start at once.
const limits = { host_concurrency: 2, host_pause_seconds: 5, isOurs: () => true }
const video_ids = Array.from({ length: amount }, (_, n) => `c3v${n + 1}`)
await library.downloads.request(video_ids)
const times: number[] = []
for (const video_id of video_ids) {
  const began = performance.now()
  const started = await library.downloads.start(video_id, crypto.randomUUID(), earliestStart(limits))
  times.push(performance.now() - began)
  if (!started?.attempt) throw new Error(`${video_id} did not start: ${JSON.stringify(started)}`)
  // The next one starts with as few running downloads as this one.
  await sql`
    update video_entries
    set    download_status = 'PENDING', download_requested_at = null, download_claim = null, download_heartbeat_at = null,
           download_progress = null, download_attempts = 0
    where  user_id = ${user_id} and video_id = ${video_id}`
}
await sql`delete from graphile_worker._private_jobs`
await sql.end()
console.log(JSON.stringify({ value: median(times) }))
