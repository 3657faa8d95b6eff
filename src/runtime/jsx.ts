/** Compiles files with JSX, and keeps the compiled code in a folder for the next start. */
import { createHash } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pid } from 'node:process'

export type Compiler = {
  compile(text: string): string
  /** Changes whenever the same text may give other code. */
  version: string
}

/**
 * Reads a file as JavaScript. `folder`: where compiled code is kept; `undefined`: nowhere. Kept code is used only if it was made by
 * the same compiler from the same text and is undamaged; otherwise it is made again.
 */
export function jsxReader(root: string, folder: string | undefined, { compile, version }: Compiler) {
  return (path: string): string => {
    const text = readFileSync(path, 'utf8')
    if (folder === undefined) return compile(text)
    const file = join(folder, `${relative(root, path).replace(/[\\/]/g, '-')}.js`)
    const headOf = (code: string) => `//${digestOf(version, text, code)}\n`
    const kept = keptIn(file, headOf)
    if (kept !== undefined) return kept
    const code = compile(text)
    keep(file, headOf(code) + code)
    return code
  }
}

function keptIn(file: string, headOf: (code: string) => string): string | undefined {
  try {
    const kept = readFileSync(file, 'utf8')
    const code = kept.slice(kept.indexOf('\n') + 1)
    return kept.startsWith(headOf(code)) ? code : undefined
  } catch {
    return undefined
  }
}

/** Writes the whole file or nothing, because another process may read or write it now. A full disk is no reason not to start. */
function keep(file: string, text: string): void {
  try {
    writeFileSync(`${file}.${pid}`, text, { mode: 0o600 })
    renameSync(`${file}.${pid}`, file)
  } catch {}
}

const digestOf = (...parts: string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex')
