/**
 * Carries the database of an embedded Postgres over to the next major version, whose programs cannot read its data: starts both servers,
 * copies row by row into a new data folder, and renames the folders when all is there. The earlier data stays as it was. A process that
 * dies at any moment leaves either the earlier database or the new one; the next start begins again, or completes the renaming.
 */
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { connect, createDatabase } from './client.ts'
import { type CarryOptions, earlierPrograms } from './earlier-programs.ts'
import { type Cluster, exists, requireStopped, stillUsed, usersOf } from './embedded-place.ts'
import { ownMajor } from './embedded-platform.ts'
import { freePort, isRunning, startServer, stopServer, urlOf } from './embedded-server.ts'
import { carriedOf, majorIn, makeDatabase } from './embedded-setup.ts'
import { fillDatabase, withoutTimeouts } from './filling.ts'
import { isOurMigration, migrateTo, newestMigration } from './migrations.ts'
import { countersOf, countRows, ourTables, readJobs, readRows } from './our-tables.ts'

type Place = { cluster: Cluster; password: string }
const as_usual: CarryOptions = { fetch: true, say: console.warn }

/** Does nothing if the database is of this version. Only one process at a time may call it. */
export async function carryOver(folder: string, { cluster, password }: Place, options = as_usual): Promise<void> {
  const [found, own] = [await majorIn(cluster.data), await ownMajor()]
  if (found === own) return
  if (found > own) throw later(cluster.data, found, own)
  await requireUnused(folder, cluster)
  const programs = await earlierPrograms(cluster, found, join(dirname(folder), 'tools'), options)
  const earlier = { ...cluster, ...programs }
  const made = { ...cluster, data: `${cluster.data}.new` }
  // Left over from a process that was killed.
  await requireStopped(made.data)
  for (const left of [made.data, carriedOf(cluster.data)]) await rm(left, { recursive: true, force: true })
  options.say(`The database is carried over from Postgres ${found} to ${own}. This takes some minutes.`)
  await makeDatabase(folder, made, password)
  await withServer(earlier, password, from => withServer(made, password, to => copyDatabase(from, to)))
  await rename(made.data, carriedOf(cluster.data))
  const kept = await freeName(`${cluster.data}.${found}`)
  await rename(cluster.data, kept)
  // Another process may have completed the renaming already.
  await rename(carriedOf(cluster.data), cluster.data).catch(async (fault: unknown) => {
    if (!(await exists(join(cluster.data, 'PG_VERSION')))) throw fault
  })
  options.say(
    `The database is carried over. The earlier one is in ${kept}; delete it with \`rm -r ${kept}\` if all is well.`,
  )
}

const later = (data: string, found: number, own: number) =>
  new Error(
    `The database in ${data} was made by Postgres ${found}, and this version of Backlot has Postgres ${own}. Start the version that made it, or a newer one.`,
  )

/** Throws while a service of an earlier version runs. A server without a service is stopped. */
async function requireUnused(folder: string, cluster: Cluster): Promise<void> {
  if ((await usersOf(folder)).length > 0 && (await isRunning(cluster))) throw stillUsed(cluster.data)
  await requireStopped(cluster.data)
}

async function freeName(name: string, nth = 1): Promise<string> {
  const tried = nth === 1 ? name : `${name}-${nth}`
  return (await exists(tried)) ? freeName(name, nth + 1) : tried
}

/** Runs the server while `work` uses its database. */
async function withServer<T>(cluster: Cluster, password: string, work: (url: string) => Promise<T>): Promise<T> {
  await startServer(cluster, [], await freePort())
  try {
    const url = (await urlOf(cluster, password))('backlot')
    await createDatabase(url)
    return await work(url)
  } finally {
    await stopServer(cluster)
  }
}

/** Copies every table of ours, and the jobs. Throws a sentence if a row is missing at the end. */
async function copyDatabase(from_url: string, to_url: string): Promise<void> {
  const [from, to] = [from_url, to_url].map(url => connect(url, { max: 2, name: 'backlot-command' }))
  if (!from || !to) return
  try {
    const migration = await newestMigration(from)
    // The first start of the earlier version has not reached its migrations.
    if (!migration) return
    if ((await isOurMigration(migration)) !== 'ours')
      throw new Error(
        `The database is of another version of Backlot (${migration.filename}). Start that version again, or a newer one.`,
      )
    await migrateTo(to_url, migration)
    await from.begin('isolation level repeatable read read only', async tx => {
      await withoutTimeouts(tx)
      const tables = await ourTables(tx)
      const lines = new Map<string, number>()
      for (const { name } of tables) lines.set(name, await countRows(tx, name))
      const of = new Map(tables.map(table => [table.name, table]))
      await fillDatabase(to, {
        tables: tables.map(table => ({ ...table, lines: lines.get(table.name) ?? 0 })),
        counters: await countersOf(tx),
        rows: name => readRows(tx, of.get(name) ?? { name, columns: [], key: [] }),
        jobs: () => readJobs(tx),
      })
    })
  } finally {
    await Promise.all([from.end(), to.end()])
  }
}
