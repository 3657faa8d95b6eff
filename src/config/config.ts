/**
 * Reads the settings, which `variables.ts` lists. They are read here and nowhere else, but for what is needed before or without this
 * file: ENV_FILE by `env-file.ts`, DATA_DIR by `runtime/modules.ts`, PUID, PGID and the folders by `runtime/user.ts`, HOST and PORT by
 * `healthy.ts`. Outside of it, code reads only what the system itself sets: `PATH` and Windows' `SystemRoot` to start programs, and npm's
 * `npm_lifecycle_event`.
 */
import { readFileSync } from 'node:fs'
import { isOneOff } from '../schema/search/search-filters.ts'
import { conflictsIn } from './conflicts.ts'
import { environment, namesInFile } from './env-file.ts'
import { type Config, Variables } from './variables.ts'

export type { Config } from './variables.ts'

/** What the web app reads. PUBLIC_URL and REGISTRATION must be given; every other variable has a usual value. */
export type WebConfig = Pick<Config, 'PUBLIC_URL' | 'REGISTRATION'> & Partial<Config>

/** Each of them may be given as `<NAME>_FILE`, too: the path of a file that holds the value. */
const secrets = [
  'DATABASE_URL',
  'DOWNLOAD_PROXY',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'OIDC_CLIENT_SECRET',
  'METRICS_TOKEN',
  'SECRET_KEY',
  'SMTP_URL',
] as const

type Environment = Record<string, string | undefined>

/** The settings of this process, also those of its file. */
export const configOfProcess = (): Config => readConfig(environment(), namesInFile())

/**
 * Throws one sentence that names all wrong variables. An empty variable counts as not set, unless that turns something off.
 * `in_file`: names that were written for Backlot alone, so that an unknown one is a slip.
 */
export function readConfig(env: Environment, in_file: string[] = []): Config {
  const isGiven = ([name, value]: [string, unknown]) => value !== '' || name === 'SPONSORBLOCK_URL'
  const given: Environment = Object.fromEntries(Object.entries(env).filter(isGiven))
  const { found, unreadable } = secretsInFiles(given)
  const read = Variables.safeParse({ ...given, ...found })
  const faults = read.success
    ? conflictsIn(read.data)
    : read.error.issues.map(({ path, message }) => `${String(path[0])} should be ${message}`)
  const all = [...slipsIn(env, in_file), ...unreadable, ...faults]
  if (read.success && all.length === 0) return read.data
  throw new Error(`Wrong configuration: ${all.join('; ')}.`)
}

const known = [...Object.keys(Variables.shape), ...secrets.map(name => `${name}_FILE`), 'PUID', 'PGID', 'ENV_FILE']
/** Of the system, and of Docker Compose, which reads the file `.env`, too. */
const of_others = /^(?:FILMS|TMPDIR|LANG|(?:LC|COMPOSE|DOCKER)_\w+)$/

/**
 * Names that are probably slips of the pen. In the environment, other programs of this machine have names such as LOGLEVEL, and a name that
 * is similar to one that is set, too, may be one of theirs.
 */
function slipsIn(env: Environment, in_file: string[]): string[] {
  const unknown = Object.keys(env).filter(name => !known.includes(name) && !of_others.test(name))
  return unknown.flatMap(name => {
    const is_in_file = in_file.includes(name)
    if (is_in_file && name.startsWith('NODE_')) return [`${name} should be in the environment: Node reads no file`]
    const meant = known.find(one => isOneOff(name, one.toLowerCase()))
    if (meant && (is_in_file || (name.includes('_') && env[meant] === undefined)))
      return [`${name} should be ${meant}, or be removed`]
    return is_in_file ? [`${name} should not be in the file of settings: it is no variable of Backlot`] : []
  })
}

/** Reads the secrets that are given as files. `unreadable`: a sentence for each one that cannot be read, without its text. */
function secretsInFiles(given: Environment): { found: Environment; unreadable: string[] } {
  const found: Environment = {}
  const unreadable: string[] = []
  for (const name of secrets) {
    const path = given[`${name}_FILE`]
    if (path === undefined) continue
    const text = textIn(path)
    if (given[name] !== undefined) unreadable.push(`${name} and ${name}_FILE should not both be set`)
    else if (!text) unreadable.push(`${name}_FILE should be the path of a file that can be read and is not empty`)
    else found[name] = text
  }
  return { found, unreadable }
}

/** Without the line break at the end, which editors add. `undefined`: the file cannot be read. */
function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch {
    return undefined
  }
}

/** Whether a file that one person has is given to others who request the same video. */
export const isSharing = ({ SHARE_FILES }: Partial<Config>): boolean => SHARE_FILES !== 'off'
