/** `npm run import-files` in this process: with a real database, ffmpeg, and a folder of owned files. */
import { type ImportArguments, importFiles } from '../../../jobs/cli/import-files-command.ts'
import type { Files } from '../../../src/store/files.ts'
import { toolsForTests } from '../process/tools.ts'
import type { useApp } from './app.ts'

type Given = Partial<ImportArguments> &
  Pick<ImportArguments, 'folder' | 'username'> & {
    files?: Files
    USER_QUOTA_GB?: number
    as_json?: boolean
    signal?: AbortSignal
  }

/** Runs the command, and returns its exit code and its lines. */
export async function importOwned(
  app: ReturnType<typeof useApp>,
  { files = app.files, USER_QUOTA_GB = 0, as_json = false, signal, ...given }: Given,
) {
  const lines: string[] = []
  const config = {
    DOWNLOADS_DIR: app.folder,
    MEDIA_DIR: undefined,
    USER_QUOTA_GB,
    MIN_FREE_MB: 0,
    UMASK: 0o077,
  }
  const output = { print: (line: string) => void lines.push(line), as_json }
  const parts = {
    sql: app.sql,
    files,
    config,
    findTools: async () => toolsForTests(),
    signal: signal ?? new AbortController().signal,
    output,
  }
  const defaults = {
    manner: 'copy' as const,
    dry_run: false,
    with_doubtful: false,
    download_lists: [],
  }
  const code = await importFiles(parts, { ...defaults, ...given })
  return { code, lines, text: lines.join('\n') }
}
