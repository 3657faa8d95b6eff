/** As a process, in a checkout: takes waiting downloads as a worker does, but downloads nothing. Measures how long one claim takes. */
import { EventEmitter } from 'node:events'
import process from 'node:process'
import { median } from '../run/figures.ts'
import { ofCheckout } from '../run/inside.ts'

const { amount } = JSON.parse(process.argv[2] ?? '{}')
const database_url = process.env.DATABASE_URL ?? ''
const { run } = await ofCheckout('node_modules/graphile-worker/dist/index.js')
const { runner_options } = await ofCheckout('jobs/worker/runner.ts')
const { skippedFlags } = await ofCheckout('jobs/tasks/download-slots.ts')
const { connect } = await ofCheckout('src/db/postgres/client.ts')

const sql = connect(database_url)
const limits = { host_concurrency: 2, host_pause_seconds: 5, isOurs: () => false }
const times: number[] = []
const enough = Promise.withResolvers<void>()
const events = new EventEmitter()
let began = 0
events.on('worker:getJob:start', () => {
  began = performance.now()
})
events.on('job:start', () => {
  times.push(performance.now() - began)
  if (times.length === amount) enough.resolve()
})
const runner = await run({
  connectionString: database_url,
  taskList: { download: async () => {} },
  forbiddenFlags: () => skippedFlags(sql, limits),
  parsedCronItems: [],
  noHandleSignals: true,
  events,
  preset: { worker: { ...runner_options, concurrentJobs: 1, maxPoolSize: 4 } },
})
await enough.promise
await runner.stop()
await sql.end()
console.log(JSON.stringify({ value: median(times) }))
