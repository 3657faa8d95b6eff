/** `npm run backup`: backs the database up, with a list of the files, while the service runs. */
import { parseArgs } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import { serviceIn } from '../../src/db/service/service.ts'
import { type BackupReport, backUp } from '../../src/domain/service/back-up.ts'
import { bytesWords, countWords } from '../../src/schema/values/words.ts'
import { openStorage } from '../../src/store/storage.ts'
import { type Answer, runProgram } from './program.ts'

const usage = `Usage: npm run backup -- <folder> [--json]
  Writes a new folder with the date into this folder: the database, and a list of the files of DOWNLOADS_DIR with their sizes
  and hashes. The service may run. Copy DOWNLOADS_DIR afterwards: src/OPERATIONS.md says how.`

await runProgram(usage, args => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false } },
  })
  const [folder, ...more] = positionals
  if (!folder || more.length > 0) return undefined
  return {
    as_json: values.json,
    database: 'existing',
    async run(sql, config) {
      const files = openStorage(config, serviceIn(sql).someFiles)
      return answerOf(await backUp({ sql, files, version: manifest.version }, folder, new Date()))
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
