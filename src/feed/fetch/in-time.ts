/** Ends the work of a request when its time is over or its signal is aborted, and says in a sentence why it failed. */
import { DomainError } from '../../errors.ts'

export async function inTime<T>(
  signal: AbortSignal | undefined,
  timeout_ms: number,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  const abort = () => stop.abort(signal?.reason)
  const timer = setTimeout(() => stop.abort(tooSlow(timeout_ms)), timeout_ms)
  signal?.addEventListener('abort', abort, { once: true })
  try {
    signal?.throwIfAborted()
    // Name resolution cannot be stopped, but we need not wait for it.
    return await Promise.race([work(stop.signal), aborted(stop.signal)])
  } catch (cause) {
    stop.signal.throwIfAborted()
    throw cause instanceof DomainError ? cause : unreachable(cause)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
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
