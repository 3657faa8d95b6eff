/**
 * Ends connections to a Postgres that no longer answers: its machine hangs, or the network between drops everything. The system would wait
 * a quarter of an hour. A statement that only takes long is left alone, because a new connection is answered meanwhile.
 */
import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import { every } from '../../runtime/every.ts'
import { joined, within } from '../../runtime/within.ts'

type Place = { host: string[]; port: number[]; path?: string | undefined }

/**
 * Milliseconds without a byte after which a connection is doubted, in which a new one has to be answered, and between two looks. A shared
 * answer was requested after the silence began, because `answer_ms` is shorter.
 */
const usual = { silent_ms: 15_000, answer_ms: 10_000, look_ms: 2000 }

/** When a connection of this process last received something, by the address of its server. Noticed up to `look_ms` later. */
const heard_at = new Map<string, number>()

/** Makes the sockets of one pool; an option of `postgres`. */
export function watchedSockets(url: string, times = usual): (place: Place) => Socket {
  const answers = joined(() => isAnswering(url, times.answer_ms))
  let opened = 0
  return ({ host, port, path }) => {
    const at = opened++ % host.length
    const socket = path ? connect(path) : connect(port[at] ?? 0, host[at])
    endWhenSilent(socket, url, answers, times)
    // TLS needs the name.
    return Object.assign(socket, { host: host[at] })
  }
}

/**
 * Doubts a silent socket, whether it waits for an answer or not, and then less and less often. A server that another connection heard
 * during the silence answers; to open a connection takes both sides 20 ms of processor time. By a timer and not by events, because the
 * client removes all listeners when it begins TLS.
 */
function endWhenSilent(
  socket: Socket,
  url: string,
  answers: () => Promise<boolean>,
  { silent_ms, look_ms }: typeof usual,
): void {
  let read = 0
  let moved = 0
  let moved_at = performance.now()
  let doubted_after_ms = silent_ms
  const timer = every(look_ms, async () => {
    if (socket.destroyed) return clearInterval(timer)
    const now = performance.now()
    if (socket.bytesRead !== read) heard_at.set(url, now)
    read = socket.bytesRead
    const bytes = read + socket.bytesWritten
    if (bytes !== moved) [moved, moved_at, doubted_after_ms] = [bytes, now, silent_ms]
    if (now - moved_at < doubted_after_ms) return
    doubted_after_ms *= 2
    const heard_ms = now - (heard_at.get(url) ?? Number.NEGATIVE_INFINITY)
    const is_answering = heard_ms < silent_ms - 2 * look_ms || (await answers())
    if (is_answering || socket.bytesRead + socket.bytesWritten !== moved) return
    socket.destroy()
  })
  timer.unref()
}

/** A refusal is an answer too. */
async function isAnswering(url: string, answer_ms: number): Promise<boolean> {
  const sql = postgres(url, { max: 1, connect_timeout: answer_ms / 1000, fetch_types: false, onnotice: () => {} })
  try {
    await within(answer_ms, sql`select`)
    return true
  } catch (fault) {
    return fault instanceof postgres.PostgresError
  } finally {
    void sql.end({ timeout: 0 })
  }
}
