/** What only a real connection shows. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { serve } from '../../src/runtime.ts'
import { useApp } from '../support/app.ts'
import { follows, person } from '../support/people.ts'

const app = useApp()

/** Sends these lines as they are, and gives the first line of the answer. */
async function say(url: string, lines: string[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write([...lines, '', ''].join('\r\n'))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return answer.toString().split('\r\n')[0] ?? ''
}

it('takes requests that say nothing of a body, as curl sends them', async () => {
  const alice = await person(app.sql, 'alice')
  await follows(alice, 'kitchen', ['v1'])
  const server = await serve(app.app.fetch, '127.0.0.1', 0)

  const head = ['POST /api/download/v1 HTTP/1.1', 'Host: localhost', `Cookie: ${alice.cookie}`]
  const bare = await say(server.url, head)
  const typed = await say(server.url, [...head, 'Content-Type: application/x-www-form-urlencoded', 'Content-Length: 0'])
  const removed = await say(
    server.url,
    head.map(line => line.replace('POST', 'DELETE')),
  )
  const chunked = await say(server.url, [...head, 'Transfer-Encoding: chunked', '', '3', 'a=b', '0'])

  await server.close()
  expect([bare, typed, removed, chunked]).toEqual([
    'HTTP/1.1 202 Accepted',
    'HTTP/1.1 202 Accepted',
    'HTTP/1.1 200 OK',
    'HTTP/1.1 415 Unsupported Media Type',
  ])
})
