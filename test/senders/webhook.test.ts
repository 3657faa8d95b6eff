/** What a webhook gets. Its signature is checked by openssl, which shares no code with us. */
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { addressPolicy } from '../../src/net/addresses.ts'
import { createPost } from '../../src/senders/post.ts'
import { webhookSender } from '../../src/senders/webhook.ts'
import { hostile_titles, message, targetAt } from '../support/app/messages.ts'
import { receiver } from '../support/media/receiver.ts'

const send = webhookSender(createPost({ policy: addressPolicy(['127.0.0.1']) }))

it('gets the message as JSON, with a signature of the body that openssl makes too', async () => {
  const hook = await receiver()
  const sent = { ...message, title: hostile_titles.join('') }
  expect(await send(sent, targetAt('webhook', `${hook.url}/a/hook?key=1`, "it's a key"))).toEqual({ delivered: true })
  const [{ method, path, headers, body } = hook.nothing] = hook.requests
  expect([method, path]).toEqual(['POST', '/a/hook?key=1'])
  expect(JSON.parse(body.toString())).toEqual(sent)
  const { stdout } = await execa('openssl', ['dgst', '-sha256', '-hmac', "it's a key", '-r'], { input: body })
  expect(headers['x-backlot-signature']).toBe(`sha256=${stdout.split(' ')[0]}`)
})

it('gets no signature without a key', async () => {
  const hook = await receiver()
  await send(message, targetAt('webhook', hook.url))
  expect(hook.requests[0]?.headers).not.toHaveProperty('x-backlot-signature')
})

it('gets the same id when the message is sent again', async () => {
  const hook = await receiver(503)
  for (let attempt = 0; attempt < 2; attempt++)
    expect(await send(message, targetAt('webhook', hook.url))).toMatchObject({ delivered: false, retry: true })
  expect(hook.requests.map(({ body }) => JSON.parse(body.toString()).id)).toEqual([message.id, message.id])
})
