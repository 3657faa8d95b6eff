/** Checks that the README is short and that every path in the documents exists. */
import { access, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { host_pace } from '../../jobs/tasks/housekeeping.ts'
import { runners } from '../../jobs/worker/runners.ts'
import { readConfig } from '../../src/config/config.ts'
import { sourcesIn } from './source.ts'

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'src/OPERATIONS.md',
  'src/SCALING.md',
  'src/DECISIONS.md',
]

it.each(documents)('%s names only files that exist', async document => {
  const text = await readFile(document, 'utf8')
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, path = '']) =>
    join(dirname(document), path),
  )
  const mentions = [...text.matchAll(/`((?:src|jobs|test|static|migrations)\/[^`\s<>*]*[a-z0-9])`/g)].map(
    ([, path = '']) => path,
  )
  expect([...links, ...mentions]).not.toEqual([])
  expect(await missingOf([...links, ...mentions])).toEqual([])
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

it('the README can be read in one sitting: 1,500 words at most', async () => {
  const words = (await readFile('README.md', 'utf8')).split(/\s+/).filter(word => /\w/.test(word))
  expect(words.length).toBeLessThanOrEqual(1500)
})

it('SCALING.md derives the pace of feeds from the constants in the code', async () => {
  const guide = (await readFile('src/SCALING.md', 'utf8')).replace(/\s+/g, ' ')
  const { REFRESH_INTERVAL_MINUTES } = readConfig({})
  const in_an_interval = (host_pace.max_feeds * REFRESH_INTERVAL_MINUTES).toLocaleString('en')
  expect(guide).toContain(`A worker fetches ${runners.feeds.jobs_at_once} feeds at once`)
  expect(guide).toContain(`${host_pace.max_feeds} feeds a minute`)
  expect(guide).toContain(`from ${in_an_interval} followed YouTube channels`)
})

it('the feeds of one host that are queued in a minute start within that minute', () => {
  expect(host_pace.max_feeds * host_pace.apart_ms).toBeLessThanOrEqual(60_000)
})

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
