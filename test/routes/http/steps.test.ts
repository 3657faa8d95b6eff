/** Several checks as one middleware. */
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import type { Env } from '../../../src/routes/http/context.ts'
import { after, before } from '../../../src/routes/http/steps.ts'

type Checks = Parameters<typeof before>

const noted =
  (ran: string[], name: string, check: Checks[0]): Checks[0] =>
  c => {
    ran.push(name)
    return check(c)
  }

async function answered(...checks: Checks) {
  const ran: string[] = []
  const app = new Hono<Env>()
    .onError((fault, c) => c.text(fault.message, 403))
    .use(before(...checks.map((check, n) => noted(ran, `${n}`, check))))
    .get('/', c => {
      ran.push('handler')
      return c.text('whole')
    })
  const answer = await app.request('/')
  return { ran: ran.join(' '), status: answer.status, text: await answer.text() }
}

const pass = () => {}
const passLater = async () => {}

it('checks run in their order before the handler, also those that wait', async () => {
  expect(await answered(pass, passLater, pass, passLater)).toEqual({
    ran: '0 1 2 3 handler',
    status: 200,
    text: 'whole',
  })
})

it.each<[string, Checks[0]]>([
  ['at once', () => new Response('refused', { status: 403 })],
  ['later', async () => new Response('refused', { status: 403 })],
  [
    'by a throw',
    () => {
      throw new Error('refused')
    },
  ],
  [
    'by a throw later',
    async () => {
      throw new Error('refused')
    },
  ],
])('after a check that answers %s, neither the next check nor the handler runs', async (_, refuse) => {
  expect(await answered(passLater, refuse, pass)).toEqual({ ran: '0 1', status: 403, text: 'refused' })
  expect(await answered(pass, refuse, pass)).toEqual({ ran: '0 1', status: 403, text: 'refused' })
})

it('changes are made to the answer of a handler and to that of an error', async () => {
  const app = new Hono<Env>()
    .onError((_, c) => c.text('refused', 403))
    .use(
      after(
        async c => c.res.headers.append('Vary', 'First'),
        c => c.res.headers.append('Vary', 'Second'),
      ),
    )
    .get('/', c => c.text('whole'))
    .get('/fault', () => {
      throw new Error('refused')
    })
  for (const path of ['/', '/fault']) expect((await app.request(path)).headers.get('vary'), path).toBe('First, Second')
})
