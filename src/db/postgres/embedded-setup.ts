/**
 * Creates the embedded database, in which the service is an ordinary role. This happens in Postgres' single-user mode, while no server
 * runs: the superuser has no password, so no one can connect as superuser, who could start programs and read files.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Cluster,
  clusterAt,
  dataIn,
  exists,
  giveTo,
  inTurn,
  makePlace,
  type Place,
  readPlace,
  writePlace,
} from './embedded-place.ts'
import { nameGiver, ownMajor, runAs } from './embedded-platform.ts'

export const service_role = 'backlot'

/** The cluster of `folder`, ready to be started, and the password of the service. Creates it at the first call. */
export async function prepared(folder: string): Promise<{ cluster: Cluster; password: string }> {
  return (await known(folder)) ?? inTurn(folder, async () => (await known(folder)) ?? setUp(folder))
}

/** `undefined`: it has to be set up first, because there is none, or because Postgres cannot reach it. */
export async function known(folder: string): Promise<{ cluster: Cluster; password: string } | undefined> {
  const place = await readPlace(folder)
  if (!place?.ready) return undefined
  const data = dataIn(folder, place.home)
  if (!(await exists(join(data, 'PG_VERSION')))) throw gone(folder, data)
  await requireOwnMajor(data)
  const cluster = await clusterAt(folder, place.home)
  const is_reachable = cluster.as.owner === undefined || (await runAs(cluster.as, 'test', ['-x', data])).exitCode === 0
  return is_reachable ? { cluster, password: place.password } : undefined
}

/** The programs of one major version of Postgres cannot read the data of another. */
async function requireOwnMajor(data: string): Promise<void> {
  const found = Number.parseInt(await readFile(join(data, 'PG_VERSION'), 'utf8'), 10)
  const own = await ownMajor()
  if (found === own) return
  throw new Error(
    `The database in ${data} was made by Postgres ${found}, and this version of Backlot has Postgres ${own}. Start the version of Backlot that made it. To change to a newer one, run \`npm run backup -- <folder>\` with the version that made it, and \`npm run restore -- <backup>\` with the newer one and another DATA_DIR.`,
  )
}

const gone = (folder: string, data: string) =>
  new Error(
    `The database is gone from ${data}. Put it back there, or delete ${folder}.json to begin with an empty one.`,
  )

async function setUp(folder: string): Promise<{ cluster: Cluster; password: string }> {
  const known: Place = (await readPlace(folder)) ?? { home: null, password: secret(), ready: false }
  const { cluster, place } = await makePlace(folder, known)
  await makeDatabase(folder, cluster, place.password)
  await writePlace(folder, { ...place, ready: true })
  return { cluster, password: place.password }
}

/** Makes the data folder, unless there is one, and the role of the service in it. */
async function makeDatabase(folder: string, made: Cluster, password: string): Promise<void> {
  const name_file = `${folder}.name`
  const name = await nameGiver(name_file)
  const cluster = { ...made, as: { ...made.as, command: [...name, ...made.as.command] } }
  if (await exists(join(cluster.data, 'PG_VERSION'))) await requireOwnMajor(cluster.data)
  else await createCluster(cluster)
  await makeRoles(cluster, password)
  await rm(name_file, { force: true })
}

const secret = () => randomBytes(24).toString('hex')

/** Creates it under another name and renames it, so that an interrupted start leaves no incomplete cluster. */
async function createCluster({ data, as, initdb }: Cluster): Promise<void> {
  const aside = `${data}.${process.pid}`
  const password_file = `${aside}.password`
  // Left over from a process that was killed; in a container the next process has the same id.
  for (const left of [aside, password_file]) await rm(left, { recursive: true, force: true })
  await mkdir(aside, { mode: 0o700 })
  // initdb needs a password for the superuser. It is removed before any server starts.
  await writeFile(password_file, secret(), { flag: 'wx', mode: 0o600 })
  for (const path of [aside, password_file]) await giveTo(as, path)
  const made = await runAs(as, initdb, [
    `--pgdata=${aside}`,
    '--username=postgres',
    `--pwfile=${password_file}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ])
  await rm(password_file, { force: true })
  if (made.exitCode !== 0) throw new Error(`The embedded Postgres could not be created: ${made.stderr}`)
  await rename(aside, data)
}

/** Safe to repeat. Runs the statements, one on each line, up to the first that fails. Of the output only the error is shown. */
async function makeRoles({ data, as, postgres }: Cluster, password: string): Promise<void> {
  const statements = [
    `do $$ begin if not exists (select from pg_roles where rolname = '${service_role}') then create role ${service_role}; end if; end $$`,
    `alter role ${service_role} with login nosuperuser createdb nocreaterole noreplication nobypassrls password '${password}'`,
    'alter role postgres password null',
  ]
  const input = `${statements.join(';\n')};\n`
  const ran = await runAs(as, postgres, ['--single', '-D', data, '-c', 'exit_on_error=on', 'postgres'], { input })
  if (ran.exitCode === 0) return
  const [fault = ''] = /(ERROR|FATAL|PANIC):.*/.exec(String(ran.stderr)) ?? []
  throw new Error(`The embedded Postgres in ${data} could not be set up: ${fault}`)
}
