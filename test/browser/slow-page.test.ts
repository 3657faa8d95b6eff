/** Checks that nothing moves in a page that arrives in pieces: it is shown when all of it is there. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '../support/app/people.ts'
import { scene } from '../support/app/scene.ts'
import { useSite } from '../support/browser/site.ts'
import { shiftOf } from '../support/browser/weight.ts'

const site = useSite()

let alice: Person

/** Alice's site on a slow line: a page comes in twenty pieces, with time for the browser to paint after each. */
const slow_line = createServer(async ({ url = '/' }, response) => {
  const answer = await site.app.request(url, { headers: { cookie: alice.cookie } })
  const type = answer.headers.get('content-type') ?? ''
  const body = Buffer.from(await answer.arrayBuffer())
  const most = type.startsWith('text/html') ? Math.ceil(body.length / 20) : body.length
  response.writeHead(answer.status, { 'content-type': type })
  for (let sent = 0; sent < body.length; sent += most) {
    response.write(body.subarray(sent, sent + most))
    await pause(20)
  }
  response.end()
})

beforeAll(async () => {
  alice = await scene(site.sql, site.folder)
  // The time of the reader's zone, with its date, is longer than the words of the server.
  await site.sql`update video_entries set download_next_attempt_at = now() + interval '10 days' where video_id = 'retrying'`
  await once(slow_line.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => slow_line.close())

it.each([1280, 390])('nothing moves at %i px while a page arrives', async width => {
  const { port } = slow_line.address() as AddressInfo
  const check = async (path: string) => {
    const { page } = await site.open(undefined, { viewport: { width, height: 800 } })
    const { shift, moved } = await shiftOf(page, `http://127.0.0.1:${port}${path}`)
    expect(await page.locator('main').count(), path).toBe(1)
    expect(shift, `on ${path} moves ${moved.join()}`).toBeLessThan(0.0005)
  }
  // Together, because each mostly waits for its next piece.
  await Promise.all(['/', '/channels/kitchen', '/watch/done-1', '/downloads'].map(check))
})
