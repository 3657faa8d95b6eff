/** Checks the documents: their length and contents, that what they name exists, and that they have the settings and figures of the code. */
import { access, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { host_pace } from '../../jobs/tasks/housekeeping.ts'
import { runners } from '../../jobs/worker/runners.ts'
import { readConfig } from '../../src/config/config.ts'
import { Variables } from '../../src/config/variables.ts'
import { guides, rowsOf } from '../support/run/documents.ts'
import { sourcesIn } from './source.ts'

const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'src/DECISIONS.md', ...guides]
const read = (path: string) => readFile(path, 'utf8')

it.each(documents)('%s names only files that exist', async document => {
  const text = await read(document)
  const mentions = [...text.matchAll(/`((?:docs|src|jobs|test|static|migrations)\/[^`\s<>*]*[a-z0-9])`/g)]
  const paths = [
    ...linksIn(text).map(({ path }) => join(dirname(document), path)),
    ...mentions.map(([, path = '']) => path),
  ]
  expect(await missingOf(paths.filter(path => path !== dirname(document)))).toEqual([])
})

it.each(documents)('the links of %s lead to headings that exist', async document => {
  for (const { path, anchor } of linksIn(await read(document))) {
    if (anchor === undefined) continue
    const page = path === '' ? document : join(dirname(document), path)
    expect([page, anchorsIn(await read(page))]).toEqual([page, expect.arrayContaining([anchor])])
  }
})

it.each(documents)('%s begins with its contents, if it has more than four sections', async document => {
  const text = await read(document)
  const [head = ''] = text.split(/^## /m)
  const sections = [...text.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading)
  const contents = [...head.matchAll(/\[([^\]]*)\]\(#([^)]*)\)/g)].map(([, name, anchor]) => [name, anchor])
  if (sections.length > 4 || contents.length > 0)
    expect(contents).toEqual(sections.map(heading => [heading, anchorOf(heading)]))
})

it('each guide can be read in one sitting, and all guides in an hour', async () => {
  const lengths = await Promise.all(guides.map(async path => [path, wordsIn(await read(path))] as const))
  expect(lengths.length).toBeGreaterThan(8)
  expect(lengths.filter(([, words]) => words > 2500)).toEqual([])
  expect(lengths.reduce((sum, [, words]) => sum + words, 0)).toBeLessThanOrEqual(10_000)
})

it('the README has 1,200 words at most, and names every guide', async () => {
  const readme = await read('README.md')
  expect(wordsIn(readme)).toBeLessThanOrEqual(1200)
  const linked = linksIn(readme).map(({ path }) => path)
  expect(guides.filter(path => !linked.includes(path))).toEqual([])
})

/** Read before or without `variables.ts`, or no setting of ours. */
const [elsewhere, not_ours] = [['PUID', 'PGID', 'ENV_FILE'], ['PATH']]

it('docs/settings.md has every variable with its default', async () => {
  const rows = settingsIn(await read('docs/settings.md'))
  const known = Object.keys(Variables.shape).filter(name => !not_ours.includes(name))
  expect(rows.map(([name]) => name).toSorted()).toEqual([...known, ...elsewhere].toSorted())
  const defaults = Object.entries(readConfig({})).filter(([name, value]) => name !== 'UMASK' && isPlain(value))
  const shown = new Map(rows.map(([name, usual]) => [name, usual]))
  for (const [name, value] of defaults)
    if (shown.has(name)) expect([name, shown.get(name)]).toEqual([name, String(value)])
})

it('the README has a dozen of these variables, in the same words', async () => {
  const all = settingsIn(await read('docs/settings.md'))
  const some = settingsIn(await read('README.md'))
  expect(some.length).toBe(12)
  for (const row of some) expect(all).toContainEqual(row)
})

it('pages link only guides that exist', async () => {
  const views = await sourcesIn('src/views')
  const named = views.flatMap(({ text }) => [...text.matchAll(/guideAddress\('([^']*)'\)/g)].map(([, name]) => name))
  expect(named).toContain('from-others')
  expect(named.filter(name => !guides.includes(`docs/${name}.md`))).toEqual([])
})

it('the comments of sources name only files that exist', async () => {
  const sources = await sourcesIn('src', 'jobs')
  const tests = await sourcesIn('test')
  const known = ['/graphile.config.ts', ...[...sources, ...tests].map(({ path }) => `/${path}`)]
  const named = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:[\w-]+\/)*[\w.-]+\.tsx?)`/g)].map(([, name]) => ({ path, name })),
  )
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter(({ name }) => !known.some(there => there.endsWith(`/${name}`)))).toEqual([])
})

it('sources, tests and programs name only guides and sections that exist', async () => {
  const sources = await sourcesIn('src', 'jobs', 'test')
  const others = await Promise.all(['Dockerfile', 'compose.yaml'].map(async path => ({ path, text: await read(path) })))
  const named = [...sources, ...others].flatMap(({ path, text }) =>
    [...text.matchAll(/(?:“([^”]+)” in )?\b(docs\/[\w-]+\.md)/g)].map(([, section, guide = '']) => ({
      path,
      section,
      guide,
    })),
  )
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter(({ guide }) => !guides.includes(guide))).toEqual([])
  for (const { section, guide } of named)
    if (section) expect([guide, await read(guide)]).toEqual([guide, expect.stringContaining(`\n## ${section}\n`)])
})

it('docs/scaling.md derives the pace of feeds from the constants in the code', async () => {
  const guide = (await read('docs/scaling.md')).replace(/\s+/g, ' ')
  const { REFRESH_INTERVAL_MINUTES } = readConfig({})
  const in_an_interval = (host_pace.max_feeds * REFRESH_INTERVAL_MINUTES).toLocaleString('en')
  expect(guide).toContain(`A worker fetches ${runners.feeds.jobs_at_once} feeds at once`)
  expect(guide).toContain(`${host_pace.max_feeds} feeds a minute`)
  expect(guide).toContain(`from ${in_an_interval} followed YouTube channels`)
})

it('the feeds of one host that are queued in a minute start within that minute', () => {
  expect(host_pace.max_feeds * host_pace.apart_ms).toBeLessThanOrEqual(60_000)
})

const wordsIn = (text: string): number => text.split(/\s+/).filter(word => /\w/.test(word)).length

const isPlain = (value: unknown) => ['number', 'string'].includes(typeof value)

/** Links to other files and to other places of the same file; `path`: '' for these. */
const linksIn = (text: string): { path: string; anchor: string | undefined }[] =>
  [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].map(([, path = '', anchor]) => ({ path, anchor }))

/** As GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

const anchorsIn = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))

/** Name, default and meaning, without the places of links. */
const settingsIn = (text: string): string[][] =>
  rowsOf(text)
    .filter(([name = '']) => /^`[A-Z][A-Z\d_]+`$/.test(name))
    .map(row => row.map(cell => cell.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')))
    .map(([name = '', ...cells]) => [name.replaceAll('`', ''), ...cells])

async function missingOf(paths: string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map(path =>
      access(path).then(
        () => [],
        () => [path],
      ),
    ),
  )
  return found.flat()
}
