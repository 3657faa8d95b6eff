/** The floors of the house: what may import what. */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

/** The first that fits holds. A file imports its own folder, or lower floors. */
const floors: [pattern: RegExp, floor: number][] = [
  [/^src\/main\.ts$/, 5],
  [/^src\/app\.tsx$/, 4],
  [/^jobs\/(main|parts|downloader|tool-care|tasks|inspect|people)\.ts$/, 4],
  [/^(src\/routes|jobs)\//, 3],
  [/^src\/domain\//, 2],
  [/^src\/(net)\//, 0.5],
  [/^src\/feed\/lists\//, 1.5],
  [/^src\/feed\/dates\//, 0.9],
  [/^src\/(db|feed|ytdlp|auth|views)\//, 1],
  [/^src\/(schema\/|errors\.ts|config\.ts|log\.ts|runtime\.ts|sending\.ts|turns\.ts|pieces\.ts|folders\.ts)/, 0],
]

/** Packages that stay behind one door. */
const doors: Record<string, RegExp> = {
  lucia: /^src\/auth\/sessions\.ts$/,
  'oslo/password': /^src\/auth\/passwords\.ts$/,
  postgres: /^src\/(db\/|auth\/sessions\.ts)/,
  yauzl: /^src\/feed\/lists\//,
  'fast-xml-parser': /^src\/feed\//,
  re2js: /^src\/schema\/pattern\.ts$/,
  'graphile-worker': /^(src\/db\/migrations\.ts|jobs\/)/,
  hono: /^src\/(routes|views|app|runtime)/,
  openpgp: /^src\/ytdlp\/signature\.ts$/,
  execa: /^src\/(ytdlp|db\/embedded)/,
}

/** What only background work may ask: questions across users. */
const cross_user =
  /^src\/db\/(operations|feeds|feed-plans|inspection|hosts|refused-feeds|slots|rule-turns|people|tool-outcomes)\.ts$/

it('imports only its own folder and lower floors', async () => {
  const wrong = (await imports())
    .filter(({ to }) => to.startsWith('src/') || to.startsWith('jobs/'))
    .filter(({ from, to }) => dirname(from) !== dirname(to) && !(floorOf(to) < floorOf(from)))
  expect(wrong).toEqual([])
})

it('keeps routes and jobs apart', async () => {
  const wrong = (await imports()).filter(
    ({ from, to }) =>
      (from.startsWith('src/routes/') && to.startsWith('jobs/')) ||
      (from.startsWith('jobs/') && to.startsWith('src/routes/')),
  )
  expect(wrong).toEqual([])
})

it('asks across users in jobs only', async () => {
  const wrong = (await imports()).filter(
    ({ from, to, type_only }) => cross_user.test(to) && !from.startsWith('jobs/') && !type_only,
  )
  expect(wrong).toEqual([])
})

it('reaches each guarded package through its one door', async () => {
  const wrong = (await imports()).filter(({ from, to }) => {
    const name = Object.keys(doors).find(door => to === door || to.startsWith(`${door}/`))
    return name !== undefined && !doors[name]?.test(from)
  })
  expect(wrong).toEqual([])
})

it('lets views be functions of their data', async () => {
  const views = (await sources()).filter(({ path }) => path.startsWith('src/views/'))
  expect(views.length).toBeGreaterThan(5)
  expect(
    views
      .filter(({ text }) => /\bawait |\basync (function|\()|useContext|from 'hono'/.test(text))
      .map(({ path }) => path),
  ).toEqual([])
})

it('keeps rooms small and names honest', async () => {
  const all = await sources()
  expect(all.filter(({ text }) => text.split('\n').length > 200).map(({ path }) => path)).toEqual([])
  expect(all.filter(({ path }) => /utils|helpers|services/.test(path)).map(({ path }) => path)).toEqual([])
})

it('has a floor for every file', async () => {
  expect((await sources()).map(({ path }) => path).filter(path => Number.isNaN(floorOf(path)))).toEqual([])
})

const floorOf = (path: string): number => floors.find(([pattern]) => pattern.test(path))?.[1] ?? Number.NaN

async function sources(): Promise<{ path: string; text: string }[]> {
  const lists = await Promise.all(['src', 'jobs'].map(folder => readdir(folder, { recursive: true })))
  const paths = [
    ...(lists[0] ?? []).map(name => join('src', name)),
    ...(lists[1] ?? []).map(name => join('jobs', name)),
  ]
  const code = paths.filter(path => /\.tsx?$/.test(path))
  return Promise.all(code.map(async path => ({ path, text: await readFile(path, 'utf8') })))
}

async function imports(): Promise<{ from: string; to: string; type_only: boolean }[]> {
  const found = (await sources()).flatMap(({ path, text }) =>
    [...text.matchAll(/^(?:import|export)\s(type\s)?(?:[^'"]*?\sfrom\s)?'([^']+)'/gms)].map(([, type, to = '']) => ({
      from: path,
      to: to.startsWith('.') ? normalize(join(dirname(path), to)) : to,
      type_only: type !== undefined,
    })),
  )
  expect(found.length).toBeGreaterThan(100)
  return found
}
