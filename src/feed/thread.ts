/** Runs one piece of work in a worker thread of its own, within limits of memory and time. What the thread says is up to the caller. */
import { Worker } from 'node:worker_threads'
import { every } from '../runtime/every.ts'

export type ThreadLimits = {
  memory_mb: number
  /** Processor time, the start of the thread included. Not given: only `timeout_ms` counts. */
  processor_ms?: number
  /** From the start of the thread: for a busy machine, and for runtimes that do not report processor time. */
  timeout_ms: number
}

/** Deno does not report the processor time of a thread. */
export const counts_processor_time = 'cpuUsage' in Worker.prototype

type Work<Result, Message> = {
  file: URL
  /** `workerData` of the thread. */
  data: unknown
  limits: ThreadLimits
  /** Called with every message of the thread, until it resolves or rejects. */
  onMessage: (settle: Settle<Result>) => (message: Message) => void
  /** The error when the thread uses more than its limits, breaks or ends without an answer. */
  failure: (cause?: unknown) => Error
}

export type Settle<Result> = {
  resolve(result: Result): void
  reject(refusal: Error): void
  /** Sends a message to the thread. */
  reply(message: unknown): void
}

/** The thread is ended, whatever happens. */
export function inThread<Result, Message>(work: Work<Result, Message>): Promise<Result> {
  const { file, data, limits, onMessage, failure } = work
  const { memory_mb, processor_ms = Number.POSITIVE_INFINITY, timeout_ms } = limits
  const worker = new Worker(file, { workerData: data, resourceLimits: { maxOldGenerationSizeMb: memory_mb } })
  let watch: NodeJS.Timeout | undefined
  let timer: NodeJS.Timeout | undefined
  return new Promise<Result>((resolve, reject) => {
    const giveUp = (cause?: unknown) => reject(failure(cause))
    if (counts_processor_time && processor_ms !== Number.POSITIVE_INFINITY)
      watch = every(100, () => processorMs(worker).then(used_ms => used_ms > processor_ms && giveUp()))
    timer = setTimeout(giveUp, timeout_ms)
    worker.on('message', onMessage({ resolve, reject, reply: message => worker.postMessage(message) }))
    worker.once('error', giveUp)
    worker.once('exit', () => giveUp())
  }).finally(() => {
    clearInterval(watch)
    // A timer that is still running would keep the result in memory.
    clearTimeout(timer)
    return worker.terminate()
  })
}

/** 0 once the thread has ended. */
async function processorMs(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }))
  return (user + system) / 1000
}
