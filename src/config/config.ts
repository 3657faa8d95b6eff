/**
 * Reads the settings, which `variables.ts` lists. They are read here and nowhere else, but for what is needed before or without
 * this file: DATA_DIR by `runtime/modules.ts`, PUID, PGID and the folders by `runtime/user.ts`, HOST and PORT by `healthy.ts`. Outside of
 * it, code reads only what the system itself sets: `PATH` and Windows' `SystemRoot` to start programs, and npm's `npm_lifecycle_event`.
 */
import { readFileSync } from 'node:fs'
import { conflictsIn } from './conflicts.ts'
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

/** Throws one sentence that names all wrong variables. An empty variable counts as not set, unless that turns something off. */
export function readConfig(env: Environment): Config {
  const isGiven = ([name, value]: [string, unknown]) => value !== '' || name === 'SPONSORBLOCK_URL'
  const given: Environment = Object.fromEntries(Object.entries(env).filter(isGiven))
  const { found, unreadable } = secretsInFiles(given)
  const read = Variables.safeParse({ ...given, ...found })
  const faults = read.success
    ? conflictsIn(read.data)
    : read.error.issues.map(({ path, message }) => `${String(path[0])} should be ${message}`)
  if (read.success && faults.length + unreadable.length === 0) return read.data
  throw new Error(`Wrong configuration: ${[...unreadable, ...faults].join('; ')}.`)
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
