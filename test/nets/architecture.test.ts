/** Checks the imports against the README, and that files stay small. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { circlesIn, functionsIn, type Import, importsOf, sourcesIn } from './source.ts'

const readme = await readFile('README.md', 'utf8')
const sources = await sourcesIn('src', 'jobs')
const imports = sources.flatMap(importsOf)
const ours = imports.filter(({ to }) => /^(src|jobs)\//.test(to))

/** The floors from the ground up: `    3  src/db  src/feed  one outside thing each`. */
const floors: string[][] = [...readme.matchAll(/^ {4}\d {2}(.*)$/gm)]
  .map(([, line = '']) => line.match(/\b(src|jobs)\/[a-z.]+/g) ?? [])
  .toReversed()

/** The rooms that floors share, from the ground up: `    account → downloads → rules`. */
const shared_rooms = readme.match(/^ {4}([a-z]+(?: → [a-z]+)+)$/m)?.[1]?.split(' → ') ?? []

/**
 * What is on a floor, from the ground up: `    src/db  postgres → search, queue → the rooms`. Folders of one step do not import each other.
 */
const inside = new Map(
  [...readme.matchAll(/^ {4}(src\/[a-z]+) +(\S.* → .*)$/gm)].map(([, floor = '', steps = '']) => [
    floor,
    steps.split(' → ').flatMap(step => (step === 'the rooms' ? shared_rooms.map(room => [room]) : [step.split(', ')])),
  ]),
)

/** These start a process, so no file imports them. */
const entrances = [
  'jobs/cli/backup.ts',
  'jobs/cli/fetch-tools.ts',
  'jobs/cli/import-files.ts',
  'jobs/cli/inspect.ts',
  'jobs/cli/people.ts',
  'jobs/cli/restore.ts',
  'jobs/worker/tasks.ts',
  'src/deno.ts',
  'src/healthy.ts',
  'src/main.ts',
]

/** Packages that only these files may import. */
const doors: Record<string, RegExp> = {
  lucia: /^src\/auth\/sessions\.ts$/,
  'oslo/password': /^src\/auth\/passwords\.ts$/,
  '@simplewebauthn/server': /^src\/auth\/passkeys\.ts$/,
  'openid-client': /^src\/auth\/oidc\.ts$/,
  nodemailer: /^src\/senders\/mail\.ts$/,
  'web-push': /^src\/senders\/browser\.ts$/,
  postgres: /^src\/(db\/|auth\/sessions\.ts)/,
  yauzl: /^src\/feed\/lists\//,
  'fast-xml-parser': /^src\/(feed\/|domain\/podcasts\/xml\.ts$)/,
  re2js: /^src\/schema\/rules\/rule\.ts$/,
  'graphile-worker': /^(src\/db\/postgres\/migrations\.ts|jobs\/)/,
  pg: /^jobs\/worker\/queue\.ts$/,
  hono: /^src\/(routes|views|app|runtime)/,
  openpgp: /^src\/ytdlp\/tools\/release\.ts$/,
  execa: /^src\/(ytdlp|db\/postgres)/,
}

it('the README puts every file on one floor, and names no empty folder', () => {
  expect(sources.filter(({ path }) => floorOf(path) < 0).map(({ path }) => path)).toEqual([])
  const empty = floors.flat().filter(room => !sources.some(({ path }) => isIn(room, path)))
  expect(empty).toEqual([])
})

it('the README orders everything on a floor that has an order, and names no empty room', () => {
  const used = new Set<string>()
  for (const [floor, steps] of inside) {
    const here = new Set(sources.filter(({ path }) => isIn(floor, path)).map(({ path }) => path.split('/')[2] ?? ''))
    const ordered = steps.flat()
    for (const name of here) used.add(name)
    expect([floor, [...here].filter(name => !ordered.includes(name) && !name.includes('.'))]).toEqual([floor, []])
    const own = ordered.filter(name => !shared_rooms.includes(name))
    expect([floor, own.filter(name => !here.has(name))]).toEqual([floor, []])
  }
  expect(shared_rooms.length).toBeGreaterThan(10)
  expect(shared_rooms.filter(room => !used.has(room))).toEqual([])
})

it('a file imports only its own room and what is below it in the README', () => {
  const wrong = ours.filter(edge => !mayImport(edge)).map(nameOf)
  expect(wrong).toEqual([])
})

it('no files import each other in a circle, types included', () => {
  expect(circlesIn(ours.filter(({ is_thread }) => !is_thread))).toEqual([])
})

it('no literal is spread into another one to keep it on one line', () => {
  const spreading = sources.filter(({ text }) => text.includes('...{')).map(({ path }) => path)
  // The types of `postgres` lack an option.
  expect(spreading).toEqual(['src/db/postgres/client.ts'])
})

it('every file is imported, except those that start a process', () => {
  const imported = new Set(ours.map(({ to }) => to))
  expect(sources.map(({ path }) => path).filter(path => !imported.has(path))).toEqual(entrances)
})

it('routes and jobs do not import each other', () => {
  const [routes, jobs] = [/^src\/routes\//, /^jobs\//]
  const wrong = ours.filter(
    ({ from, to }) => (routes.test(from) && jobs.test(to)) || (jobs.test(from) && routes.test(to)),
  )
  expect(wrong).toEqual([])
})

it('only jobs, the desk and the numbers of the service get the right to ask across people, and every such query demands it', () => {
  const makers = sources.filter(({ text }) => /\beveryoneIn\(/.test(text)).map(({ path }) => path)
  expect(makers.filter(path => !isIn('jobs', path) && !isIn('src/db/admin', path))).toEqual([
    'src/db/service/service.ts',
  ])
  const everyones = sources.filter(({ path }) => /^src\/db\/\w+\/everyone\//.test(path))
  const open = everyones.flatMap(({ path, text }) =>
    [
      ...text.matchAll(/^export (?:async )?(?:function|const) (\w+)(?:(?!\n\n)[^{])*?\b(?:sql|tx): (?!Everyone\b)/gm),
    ].map(([, name]) => `${path} ${name}`),
  )
  expect(open).toEqual(parts_of_queries)
})

it("only an administrator's request and the command line get a desk", () => {
  const makers = sources.filter(({ text }) => /\bdeskOf\(/.test(text)).map(({ path }) => path)
  const expected = ['jobs/cli/people-commands.ts', 'src/db/admin/desk.ts', 'src/routes/admin/require-administrator.ts']
  expect(makers).toEqual(expected)
  const users = ours.filter(({ to, type_only }) => isIn('src/db/admin', to) && !type_only).map(({ from }) => from)
  expect(users.filter(path => !isIn('src/db/admin', path) && !expected.includes(path))).toEqual([])
})

/** They run nothing, so they need no right. */
const parts_of_queries = [
  'src/db/service/everyone/figures.ts jobsWithState',
  'src/db/videos/everyone/look-plans.ts siteAt',
]

it('SQL is written only where the database and the sessions are', () => {
  const writers = sources.filter(({ text }) => /\b(?:sql|tx|everyone)(?:<[^`]*>)?`/.test(text)).map(({ path }) => path)
  expect(writers.filter(path => !isIn('src/db', path) && !isIn('src/auth', path))).toEqual([])
  expect(writers.length).toBeGreaterThan(50)
})

it('each guarded package is imported only by its listed file', () => {
  const guarded = imports.filter(({ to }) => doorOf(to) !== undefined)
  expect(guarded.filter(({ from, to }) => !doorOf(to)?.test(from)).map(nameOf)).toEqual([])
})

it('pages are sent with `c.render`, because `c.html` neither adds the path of PUBLIC_URL nor compresses', () => {
  expect(sources.filter(({ text }) => /\bc\.html\(/.test(text)).map(({ path }) => path)).toEqual([])
  expect(sources.filter(({ text }) => /\bc\.render\(/.test(text)).length).toBeGreaterThan(20)
})

it('a view awaits nothing and reads no request', () => {
  const views = sources.filter(({ path }) => isIn('src/views', path))
  const impure = views.filter(({ text }) => /\bawait |\basync (function|\()|useContext|from 'hono'/.test(text))
  expect(impure.map(({ path }) => path)).toEqual([])
})

it('no file is over 300 lines, style sheets included', async () => {
  const sheets = (await readdir('static/css', { recursive: true })).filter(name => name.endsWith('.css'))
  const texts = await Promise.all(
    sheets.map(async name => ({ path: name, text: await readFile(join('static/css', name), 'utf8') })),
  )
  const lengths = [...sources, ...texts].map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
  expect(lengths.filter(({ lines }) => lines > 300)).toEqual([])
})

it('no line of a comment is over 140 characters, in style sheets and modules of the browser too', async () => {
  const names = (await readdir('static', { recursive: true })).filter(name => /\.(css|js)$/.test(name))
  const others = await Promise.all(
    names.map(async name => ({ path: join('static', name), text: await readFile(join('static', name), 'utf8') })),
  )
  const all = [...sources, ...others, ...(await sourcesIn('test'))]
  const long = all.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, n) => (line.length > 140 && comment.test(line) ? [`${path}:${n + 1}`] : [])),
  )
  expect(long).toEqual([])
})

const comment = /^\s*(\/\/|\/?\*)/

/** A component. */
const long_functions = ['src/views/videos/new-page.tsx NewPage']

it('no function has more than 60 lines of its own, SQL not counted, except those listed, nor more than 120 in all', () => {
  const functions = sources.flatMap(functionsIn)
  const long = functions.filter(({ own, all }) => own > 60 || all > 120).map(({ path, name }) => `${path} ${name}`)
  expect(long).toEqual(long_functions)
  expect(functions.length).toBeGreaterThan(4000)
})

it('a timer that repeats cannot end the process', () => {
  const own = sources.filter(({ text }) => /\bsetInterval\(/.test(text)).map(({ path }) => path)
  expect(own).toEqual(['src/runtime/every.ts'])
})

it('no file is called utils, helpers or the like', () => {
  expect(sources.map(({ path }) => path).filter(path => /utils|helpers|services/.test(path))).toEqual([])
})

const isIn = (room: string, path: string): boolean => path === room || path.startsWith(`${room}/`)
const floorOf = (path: string): number => floors.findIndex(rooms => rooms.some(room => isIn(room, path)))
const roomOf = (path: string): string => floors.flat().find(room => isIn(room, path)) ?? path
const nameOf = ({ from, to }: Import): string => `${from} -> ${to}`

function mayImport({ from, to }: Import): boolean {
  const floor = roomOf(from)
  if (floor !== roomOf(to)) return floorOf(to) < floorOf(from)
  const order = inside.get(floor)
  if (!order || nameOn(floor, from) === nameOn(floor, to)) return true
  const stepOf = (path: string) => order.findIndex(names => names.includes(nameOn(floor, path)))
  return stepOf(to) < stepOf(from)
}

/** The room of a file, or the file itself if it is in none. */
const nameOn = (floor: string, path: string): string => path.slice(floor.length + 1).split('/')[0] ?? ''

function doorOf(to: string): RegExp | undefined {
  const name = Object.keys(doors).find(door => to === door || to.startsWith(`${door}/`))
  return name === undefined ? undefined : doors[name]
}
