/**
 * Sorts the test files by what they need, so that a file that needs little costs little. A file says it by what it contains:
 * - `text`: a net that needs no database: it reads sources, or renders pages. `npm run check` runs these.
 * - `apart`: it replaces modules. It gets a process of its own.
 * - `in-process`: it needs a database at most. Such files share the modules that their process has loaded.
 * - `end-to-end`: it starts programs or a browser, and mostly waits for them.
 *
 * `npm test` runs all of these. `npm run test:all` also runs `rest`: the end-to-end files that `rest.ts` lists by name.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rest } from './rest.ts'

export type Kind = 'text' | 'apart' | 'in-process' | 'end-to-end' | 'rest'

const replaces_modules = /\bvi\.(mock|doMock|resetModules)\(/
const programs = /^test\/support\/(browser|process)\//
const database = /^test\/support\/app\/database\.ts$/

const listed = Object.values(rest).flat()
const imports = new Map<string, string[]>()
const files = Map.groupBy(globSync('test/**/*.test.{ts,tsx}'), kindOf)

/** The test files of a kind. */
export const filesOf = (kind: Kind): string[] => files.get(kind) ?? []

const found = filesOf('rest').toSorted()
const wrong = listed.toSorted().filter((file, at) => file !== found[at])
if (wrong[0]) throw new Error(`test/support/run/rest.ts: ${wrong[0]} is gone, needs no program, or is listed twice.`)

function kindOf(file: string): Kind {
  const is_apart = replaces_modules.test(readFileSync(file, 'utf8'))
  const needs_programs = loads(file, programs)
  if (is_apart && needs_programs)
    throw new Error(`${file} replaces modules, so it has a process of its own, without a browser and tools. Split it.`)
  if (is_apart) return 'apart'
  if (!needs_programs) return file.startsWith('test/nets/') && !loads(file, database) ? 'text' : 'in-process'
  return listed.includes(file) ? 'rest' : 'end-to-end'
}

/** Whether the file, or a file of `test` that it imports, imports one of these. */
function loads(file: string, wanted: RegExp, seen = new Set<string>()): boolean {
  if (wanted.test(file)) return true
  if (seen.has(file)) return false
  seen.add(file)
  return importsOf(file).some(path => loads(path, wanted, seen))
}

/** The files of `test` that a file imports; an import of types alone loads nothing. */
function importsOf(file: string): string[] {
  const known = imports.get(file)
  if (known) return known
  const statements = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export)\s(?!type\s)(?:[^'"]*?\sfrom\s)?'(\.[^']+\.tsx?)'/gm,
  )
  const found = [...statements]
    .map(([, path = '']) => join(dirname(file), path))
    .filter(path => path.startsWith('test/'))
  imports.set(file, found)
  return found
}
