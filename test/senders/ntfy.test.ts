/** What ntfy gets: a server that checks its documentation's format of JSON, and Debian's apprise, which publishes to the same server. */
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { addressPolicy } from '../../src/net/addresses.ts'
import { addressIssue, TargetRequest } from '../../src/schema/notifications/target.ts'
import { ntfySender } from '../../src/senders/ntfy.ts'
import { createPost } from '../../src/senders/post.ts'
import { hostile_titles, message, targetAt } from '../support/app/messages.ts'
import { receiver } from '../support/media/receiver.ts'
import { apprise_is_here } from '../support/process/apprise.ts'

const send = ntfySender(createPost({ policy: addressPolicy(['127.0.0.1']) }))

/** The fields of "Publish as JSON" and their types. */
const fields: Record<string, (value: unknown) => boolean> = {
  topic: value => /^[-_A-Za-z0-9]{1,64}$/.test(String(value)),
  message: value => typeof value === 'string' && Buffer.byteLength(value) <= 4096,
  title: value => typeof value === 'string',
  tags: Array.isArray,
  priority: value => [1, 2, 3, 4, 5].includes(Number(value)),
  click: value => URL.canParse(String(value)),
  attach: value => URL.canParse(String(value)),
  ...Object.fromEntries(
    ['markdown', 'icon', 'filename', 'delay', 'email', 'call', 'actions'].map(name => [name, () => true]),
  ),
}

const ntfy = (token?: string) =>
  receiver(({ method, path, headers, body }) => {
    if (method !== 'POST' || path !== '/') return 404
    if (token !== undefined && headers.authorization !== `Bearer ${token}`) return 401
    const published = JSON.parse(body.toString()) as Record<string, unknown>
    const is_valid = 'topic' in published && Object.entries(published).every(([name, value]) => fields[name]?.(value))
    return is_valid ? 200 : 400
  })

it('publishes on the topic at the root of the server, with title, message, address and token', async () => {
  const server = await ntfy('tk_secret')
  expect(await send(message, targetAt('ntfy', `${server.url}/my-topic_1`, 'tk_secret'))).toEqual({ delivered: true })
  const { title, text, url } = message
  expect(JSON.parse(String(server.requests[0]?.body))).toEqual({
    topic: 'my-topic_1',
    title,
    message: text,
    click: url,
  })
})

it.each(hostile_titles)('publishes the title %j as text, cut where ntfy would make an attachment', async title => {
  const server = await ntfy()
  const sent = { ...message, title, text: title.repeat(20), url: null }
  expect(await send(sent, targetAt('ntfy', `${server.url}/topic`))).toEqual({ delivered: true })
  expect(JSON.parse(String(server.requests[0]?.body))).not.toHaveProperty('click')
})

it.each([String.raw`\topic`, String.raw`\\/topic`, '/./topic', '/other/../topic'])(
  'publishes on the topic of an address that ends in %s',
  async end => {
    const { address } = TargetRequest.parse({ kind: 'ntfy', address: `http://host${end}`, events: ['space'] })
    expect(addressIssue('ntfy', address)).toEqual({ address })
    const server = await receiver(() => 200)
    const sent = await send(message, targetAt('ntfy', server.url.replace('http://', 'http:\\\\') + end))
    expect(sent).toEqual({ delivered: true })
    expect(JSON.parse(String(server.requests[0]?.body))).toMatchObject({ topic: 'topic' })
  },
)

it('says the status when the token is wrong, and nothing of the answer', async () => {
  const server = await ntfy('tk_secret')
  const detail = 'The receiver answered with status 401.'
  expect(await send(message, targetAt('ntfy', `${server.url}/topic`, 'wrong'))).toEqual({
    delivered: false,
    detail,
    retry: true,
  })
})

it.skipIf(!apprise_is_here)("apprise publishes in the same format (skipped without Debian's apprise)", async () => {
  const server = await ntfy()
  await execa('apprise', ['-t', message.title, '-b', message.text, `ntfy://127.0.0.1:${server.port}/topic`])
  expect(JSON.parse(String(server.requests[0]?.body))).toMatchObject({
    topic: 'topic',
    title: message.title,
    message: message.text,
  })
})
