/**
 * Adds the settings in the file `.env` of the working folder to the environment, so that the service and its commands have the same ones.
 * It loads only what Node brings, so that every entrance can call it before other code is loaded.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { parseEnv } from 'node:util'

type Environment = Record<string, string | undefined>

let names: string[] | undefined

/** The environment of this process, with its file. The file is read once: a process that has left root may not be able to read it again. */
export function environment(): Environment {
  names ??= addFile(process.env)
  return process.env
}

/** The names in the file. */
export const namesInFile = (): string[] => names ?? []

/**
 * A variable that is set keeps its value. `ENV_FILE` names another file; empty: none. Throws a sentence for a file that cannot be read, and
 * for a line that is no setting.
 */
export function addFile(env: Environment): string[] {
  const { ENV_FILE: named } = env
  const path = resolve(named ?? '.env')
  const text = named === '' ? '' : textOf(path, named !== undefined)
  const wrong = text.split('\n').findIndex(line => !/^\s*(?:#|$)|=/.test(line))
  if (wrong >= 0) throw new Error(`Line ${wrong + 1} of ${path} should be a name, “=” and a value.`)
  const read = parseEnv(text)
  for (const [name, value] of Object.entries(read)) env[name] ??= value
  return Object.keys(read)
}

function textOf(path: string, is_needed: boolean): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    if (!is_needed && (cause as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw new Error(`This user cannot read the settings in ${path}. Use the user of the service, or root.`, { cause })
  }
}
