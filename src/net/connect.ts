/** Connects to one of the addresses of a host that the policy allowed, without resolving the name again. */
import { connect, type Socket } from 'node:net'
import type { Address } from './addresses.ts'

const connect_ms = 15_000
/** A connection without traffic for this long is closed. */
const idle_ms = 90_000

/** Tries the addresses in order. Rejects with the last error when none answers. */
export async function firstThatConnects(addresses: Address[], port: number): Promise<Socket> {
  let last: unknown
  for (const { address, port: instead = port } of addresses) {
    try {
      return await connected(address, instead)
    } catch (cause) {
      last = cause
    }
  }
  throw last ?? new Error('No address to connect to.')
}

const connected = (address: string, port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, address)
    const fail = (cause: Error) => {
      socket.destroy()
      reject(cause)
    }
    socket.setTimeout(connect_ms, () => fail(new Error('The host did not answer.')))
    socket.once('error', fail)
    socket.once('connect', () => {
      socket.off('error', fail).removeAllListeners('timeout')
      resolve(socket.setTimeout(idle_ms, () => socket.destroy()))
    })
  })
