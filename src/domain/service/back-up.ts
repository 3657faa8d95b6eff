/** Makes a backup: the rows of the database as they are at one moment, and a list of the files that they name. Copies no files. */
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Everyone } from '../../db/everyone.ts'
import { inSnapshot, type Snapshot, sizeOfDatabase, stillKept } from '../../db/service/everyone/snapshot.ts'
import { type KeptFiles, ListLine, type Manifest } from '../../schema/service/backup.ts'
import {
  beginBackup,
  linesOf,
  type NewBackup,
  newestBackup,
  openBackup,
  part_names,
} from '../../store/backup-folder.ts'
import { listFiles } from '../../store/file-list.ts'
import type { Files } from '../../store/files.ts'

export type BackupReport = {
  /** The folder of the backup. */
  path: string
  rows: number
  jobs: number
  files: number
  /** Of the listed files. Files with several names count once for each. */
  file_bytes: number
  /** Paths that a row names and the storage lacks, at most `max_named_missing`; and how many they are. */
  missing: string[]
  missing_files: number
}

export const max_named_missing = 100

type Parts = { sql: Everyone; files: Files; version: string }

/** Text is compressed to a fifth or less of what the database needs with its indexes. */
const part_of_database = 0.2

export async function backUp({ sql, files, version }: Parts, folder: string, now: Date): Promise<BackupReport> {
  const before = await newestBackup(folder)
  const backup = await beginBackup(folder, now, (await sizeOfDatabase(sql)) * part_of_database)
  try {
    const kept = await inSnapshot(sql, snapshot => saveRows(snapshot, backup))
    const list = newList()
    const listed = await backup.write(
      part_names.files,
      list.made(sql, files, backup.aside, before && join(folder, before)),
    )
    await backup.finish({ format: 1, made_at: now.toISOString(), backlot: version, ...kept, files: listed })
    const rows = kept.tables.reduce((sum, { lines }) => sum + lines, 0)
    return { path: backup.path, rows, jobs: kept.jobs.lines, ...list.report }
  } catch (fault) {
    await backup.drop()
    const is_full = fault instanceof Error && 'code' in fault && fault.code === 'ENOSPC'
    throw is_full ? new Error(`The disk of ${folder} is full. Nothing was kept.`, { cause: fault }) : fault
  }
}

/** Everything that is read at the one moment. The names of files are kept aside, because to read the files takes long. */
async function saveRows(snapshot: Snapshot, backup: NewBackup) {
  const { migration, postgres } = snapshot
  const tables: Manifest['tables'] = []
  for (const table of snapshot.tables) {
    const part = await backup.write(part_names.ofTable(table.name), snapshot.rows(table))
    tables.push({ name: table.name, columns: table.columns, ...part })
  }
  const jobs = await backup.write(part_names.jobs, snapshot.jobs())
  const counters = await snapshot.counters()
  await writeFile(backup.aside, textLines(snapshot.keptFiles()), { flag: 'wx', mode: 0o600 })
  return { migration, postgres, tables, counters, jobs }
}

async function* textLines(lists: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  for await (const list of lists) yield list.map(one => `${JSON.stringify(one)}\n`).join('')
}

/** Missing files that are looked for again. More are missing only if a whole disk is. */
const max_second_looks = 10_000

/** Makes the list line by line, and counts its files in `report`. */
function newList() {
  const report = { files: 0, file_bytes: 0, missing: [] as string[], missing_files: 0 }
  const countLine = ({ files }: ListLine) => {
    report.files += files.length
    for (const { size = 0 } of files) report.file_bytes += size
  }

  async function* made(sql: Everyone, files: Files, aside: string, before: string | undefined): AsyncGenerator<string> {
    const missed: ListLine[] = []
    for await (const lines of listFiles(files, keptFrom(aside), earlierList(before))) {
      for (const line of lines) {
        countLine(line)
        if (line.files.some(({ missing }) => missing) && missed.length < max_second_looks) missed.push(line)
        yield `${JSON.stringify(line)}\n`
      }
    }
    // A file that moved or went while the list was made, together with its row, is not missing.
    const still = await stillKept(sql, missed)
    for (const { path, missing } of missed.filter(({ name }) => still.has(name)).flatMap(line => line.files)) {
      if (!missing) continue
      report.missing_files += 1
      if (report.missing.length < max_named_missing) report.missing.push(path)
    }
  }
  return { report, made }
}

async function* keptFrom(aside: string): AsyncGenerator<KeptFiles> {
  for await (const line of linesOf(createReadStream(aside))) yield JSON.parse(line)
}

/** Nothing if there is no earlier list, or if it is damaged from some line on. */
async function* earlierList(folder: string | undefined): AsyncGenerator<ListLine> {
  if (folder === undefined) return
  try {
    const { manifest, read } = await openBackup(folder)
    for await (const line of linesOf(read(part_names.files, manifest.files))) yield ListLine.parse(JSON.parse(line))
  } catch {
    // The files are read again.
  }
}
