/** The command of `npm run import-files`: checks what is given, prints the plan, and imports. `import-files.ts` reads the command line. */
import { mkdtemp, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import type { Config } from '../../src/config/config.ts'
import { accountsIn } from '../../src/db/account/accounts.ts'
import { libraryOf } from '../../src/db/library.ts'
import type { Sql } from '../../src/db/postgres/client.ts'
import type { Manner } from '../../src/domain/imports/bring-file.ts'
import type { FileImportParts } from '../../src/domain/imports/import-file.ts'
import { type Plan, planImport } from '../../src/domain/imports/plan.ts'
import { type RawPath, rawPathOf } from '../../src/domain/imports/raw-path.ts'
import { isWanted, runImport } from '../../src/domain/imports/run-import.ts'
import { folderKey } from '../../src/domain/imports/walk.ts'
import type { Files } from '../../src/store/files.ts'
import type { MissingTools, Tools } from '../../src/ytdlp/process/programs.ts'
import { type Output, printEnd, printPlan, printRemark, progressOf, readingProgress, shown } from './import-report.ts'

export type ImportArguments = {
  folder: string
  username: string
  manner: Manner
  dry_run: boolean
  with_doubtful: boolean
  /** Lists of downloads that are elsewhere. */
  download_lists: string[]
}

type CommandParts = {
  sql: Sql
  files: Files
  config: Pick<Config, 'DOWNLOADS_DIR' | 'MEDIA_DIR' | 'USER_QUOTA_GB' | 'MIN_FREE_MB' | 'UMASK'>
  findTools(): Promise<Tools | MissingTools>
  /** Aborted when the person interrupts the command. */
  signal: AbortSignal
  output: Output
}

/** Returns the exit code: 0, or 2 if something could not be imported. Throws a sentence for a wrong argument. */
export async function importFiles(parts: CommandParts, given: ImportArguments): Promise<number> {
  const { sql, config, signal, output } = parts
  const user = await accountsIn(sql).find(given.username)
  if (!user) throw new Error(`There is no account ${given.username}. See them all with \`npm run people -- list\`.`)
  const folder = await folderAt(given.folder, config)
  const own = await keysOf(ownFolders(config))
  const download_lists = await Promise.all(given.download_lists.map(fileAt))
  const tools = await parts.findTools()
  if ('missing' in tools) throw new Error(tools.missing)
  const library = libraryOf(sql, user.user_id)
  const scratch = await mkdtemp(join(tmpdir(), 'backlot-import-'))
  const reading = { tools, scratch, signal }
  try {
    const onRead = readingProgress(output)
    const plan = await planImport({ ...reading, library, folder, own, download_lists, onRead })
    const room = { min_free_bytes: config.MIN_FREE_MB * 1e6, quota_bytes: config.USER_QUOTA_GB * 1e9 }
    const importing = { ...reading, library, files: parts.files, manner: given.manner, room, umask: config.UMASK }
    return await printAndImport(output, importing, plan, { ...given, folder }).finally(plan.close)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function printAndImport(
  output: Output,
  importing: FileImportParts,
  plan: Plan,
  { folder, dry_run, with_doubtful }: ImportArguments,
): Promise<number> {
  await printPlan(output, plan, folder)
  if (dry_run) {
    if (!output.as_json) output.print(dry)
    return 0
  }
  const started = performance.now()
  let wanted = 0
  for await (const file of plan.files()) if (isWanted(file, with_doubtful)) wanted += 1
  const done = await runImport(importing, plan, {
    with_doubtful,
    onDone: progressOf(output, wanted),
    onRemark: (file, sentence) => printRemark(output, shown(file, folder), sentence),
  })
  printEnd(output, done, (performance.now() - started) / 1000)
  if (wanted === 0 && !output.as_json) output.print(with_doubtful ? none_known : none_sure)
  return done.skipped > 0 || done.stopped !== null || plan.unreadable.length > 0 ? 2 : 0
}

const dry = 'This was a dry run, and nothing was changed. Without --dry-run, the recognised files are imported.'

const none_sure = 'Nothing was to be imported. The lines above say why, and what to do.'
const none_known = `${none_sure} --doubtful imports files of which the video is known.`

/** The real path. Throws a sentence if it is no folder, or overlaps with one of the service's own. */
async function folderAt(given: string, config: CommandParts['config']): Promise<RawPath> {
  const real = await realpath(resolve(given), { encoding: 'buffer' }).catch(() => undefined)
  if (!real || !(await stat(real)).isDirectory()) throw new Error(`${given} is no folder that can be read.`)
  for (const [name, own] of ownFolders(config)) {
    const path = rawPathOf(await realpath(own, { encoding: 'buffer' }).catch(() => resolve(own)))
    if (isInside(rawPathOf(real), path) || isInside(path, rawPathOf(real)))
      throw new Error(
        `${given} and ${name} are inside each other. Move the files that you want to import to another folder.`,
      )
  }
  return rawPathOf(real)
}

const ownFolders = ({ DOWNLOADS_DIR, MEDIA_DIR }: CommandParts['config']): [string, string][] =>
  Object.entries({ DOWNLOADS_DIR, MEDIA_DIR }).flatMap(([name, own]) =>
    own === undefined || own.includes('://') ? [] : [[name, own]],
  )

/** Paths alone would not show that a folder is mounted twice. */
async function keysOf(folders: [string, string][]): Promise<Set<string>> {
  const keys = await Promise.all(folders.map(([, folder]) => folderKey(folder)))
  return new Set(keys.filter(key => key !== undefined))
}

const isInside = (path: RawPath, folder: RawPath) =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

async function fileAt(given: string): Promise<RawPath> {
  const found = await stat(given).catch(() => undefined)
  if (!found?.isFile()) throw new Error(`${given} is no file that can be read.`)
  return rawPathOf(resolve(given))
}
