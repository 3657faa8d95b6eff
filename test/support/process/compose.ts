/** Reads a file of Compose as each Compose on this machine does: docker-compose 1.29 of Debian 12, and `docker compose`. */
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from 'node:process'
import { execa } from 'execa'
import { parse } from 'yaml'

export type Service = {
  image: string
  /** Without a value, Compose removes the variable, also where the image sets it. */
  environment?: Record<string, string | null>
  command?: string | string[]
  profiles?: string[]
  depends_on?: Record<string, { condition: string }>
  volumes: (string | { type: string; source: string; target: string })[]
  user?: string
  read_only?: boolean
  cap_add?: string[]
  cap_drop?: string[]
  security_opt?: string[]
  ports?: (string | { published: number | string; target: number; host_ip?: string })[]
}

const known = [['docker-compose'], ['docker', 'compose']]
const are_here = await Promise.all(
  known.map(([program = '', ...args]) => execa(program, [...args, 'version'], { reject: false })),
)
/** The commands of this machine. */
export const composes = known.filter((_, at) => are_here[at]?.exitCode === 0)

/**
 * Copies compose.yaml into `folder` and reads it there. `dotenv`: the text of .env, or none. `shell`: its variables. `profile`: of the
 * services; absent: those of none.
 */
export async function readCompose(
  [program = '', ...args]: string[],
  {
    folder,
    dotenv,
    shell = {},
    profile,
  }: { folder: string; dotenv?: string; shell?: Record<string, string>; profile?: string },
): Promise<Record<string, Service>> {
  await cp('compose.yaml', join(folder, 'compose.yaml'))
  if (dotenv !== undefined) await writeFile(join(folder, '.env'), dotenv)
  const options = { cwd: folder, env: { PATH: env.PATH, HOME: folder, ...shell }, extendEnv: false } as const
  const { stdout } = await execa(program, [...args, ...(profile ? ['--profile', profile] : []), 'config'], options)
  const services = Object.entries<Service>(parse(stdout).services)
  return Object.fromEntries(services.filter(([, { profiles }]) => profiles?.[0] === profile))
}

/** The places of this machine, by the places where the container sees them: a folder, or the name of a volume. */
export const mountsOf = ({ volumes }: Service): Record<string, string> =>
  Object.fromEntries(
    volumes.map(volume => {
      if (typeof volume !== 'string') return [volume.target, volume.source]
      const [, source = '', target = ''] = /^(?:(.*?):)?(\/[^:]*)(?::rw|:ro)?$/.exec(volume) ?? []
      return [target, source]
    }),
  )
