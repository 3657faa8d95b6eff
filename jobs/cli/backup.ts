/** `npm run backup`: backs the database up, with a list of the files, while the service runs. */
import manifest from '../../package.json' with { type: 'json' }
import { type BackupReport, backUp } from '../../src/domain/service/back-up.ts'
import { bytesWords, countWords } from '../../src/schema/values/words.ts'
import { type Answer, runProgram } from './program.ts'

const usage = `Usage: npm run backup -- <folder> [--json]
  Writes a new folder with the date into this folder: the database, and a list of the files of DOWNLOADS_DIR with their sizes
  and hashes. The service may run. Copy DOWNLOADS_DIR afterwards: docs/administration.md says how.`

await runProgram(usage, {}, ({ positionals: [folder, ...more] }) => {
  if (!folder || more.length > 0) return undefined
  return {
    database: 'existing',
    async run({ sql, openFiles }) {
      return answerOf(await backUp({ sql, files: openFiles(), version: manifest.version }, folder, new Date()))
    },
  }
})

function answerOf(report: BackupReport): Answer {
  const { path, rows, jobs, files, file_bytes, missing, missing_files } = report
  const lines = [
    `${path} is complete: ${countWords(rows, 'row')}, ${countWords(jobs, 'job')}, and a list of ${countWords(files, 'file')} (${bytesWords(file_bytes)}).`,
    ...(missing_files > 0
      ? [`${countWords(missing_files, 'file')} that the database names are missing:`, ...missing]
      : []),
  ]
  return { rows: [], json: report, text: lines.join('\n') }
}
