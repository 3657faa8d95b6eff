/** The floors of the house: what may import what. */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

/** The floors, from the ground up, as the README draws them. A file imports its own room or a lower one. */
const floors: string[][] = [
  ['src/schema', 'src/errors.ts', 'src/config.ts'],
  ['src/runtime'],
  ['src/net'],
  ['src/db', 'src/feed', 'src/ytdlp', 'src/auth', 'src/views'],
  ['src/domain'],
  ['src/routes', 'jobs/tasks'],
  ['src/app.tsx', 'jobs/worker', 'jobs/cli'],
  ['src/main.ts'],
]

/** The folders inside a room, from the ground up. Those of one line are strangers to one another. */
const inside: Record<string, string[][]> = {
  'src/db': [['postgres'], ['search', 'queue'], ['library', 'accounts'], ['across']],
  'src/feed': [['dates', 'markup'], ['platforms'], ['formats'], ['pages'], ['fetch'], ['lists']],
  'src/ytdlp': [['run'], ['tools']],
  'src/views': [['parts'], ['pages']],
  'src/routes': [['middleware'], ['files', 'api', 'pages']],
}

/** To be removed, line by line; nothing may be added. */
const known_upward: string[] = [
  'jobs/tasks/download.ts -> jobs/worker/parts.ts',
  'jobs/tasks/download.ts -> jobs/worker/turns.ts',
  'jobs/tasks/housekeeping.ts -> jobs/worker/parts.ts',
  'jobs/tasks/import-channels.ts -> jobs/worker/parts.ts',
  'jobs/tasks/look-at-host.ts -> jobs/worker/parts.ts',
  'jobs/tasks/refresh-feed.ts -> jobs/worker/parts.ts',
]

/** Packages that stay behind one door. */
const doors: Record<string, RegExp> = {
  lucia: /^src\/auth\/sessions\.ts$/,
  'oslo/password': /^src\/auth\/passwords\.ts$/,
  postgres: /^src\/(db\/|auth\/sessions\.ts)/,
  yauzl: /^src\/feed\/lists\//,
  'fast-xml-parser': /^src\/feed\//,
  re2js: /^src\/schema\/pattern\.ts$/,
  'graphile-worker': /^(src\/db\/postgres\/migrations\.ts|jobs\/)/,
  hono: /^src\/(routes|views|app|runtime)/,
  openpgp: /^src\/ytdlp\/tools\/signature\.ts$/,
  execa: /^src\/(ytdlp|db\/postgres)/,
}

it('imports only its own folder and lower floors', async () => {
  const wrong = (await imports())
    .filter(({ to }) => to.startsWith('src/') || to.startsWith('jobs/'))
    .filter(({ from, to }) => !mayImport(from, to))
    .map(({ from, to }) => `${from} -> ${to}`)
  expect(wrong.toSorted()).toEqual(known_upward)
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
    ({ from, to, type_only }) =>
      to.startsWith('src/db/across/') && !from.startsWith('src/db/across/') && !from.startsWith('jobs/') && !type_only,
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
  expect((await sources()).map(({ path }) => path).filter(path => floorOf(path) < 0)).toEqual([])
})

const isIn = (room: string, path: string): boolean => path === room || path.startsWith(`${room}/`)
const floorOf = (path: string): number => floors.findIndex(rooms => rooms.some(room => isIn(room, path)))
const roomOf = (path: string): string => floors.flat().find(room => isIn(room, path)) ?? path

function mayImport(from: string, to: string): boolean {
  const room = roomOf(from)
  if (room !== roomOf(to)) return floorOf(to) < floorOf(from)
  const order = inside[room]
  if (!order || dirname(from) === dirname(to)) return true
  const stepOf = (path: string) => order.findIndex(folders => folders.some(folder => isIn(`${room}/${folder}`, path)))
  return stepOf(to) < stepOf(from)
}

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
