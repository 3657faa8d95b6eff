/** A media server that answers with anything: it is bounded, and its words are shown to no one. */
import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { addressPolicy } from '../../src/net/addresses.ts'
import { serverOpener } from '../../src/servers/kinds.ts'
import { siteWith } from '../support/media/feed-site.ts'

const answers: Record<string, (reply: ServerResponse) => unknown> = {
  moved: reply => reply.writeHead(302, { location: '/elsewhere/library/sections' }),
  large: reply => Array.from({ length: 17 }, () => reply.write(Buffer.alloc(1024 * 1024, ' '))),
  broken: reply => reply.writeHead(503),
  page: reply => reply.writeHead(200, { 'content-type': 'text/html' }),
}

/** A server whose answer is named by its path. */
async function odd(policy = addressPolicy(['127.0.0.1']), timeout_ms = 20_000) {
  const site = await siteWith((request, reply) => {
    const [, name = ''] = /^\/(\w+)\/library/.exec(request.url ?? '') ?? []
    if (name === 'silent') return
    answers[name]?.(reply)
    reply.end('words of the server')
  })
  const open = serverOpener({ policy, timeout_ms })
  const check = (name: string, signal?: AbortSignal) =>
    open({ kind: 'plex', address: `${site.url}/${name}`, key: 'key', person: null, username: 'alice' }, signal).check()
  return { ...site, check }
}

it.each([
  ['moved', 'The server answered with a redirect (302), which is not followed. Enter its new address.'],
  ['large', 'The answer of the server is too large. Check the kind and the address.'],
  ['broken', 'The server answered with status 503.'],
  ['page', 'The answer is none of Plex. Check the kind and the address.'],
])('an answer that is %s is a fault in our words', async (name, sentence) => {
  const { check, asked } = await odd()
  const fault = await check(name).catch((fault: Error) => fault)
  expect(String(fault)).toBe(`ServerFault: ${sentence}`)
  expect(asked).toEqual([`/${name}/library/sections`])
})

it('a server that does not answer is given up', async () => {
  const { check } = await odd(undefined, 50)
  await expect(check('silent')).rejects.toThrow('The server did not answer within 0.05 seconds.')
})

it('a stop of the worker ends the request', async () => {
  const { check } = await odd()
  const stop = new AbortController()
  const waiting = check('silent', stop.signal)
  stop.abort(new Error('the worker stops'))
  await expect(waiting).rejects.toThrow('the worker stops')
})

it('a server in the house is asked nothing until the operator opens its address, and one sentence says so', async () => {
  const { check, asked, port } = await odd(addressPolicy([]))
  await expect(check('page')).rejects.toThrow(
    `The address leads to no public server: if yours is in the house, ask the operator of Backlot to add 127.0.0.1:${port} to ALLOWED_ADDRESSES.`,
  )
  expect(asked).toEqual([])
})
