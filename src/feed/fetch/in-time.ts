/** Ends the work of a request when its time is over or its signal is aborted, and says in a sentence why it failed. */
import { DomainError } from '../../errors.ts'

/** The time until `wait` settles is not the site's, so it does not count. One wait at a time. */
export type Uncounted = (wait: Promise<void>) => Promise<void>

export async function inTime<T>(
  signal: AbortSignal | undefined,
  timeout_ms: number,
  work: (stop: AbortSignal, uncounted: Uncounted) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  const abort = () => stop.abort(signal?.reason)
  const deadline = startDeadline(timeout_ms, () => stop.abort(tooSlow(timeout_ms)))
  signal?.addEventListener('abort', abort, { once: true })
  try {
    signal?.throwIfAborted()
    // Name resolution cannot be stopped, but we need not wait for it.
    return await Promise.race([work(stop.signal, deadline.uncounted), aborted(stop.signal)])
  } catch (cause) {
    stop.signal.throwIfAborted()
    throw cause instanceof DomainError ? cause : unreachable(cause)
  } finally {
    deadline.end()
    signal?.removeEventListener('abort', abort)
  }
}

function startDeadline(ms: number, miss: () => void) {
  let left_ms = ms
  let has_ended = false
  let since: number
  let timer: ReturnType<typeof setTimeout>

  const run = () => {
    since = performance.now()
    timer = setTimeout(miss, left_ms)
  }
  const uncounted: Uncounted = async wait => {
    clearTimeout(timer)
    left_ms -= performance.now() - since
    try {
      await wait
    } finally {
      if (!has_ended) run()
    }
  }
  const end = () => {
    has_ended = true
    clearTimeout(timer)
  }
  run()
  return { uncounted, end }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

const tooSlow = (timeout_ms: number) =>
  new DomainError('feed_timeout', `The site did not answer within ${timeout_ms / 1000} seconds. Try again later.`)

function unreachable(cause: unknown): DomainError {
  const code = String((cause as { code?: unknown } | undefined)?.code ?? '')
  const sentence = /CERT|SSL|TLS|SELF_SIGNED|LEAF_SIGNATURE/.test(code)
    ? "This site's certificate is not valid."
    : 'Could not connect to this site, or the connection broke. Try again later.'
  return new DomainError('feed_failed', sentence, { cause })
}
