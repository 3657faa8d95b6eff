/** Checks what a start loads: a package that only some requests need must not delay every start, or stay in memory. */
import { expect, it } from 'vitest'
import { type Import, importsOf, sourcesIn } from './source.ts'

const sources = await sourcesIn('src', 'jobs')
const loading = Map.groupBy(
  sources.flatMap(importsOf).filter(({ type_only, is_thread, is_lazy }) => !type_only && !is_thread && !is_lazy),
  ({ from }) => from,
)

/** Everything that is loaded when these files are. */
function loadedBy(...files: string[]): Import[] {
  const found = new Map<string, Import>()
  for (const waiting = [...files]; waiting.length > 0; )
    for (const edge of loading.get(waiting.pop() ?? '') ?? [])
      if (!found.has(edge.to)) {
        found.set(edge.to, edge)
        waiting.push(edge.to)
      }
  return [...found.values()]
}

const packagesOf = (edges: Import[]) => edges.filter(({ to }) => !/^(src|jobs|package\.json|node:)/.test(to))
const named = (pattern: RegExp) => (edge: Import) => pattern.test(edge.to)

const rarely_needed =
  /^(graphile-migrate|esbuild|openpgp|oslo|@zxcvbn-ts|yauzl|fast-xml-parser|htmlparser2|entities|swagger-ui-dist|@simplewebauthn|nodemailer|web-push)\b/

it.each([
  ['any role', ['src/main.ts', 'src/roles.ts']],
  ['the web server', ['src/web.ts']],
  ['the worker', ['jobs/worker/main.ts', 'jobs/worker/parts.ts']],
])('the start of %s loads no package that is rarely needed', (_, files) => {
  const loaded = loadedBy(...files)
  expect(packagesOf(loaded).length).toBeGreaterThan(2)
  expect(loaded.filter(named(rarely_needed))).toEqual([])
})

it('the web server starts without the packages of the worker', () => {
  expect(loadedBy('src/web.ts', 'src/roles.ts').filter(named(/^(execa|graphile-worker)\b/))).toEqual([])
})
