/** Restores a backup into an empty database: all of it, or nothing. Checks the list of files; copies no files. */
import type { Everyone } from '../../db/everyone.ts'
import { fillDatabase, requireEmpty } from '../../db/postgres/filling.ts'
import { isOurMigration, migrateTo, migrateUp } from '../../db/postgres/migrations.ts'
import { connectionsOfService } from '../../db/service/everyone/snapshot.ts'
import { type BackupPart, ListLine, type Manifest } from '../../schema/service/backup.ts'
import { type Backup, linesOf, openBackup, part_names } from '../../store/backup-folder.ts'
import { type FileFault, faultOf } from '../../store/file-list.ts'
import type { Files } from '../../store/files.ts'

export type RestoreReport = {
  made_at: string
  rows: number
  jobs: number
  /** Files in the list. */
  files: number
  /** Files that are missing or different in the storage, at most `max_named_faults`; and how many they are. */
  faults: { path: string; fault: FileFault }[]
  faulty_files: number
}

/** `undefined`: there is no database yet. A dry run makes none. */
type Target = { sql: Everyone; url: string } | undefined
export type RestoreOptions = { dry_run: boolean; check_files: boolean }

const max_named_faults = 100

/** Throws a sentence, and has changed no row then, if the backup cannot be restored here. */
export async function restore(
  target: Target,
  files: Files,
  folder: string,
  { dry_run, check_files }: RestoreOptions,
): Promise<RestoreReport> {
  const backup = await openBackup(folder)
  const { manifest } = backup
  await requireKnown(manifest)
  if (target) await requireUnused(target.sql)
  if (target) await requireEmpty(target.sql)
  for (const [name, part] of partsOf(manifest)) for await (const _ of backup.read(name, part));
  if (target && !dry_run) await fill(target, backup)
  const rows = manifest.tables.reduce((sum, { lines }) => sum + lines, 0)
  const checked = await checkFiles(backup, files, check_files)
  return { made_at: manifest.made_at, rows, jobs: manifest.jobs.lines, ...checked }
}

async function requireKnown({ migration, backlot }: Manifest): Promise<void> {
  const known = await isOurMigration(migration)
  if (known === 'newer')
    throw new Error(
      `This backup was made by Backlot ${backlot}, whose database is newer (${migration.filename}) than this version knows. Install that version, or a newer one, and restore it there.`,
    )
  if (known === 'other')
    throw new Error(
      `This backup was made by a version of Backlot with other migrations (${migration.filename}), so it cannot be restored here.`,
    )
}

async function requireUnused(sql: Everyone): Promise<void> {
  if ((await connectionsOfService(sql)) > 0)
    throw new Error('A running service uses this database. Stop every process of Backlot, then restore.')
}

const partsOf = ({ tables, jobs, files }: Manifest): [string, BackupPart][] => [
  ...tables.map((table): [string, BackupPart] => [part_names.ofTable(table.name), table]),
  [part_names.jobs, jobs],
  [part_names.files, files],
]

async function fill({ sql, url }: { sql: Everyone; url: string }, { manifest, read }: Backup): Promise<void> {
  const { tables, counters, jobs, migration } = manifest
  const of = new Map(tables.map(table => [table.name, table]))
  await migrateTo(url, migration)
  await fillDatabase(sql, {
    tables,
    counters,
    rows: name => read(part_names.ofTable(name), of.get(name) as BackupPart),
    jobs: () => read(part_names.jobs, jobs),
  })
  await migrateUp(url)
}

async function checkFiles({ manifest, read }: Backup, files: Files, hash: boolean) {
  const report: Pick<RestoreReport, 'files' | 'faults' | 'faulty_files'> = { files: 0, faults: [], faulty_files: 0 }
  for await (const text of linesOf(read(part_names.files, manifest.files))) {
    for (const listed of ListLine.parse(JSON.parse(text)).files) {
      const fault = await faultOf(files, listed, hash)
      report.files += 1
      if (!fault) continue
      report.faulty_files += 1
      if (report.faults.length < max_named_faults) report.faults.push({ path: listed.path, fault })
    }
  }
  return report
}
