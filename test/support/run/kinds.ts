/**
 * Sorts the test files by what they need, so that a file that needs little costs little. A file says it by what it contains, so no list
 * has to be kept:
 * - `apart`: it replaces modules, or runs the suites of other files. It gets a process of its own.
 * - `end-to-end`: it starts programs or a browser, and mostly waits for them.
 * - `many-machines`: it starts a network of machines, which would starve the browsers of others. It runs after all others.
 * - `in-process`: all others. They share the modules that their process has loaded.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Vitest starts the kinds in the order of their names: files that mostly wait first, and the many short files fill the gaps at the end. */
export type Kind = 'apart' | 'end-to-end' | 'in-process' | 'many-machines'

const replaces_modules = /\bvi\.(mock|doMock|resetModules)\(/
const runs_other_files = /\bimport\([^)]*\.test\.tsx?['`]\)/
const programs = /^test\/support\/(browser|process)\//
const machines = /^test\/support\/process\/machines\.ts$/

export function filesOf(kind: Kind): string[] {
  return globSync('test/**/*.test.{ts,tsx}').filter(file => kindOf(file) === kind)
}

function kindOf(file: string): Kind {
  const text = readFileSync(file, 'utf8')
  const is_apart = replaces_modules.test(text) || runs_other_files.test(text)
  const needs_programs = loads(file, programs)
  if (is_apart && needs_programs)
    throw new Error(
      `${file} replaces modules or runs other test files, and has no browser and no tools then. Split it.`,
    )
  if (is_apart) return 'apart'
  if (loads(file, machines)) return 'many-machines'
  return needs_programs ? 'end-to-end' : 'in-process'
}

/** Whether the file, or a file of `test` that it imports, imports one of these. */
function loads(file: string, wanted: RegExp, seen = new Set<string>()): boolean {
  if (wanted.test(file)) return true
  if (seen.has(file)) return false
  seen.add(file)
  return importsOf(file).some(path => loads(path, wanted, seen))
}

const imports = new Map<string, string[]>()

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
