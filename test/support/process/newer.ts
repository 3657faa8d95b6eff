/** As another checkout: this version and what a later one would add: a migration, a task, another stylesheet. */
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

const { calculateHash } = createRequire(import.meta.url)('graphile-migrate/dist/hash.js') as {
  calculateHash(body: string, previous: string): string
}

/** A task that this version does not know. */
export const later_task = 'task-of-later'

export async function newerCheckout(folder: string): Promise<string> {
  const newer = join(folder, 'newer')
  await mkdir(newer)
  for (const part of ['src', 'jobs', 'static', 'migrations', 'package.json'])
    await cp(part, join(newer, part), { recursive: true })
  await symlink(resolve('node_modules'), join(newer, 'node_modules'))

  await addMigration(join(newer, 'migrations'))
  const housekeeping = 'housekeeping: housekeepingTask(parts)'
  await change(join(newer, 'jobs/worker/runners.ts'), housekeeping, `${housekeeping}, '${later_task}': async () => {}`)
  await change(join(newer, 'src/routes/http/assets.ts'), "joined.join('')", "joined.join('') + 'later {}'")
  return newer
}

async function change(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
  await writeFile(
    file,
    text.replace(from, () => to),
  )
}

/** Adds columns to the tables that are read and written most. */
async function addMigration(folder: string): Promise<void> {
  const names = (await readdir(join(folder, 'committed'))).toSorted()
  const last = names.at(-1) ?? ''
  const text = await readFile(join(folder, 'committed', last), 'utf8')
  const previous = /^--! Hash: (\S+)$/m.exec(text)?.[1] ?? ''
  const tables = ['users', 'sessions', 'channels', 'video_entries', 'feeds', 'pictures', 'channel_rules', 'workers']
  const added = "add column added_later text not null default ''"
  const body = ['-- What a later version adds.', ...tables.map(table => `alter table ${table} ${added};`)].join('\n')
  const headers = [`--! Previous: ${previous}`, `--! Hash: ${calculateHash(body, previous)}`, '--! Message: later']
  const name = `${String(Number(last.slice(0, 6)) + 1).padStart(6, '0')}-later.sql`
  await writeFile(join(folder, 'committed', name), `${headers.join('\n')}\n\n${body}\n`)
  await writeFile(
    join(folder, 'revert', name),
    tables.map(table => `alter table ${table} drop column added_later;`).join('\n'),
  )
}
