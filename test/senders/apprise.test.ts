/**
 * What Apprise gets. Debian has the command and not the API server, so a small server takes the documented shape of the API and hands each
 * message to the command, which delivers it to a service. The command is also a client of the API, and sends the same shape.
 */
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { addressPolicy } from '../../src/net/addresses.ts'
import { appriseSender } from '../../src/senders/apprise.ts'
import { createPost } from '../../src/senders/post.ts'
import { message, targetAt } from '../support/app/messages.ts'
import { receiver } from '../support/media/receiver.ts'
import { apprise_is_here } from '../support/process/apprise.ts'

const send = appriseSender(createPost({ policy: addressPolicy(['127.0.0.1']) }))

type Notification = { title?: string; body: string; type?: string; format?: string }

/** `POST /notify/<key>` of the API. `tell`: what happens to a message. */
const appriseApi = (tell: (notification: Notification) => Promise<number> = async () => 200) =>
  receiver(({ method, path, headers, body }) => {
    if (method !== 'POST' || !/^\/notify\/[\w-]{1,64}\/?$/.test(path)) return 404
    if (!headers['content-type']?.startsWith('application/json')) return 400
    const { title = '', body: text, type = 'info', format = 'text', ...others } = JSON.parse(body.toString())
    const is_valid =
      [title, text].every(value => typeof value === 'string') &&
      text !== '' &&
      ['info', 'success', 'warning', 'failure'].includes(type) &&
      ['text', 'markdown', 'html'].includes(format) &&
      Object.keys(others).every(name => ['tag', 'tags', 'attach', 'attachment', 'urls'].includes(name))
    return is_valid ? tell({ title, body: text, type, format }) : 400
  })

it('hands over title, text, type and the address of the page', async () => {
  const api = await appriseApi()
  expect(await send({ ...message, event: 'space' }, targetAt('apprise', `${api.url}/notify/my-key`))).toEqual({
    delivered: true,
  })
  expect(JSON.parse(String(api.requests[0]?.body))).toEqual({
    title: message.title,
    body: `${message.text}\n\n${message.url}`,
    type: 'warning',
    format: 'text',
  })
})

it.each([
  [204, 'Apprise knows no services for this address (204).', true],
  [424, 'Apprise could not reach all of its services (424).', false],
  [500, 'The receiver answered with status 500.', true],
])('says what status %i means', async (status, detail, retry) => {
  const api = await appriseApi(async () => status)
  expect(await send(message, targetAt('apprise', `${api.url}/notify/my-key`))).toEqual({
    delivered: false,
    detail,
    retry,
  })
})

it.skipIf(!apprise_is_here)("reaches a service through Debian's apprise (skipped without it)", async () => {
  const service = await receiver()
  const api = await appriseApi(async ({ title = '', body, type = '', format = '' }) => {
    const words = ['-t', title, '-b', body, '-n', type, '-i', format]
    return (await execa('apprise', [...words, `json://127.0.0.1:${service.port}/`], { reject: false })).failed
      ? 424
      : 200
  })
  expect(await send(message, targetAt('apprise', `${api.url}/notify/my-key`))).toEqual({ delivered: true })
  const { title, text, url } = message
  expect(JSON.parse(String(service.requests[0]?.body))).toMatchObject({
    title,
    message: `${text}\n\n${url}`,
    type: 'info',
  })
})

it.skipIf(!apprise_is_here)("Debian's apprise sends the same shape to the API (skipped without it)", async () => {
  const api = await appriseApi()
  await execa('apprise', ['-t', message.title, '-b', message.text, `apprise://127.0.0.1:${api.port}/my-key`])
  expect(JSON.parse(String(api.requests[0]?.body))).toMatchObject({
    title: message.title,
    body: message.text,
    type: 'info',
  })
})
