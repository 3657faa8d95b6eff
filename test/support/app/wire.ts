/** In this process, over a real connection: what a client sends and hears, byte for byte. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Sends these lines unchanged, and returns the first line of the answer. */
export async function say(url: string, lines: string[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write([...lines, '', ''].join('\r\n'))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return answer.toString().split('\r\n')[0] ?? ''
}

/** Everything the server sends until it closes or resets the connection, or until `enough` matches. */
export async function hear(socket: Socket, enough?: RegExp): Promise<string> {
  let heard = ''
  try {
    for await (const chunk of socket) {
      heard += String(chunk)
      if (enough?.test(heard)) break
    }
  } catch {}
  return heard
}
