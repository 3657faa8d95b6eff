/** Connections to a Postgres that no longer answers, through a forwarder that can keep everything back. */
import { connect as connectTo, createServer, type Server, type Socket } from 'node:net'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { isAway } from '../../../src/db/postgres/client.ts'
import { watchedSockets } from '../../../src/db/postgres/silence.ts'
import { useDatabase } from '../../support/app/database.ts'

const db = useDatabase()
let forwarder: Server
let url: string
let is_holding = false
let opened = 0
const sockets = new Set<Socket>()

beforeAll(async () => {
  const { hostname, port } = new URL(db.url)
  forwarder = createServer(client => {
    opened += 1
    const server = connectTo(Number(port), hostname)
    for (const [from, to] of [[client, server] as const, [server, client] as const]) {
      sockets.add(from)
      from.on('data', chunk => is_holding || to.write(chunk))
      from.on('error', () => {})
      from.on('close', () => to.destroy())
    }
  })
  await new Promise<void>(resolve => forwarder.listen(0, '127.0.0.1', resolve))
  const through = new URL(db.url)
  through.port = String((forwarder.address() as { port: number }).port)
  url = through.href
})
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  forwarder.close()
})

const open = (silent_ms: number, answer_ms: number) =>
  postgres(url, { max: 1, ...{ socket: watchedSockets(url, { silent_ms, answer_ms, look_ms: 20 }) } })

it('a statement that only takes long is left alone', async () => {
  const sql = open(100, 60_000)
  expect(await sql`select pg_sleep(1), 'done' as said`).toMatchObject([{ said: 'done' }])
  await sql.end()
})

it('a statement that is never answered fails as of a database that is away, and the next one works when it is back', async () => {
  const sql = open(300, 200)
  await sql`select`
  is_holding = true
  const fault = await sql`select`.catch((fault: unknown) => fault)
  expect(isAway(fault)).toBe(true)
  is_holding = false
  expect(await sql`select 'back' as said`).toMatchObject([{ said: 'back' }])
  await sql.end()
})

it('a silent connection opens no other one while the server answers elsewhere', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const [silent, busy] = [open(1500, 60_000), open(1500, 60_000)]
  await Promise.all([silent`select`, busy`select`])
  opened = 0
  for (let n = 0; n < 25; n++) {
    await busy`select`
    vi.advanceTimersByTime(100)
  }
  // An opened connection would have arrived before the answer.
  await busy`select pg_sleep(0.1)`
  expect(opened).toBe(0)
  await Promise.all([silent.end(), busy.end()])
})
