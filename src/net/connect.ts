/** Connects to one of several addresses of a host that were judged together. No name is asked for again. */
import { connect, type Socket } from 'node:net'
import type { Address } from './addresses.ts'

const connect_ms = 15_000
/** A connection over which nothing goes for so long is dropped. */
const idle_ms = 90_000

/** Tries them in their order; rejects with the last reason when none answers. */
export async function firstThatConnects(addresses: Address[], port: number): Promise<Socket> {
  let last: unknown
  for (const { address } of addresses) {
    try {
      return await connected(address, port)
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
