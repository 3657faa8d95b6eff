/** Settles like `awaited`, or rejects with the signal's reason as soon as the signal is aborted; what is awaited then ends on its own. */
export function unlessAborted<T>(awaited: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal.reason)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  return Promise.race([awaited, aborted.promise]).finally(() => signal.removeEventListener('abort', onAbort))
}
