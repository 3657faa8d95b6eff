/** Makes connections to addresses that a policy allowed: directly, or through the proxy of the operator. */
import { connect as connectTcp, type Socket } from 'node:net'
import type { Address } from './addresses.ts'
import { ProxyFault } from './proxy-fault.ts'

export const connect_ms = 15_000

/**
 * Connects to the first address that answers, in order, without resolving the name again. Rejects when none answers: with a fault of the
 * site, if there was one.
 */
export async function firstThatConnects(addresses: Address[], port: number, signal?: AbortSignal): Promise<Socket> {
  const faults: unknown[] = []
  for (const { address, port: instead = port, way } of addresses) {
    signal?.throwIfAborted()
    try {
      return await (way ? way.connect(address, instead, signal) : connected({ host: address, port: instead }, signal))
    } catch (cause) {
      // Another address would find the proxy no better.
      if (cause instanceof ProxyFault && cause.fault !== 'refused') throw cause
      faults.push(cause)
    }
  }
  const of_site = faults.findLast(fault => !(fault instanceof ProxyFault))
  throw of_site ?? faults.at(-1) ?? new Error('No address to connect to.')
}

/** A direct connection. */
export const connected = (
  to: { host: string; port: number },
  signal?: AbortSignal,
  timeout_ms = connect_ms,
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connectTcp(to)
    const fail = (cause: Error) => {
      signal?.removeEventListener('abort', stop)
      socket.destroy()
      reject(cause)
    }
    const stop = () => fail(new Error('The connection was given up.'))
    socket.setTimeout(timeout_ms, () => fail(new Error('The host did not answer.')))
    socket.once('error', fail)
    signal?.addEventListener('abort', stop)
    if (signal?.aborted) stop()
    socket.once('connect', () => {
      signal?.removeEventListener('abort', stop)
      socket.off('error', fail).setTimeout(0).removeAllListeners('timeout')
      resolve(socket)
    })
  })
