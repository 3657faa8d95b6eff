/** What the driver does when its connection is lost: no fault ends the process, and the next statement works. */
import { connect as connectTo, createServer, type Socket } from 'node:net'
import postgres from 'postgres'
import { expect, it, onTestFinished, vi } from 'vitest'
import { connect, isAway, isOfDriver, type Sql } from '../../../src/db/postgres/client.ts'
import { useDatabase } from '../../support/app/database.ts'

const db = useDatabase()

function open(): Sql {
  const sql = connect(db.url, { max: 1 })
  onTestFinished(() => sql.end({ timeout: 1 }))
  return sql
}

async function endBackend(pid: number): Promise<void> {
  await db.sql`select pg_terminate_backend(${pid})`
  await vi.waitFor(async () => expect(await db.sql`select from pg_stat_activity where pid = ${pid}`).toHaveLength(0))
}

const pidOf = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  return row?.pid ?? 0
}

const faultOf = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => undefined,
    (fault: unknown) => fault,
  )

/** A connection to a server that is ready, and calls `onStatement` with the first statement. */
async function connectedTo(onStatement: (bytes: Buffer, socket: Socket) => void): Promise<Sql> {
  const server = createServer(socket => {
    socket.once('data', () => {
      // The password is right, and the server is ready.
      socket.write(Buffer.from('520000000800000000' + '5a0000000549', 'hex'))
      socket.once('data', bytes => onStatement(bytes, socket))
    })
  })
  onTestFinished(() => void server.close())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const sql = connect(`postgres://us@127.0.0.1:${port}/ours`, { max: 1 })
  onTestFinished(() => sql.end({ timeout: 0 }))
  return sql
}

/** A pool, and the sockets that it opened. */
function withSockets(max: number) {
  const { hostname, port } = new URL(db.url)
  const sockets: Socket[] = []
  const socket = () => {
    const made = connectTo(Number(port), hostname)
    sockets.push(made)
    return made
  }
  const sql = postgres(db.url, { max, fetch_types: false, ...{ socket } })
  onTestFinished(() => sql.end({ timeout: 1 }))
  return { sql, sockets }
}

it('a new connection sends no statement but ours', async () => {
  const sent = Promise.withResolvers<string>()
  const sql = await connectedTo(bytes => sent.resolve(bytes.toString('latin1')))
  void faultOf(sql`select 'ours'`)
  expect(await sent.promise).toContain("select 'ours'")
})

it('a pool can be closed at once after a statement whose connection was reset', async () => {
  const sql = await connectedTo((_, socket) => void socket.resetAndDestroy())
  const fault = await faultOf(sql`select 1`)
  await sql.end()
  expect(isAway(fault)).toBe(true)
})

it('a transaction whose backend ends between two statements fails, and the next one works', async () => {
  const sql = open()
  const lost = sql.begin(async tx => {
    await endBackend(await pidOf(tx as unknown as Sql))
    await Promise.allSettled([tx`select 1`, tx`select 2`])
    await tx`select 3`
  })
  expect(isAway(await faultOf(lost))).toBe(true)
  expect(await sql.begin(async tx => await tx`select 2 as n`)).toMatchObject([{ n: 2 }])
})

it('no statement of a transaction whose connection was lost goes into the next transaction', async () => {
  const sql = open()
  await db.sql`create table kept (by text)`
  const lost = Promise.withResolvers<void>()
  const again = Promise.withResolvers<void>()
  const first = faultOf(
    sql.begin(async tx => {
      await endBackend(await pidOf(tx as unknown as Sql))
      lost.resolve()
      await again.promise
      await tx`insert into kept values ('the first')`
    }),
  )
  await lost.promise
  const second = sql.begin(async tx => {
    await tx`insert into kept values ('the second')`
    again.resolve()
    expect(isAway(await first)).toBe(true)
    await tx`insert into kept values ('the second')`
  })
  await second
  expect(await sql`select by from kept`).toEqual([{ by: 'the second' }, { by: 'the second' }])
})

it('what was not sent when a connection was lost is not sent with the next one', async () => {
  const { sql, sockets } = withSockets(2)
  await Promise.all([sql`select pg_sleep(0.1)`, sql`select pg_sleep(0.1)`])
  const written = sockets.map(({ bytesWritten }) => bytesWritten)
  // Both connections close in one turn. What one of them was asked goes to the other, which has not noticed yet.
  const lost = faultOf(sql`select pg_sleep(9)`.catch(() => sql`select 'lost'`))
  const busy = await vi.waitFor(() => {
    const found = sockets.findIndex(({ bytesWritten }, n) => bytesWritten > (written[n] ?? 0))
    expect(found).not.toBe(-1)
    return found
  })
  // Node closes the last one first.
  sockets[1 - busy]?.destroy()
  sockets[busy]?.destroy()
  expect(isAway(await lost)).toBe(true)
  const next = Array.from({ length: 4 }, () => sql`select 'next' as it`)
  expect((await Promise.all(next)).flat()).toEqual(Array(4).fill({ it: 'next' }))
})

it('a statement that is sent between the fault of a connection and its close fails, and the next one works', async () => {
  const { sql, sockets } = withSockets(1)
  await sql`select 1`
  const first = faultOf(sql`select pg_sleep(9)`)
  const second = first.then(() => faultOf(sql`select 'lost'`))
  await new Promise(setImmediate)
  sockets[0]?.destroy(Object.assign(new Error('the network is gone'), { code: 'ECONNRESET' }))
  expect([isAway(await first), isAway(await second)]).toEqual([true, true])
  expect(await sql`select 'next' as it`).toMatchObject([{ it: 'next' }])
})

it('a statement that waits for another one of its transaction fails with it', async () => {
  const { sql, sockets } = withSockets(1)
  const both = Promise.withResolvers<unknown[]>()
  const lost = faultOf(
    sql.begin(async tx => {
      // A statement with a value, before which the driver asks for its types, lets the next one wait.
      both.resolve(Promise.all([faultOf(tx`select pg_sleep(${9})`), faultOf(tx`select 'waits'`)]))
      await both.promise
    }),
  )
  await vi.waitFor(async () =>
    expect(await db.sql`select from pg_stat_activity where query = 'select pg_sleep($1)'`).toHaveLength(1),
  )
  sockets[0]?.destroy()
  expect((await both.promise).map(isAway)).toEqual([true, true])
  expect(isAway(await lost)).toBe(true)
})

it('a connection that ends during its first statement leaves no fault to the next one', async () => {
  const sql = open()
  const waiting = faultOf(sql`select pg_sleep(60)`)
  const pid = await vi.waitFor(async () => {
    const [row] = await db.sql<{ pid: number }[]>`
      select pid from pg_stat_activity where query = 'select pg_sleep(60)' and datname = current_database()`
    if (!row) throw new Error('not yet')
    return row.pid
  })
  await endBackend(pid)
  expect(isAway(await waiting)).toBe(true)
  expect(await sql`select 'works' as it`).toMatchObject([{ it: 'works' }])
})

it('a pool can be closed after its connection was lost', async () => {
  const sql = connect(db.url, { max: 1 })
  const lost = faultOf(sql`select pg_sleep(61)`)
  const [{ pid } = { pid: 0 }] = await vi.waitFor(async () => {
    const found = await db.sql<{ pid: number }[]>`select pid from pg_stat_activity where query = 'select pg_sleep(61)'`
    expect(found).toHaveLength(1)
    return found
  })
  await endBackend(pid)
  await lost
  expect(await sql.end()).toBeUndefined()
})

it('a fault of a statement is no fault of the driver alone', async () => {
  expect([isOfDriver(await faultOf(open()`select nothing`)), isOfDriver(new Error('ours'))]).toEqual([false, false])
  const theirs = Object.assign(new Error(), {
    stack: `Error\n    at Socket.closed (file:///app/node_modules/postgres/src/connection.js:1:1)\n    at node:net:1:1`,
  })
  expect(isOfDriver(theirs)).toBe(true)
})
