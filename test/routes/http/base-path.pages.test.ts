/** Below the path of PUBLIC_URL: no address of any page, part of a page or answer of the API leads out of the path. */
import { beforeAll, expect, it } from 'vitest'
import { administration } from '../../support/app/administration.ts'
import { unlimited, useApp } from '../../support/app/app.ts'
import { addressesOutside, linksIn } from '../../support/app/below-path.ts'
import { pages } from '../../support/app/pages.ts'
import { type Person, person } from '../../support/app/people.ts'
import { storePicture } from '../../support/app/pictures.ts'
import { addFacts, addOpenedByName, scene } from '../../support/app/scene.ts'

const base = '/backlot'
const site = useApp({ PUBLIC_URL: `http://home.example${base}`, limits: unlimited })
let people: Record<'alice' | 'newcomer' | 'administrator', Person>

beforeAll(async () => {
  const alice = await scene(site.sql, site.folder)
  await addFacts(alice, site.folder)
  await addOpenedByName(site.sql, alice)
  const [newcomer, admin] = [await person(site.sql, 'newcomer'), await administration(site.sql)]
  people = { alice, newcomer, administrator: admin }
})

/** Requests a page, and the part of it that htmx would get. Returns what leads out of the path, and the addresses below it. */
async function look(path: string, as: Person | undefined, method = 'GET') {
  const [outside, inside]: [string[], string[]] = [[], []]
  for (const headers of [{ accept: 'text/html' }, { 'hx-request': 'true' }]) {
    const answer = await site.ask(path, {
      ...(as && { as }),
      ...(method === 'POST' && { form: {} }),
      headers: { ...headers, host: 'home.example' },
    })
    const text = await answer.text()
    outside.push(...addressesOutside(answer, text, base).map(address => `${method} ${path}: ${address}`))
    inside.push(...linksIn(text).filter(address => address.startsWith(`${base}/`)))
  }
  return { outside, inside }
}

it('no answer of the API leads out of the path', async () => {
  // The next test sends forms that delete what alice has.
  const bob = await scene(site.sql, site.folder)
  await storePicture(site, 'video', 'https://videos.example/done-1.jpg')
  const document = await site.ask('/api/openapi.json', { as: bob })
  const { servers, paths } = (await document.json()) as { servers: { url: string }[]; paths: Record<string, object> }
  expect(servers[0]?.url).toBe('/backlot/api')

  const outside: string[] = []
  let pictures = 0
  for (const path of Object.keys(paths).filter(path => 'get' in (paths[path] ?? {}))) {
    const named = path.replace('{video_id}', 'done-1').replace('{channel_id}', 'kitchen')
    const answer = await site.ask(`${base}/api${named}`, { as: bob })
    const text = await answer.text()
    outside.push(...addressesOutside(answer, text, base).map(address => `${path}: ${address}`))
    pictures += text.match(/"picture_url":"\/backlot\/pictures\//g)?.length ?? 0
  }
  expect(outside).toEqual([])
  expect(pictures).toBeGreaterThan(1)
})

it('no page, and nothing that it requests, leads out of the path', async () => {
  const [outside, seen]: [string[], Set<string>] = [[], new Set()]
  for (const { path, ...who } of Object.values(pages).flat()) {
    const as = who.signed_out
      ? undefined
      : people[who.no_channels ? 'newcomer' : who.as_administrator ? 'administrator' : 'alice']
    const page = await look(base + path, as)
    outside.push(...page.outside)
    for (const address of page.inside) {
      const kind = address.replace(/[?#].*/, '')
      const asked = `${as?.user.username} ${kind}`
      if (seen.has(asked) || ends_the_session.test(kind)) continue
      seen.add(asked)
      for (const method of ['GET', 'POST']) outside.push(...(await look(address, as, method)).outside)
    }
  }
  expect(outside).toEqual([])
  expect(seen.size).toBeGreaterThan(200)
})

const ends_the_session = /^\/backlot\/(logout|settings\/(delete|sessions|password)|static\/)/
