/** Keeps times that several processes compare on one clock, which `src/runtime/clock.ts` has. */
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { sourcesIn } from './source.ts'

/** They compare the time with files of this machine or with their own earlier readings, or name a folder by it. */
const of_this_machine = [
  'jobs/cli/backup.ts',
  'jobs/tasks/bins.ts',
  'jobs/tasks/housekeeping.ts',
  'jobs/worker/downloader.ts',
  'src/auth/oidc.ts',
  'src/db/postgres/clock.ts',
  'src/db/postgres/embedded-place.ts',
  'src/domain/downloads/arriving-run.ts',
  'src/domain/downloads/arriving.ts',
  'src/domain/service/clock-care.ts',
  'src/domain/service/tool-care.ts',
]

it('code that writes rows, or compares times with rows, reads no clock of its machine', async () => {
  const sources = await sourcesIn('jobs', 'src/auth', 'src/db', 'src/domain', 'src/routes')
  const texts = await Promise.all(sources.map(async ({ path }) => ({ path, text: await readFile(path, 'utf8') })))
  const reading = texts.filter(({ text }) => /\bDate\.now\b|\bnew Date\(\)/.test(text)).map(({ path }) => path)
  expect(reading.toSorted()).toEqual(of_this_machine)
})
