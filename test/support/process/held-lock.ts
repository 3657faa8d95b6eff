/** As a process: takes a lock in a transaction over a connection of each of our two clients, and then waits. */
import { createRequire } from 'node:module'
import { env } from 'node:process'
import { addressOfPools, connect } from '../../../src/db/postgres/client.ts'

const url = env.DATABASE_URL ?? ''
const pg = createRequire(createRequire(import.meta.url).resolve('graphile-worker'))('pg')

const sql = connect(url, { max: 1 })
const held = sql.begin(async tx => {
  await tx`select pg_advisory_xact_lock(7001)`
  return new Promise(() => {})
})
held.catch(() => {})
const client = new pg.Client({ connectionString: addressOfPools(url) })
client.on('error', () => {})
await client.connect()
await client.query('begin')
await client.query('select pg_advisory_xact_lock(7002)')
console.log('The worker is holding two locks.')
setInterval(() => {}, 60_000)
