/** `npm run restore`: restores a backup into an empty database, or checks whether that is possible. */
import { requireSessions } from '../../src/db/postgres/pooler.ts'
import { type RestoreOptions, type RestoreReport, restore } from '../../src/domain/service/restore-backup.ts'
import { countWords } from '../../src/schema/values/words.ts'
import { openStorage } from '../../src/store/storage.ts'
import { type Answer, runProgram } from './program.ts'

const usage = `Usage: npm run restore -- <folder of one backup> [--dry-run] [--check-files] [--json]
  Restores the backup into an empty database, while no service runs. Put the files into DOWNLOADS_DIR before.
  --dry-run      only check the backup, the database and the files
  --check-files  also read every file in DOWNLOADS_DIR and compare its hash`

const options = {
  'dry-run': { type: 'boolean', default: false },
  'check-files': { type: 'boolean', default: false },
} as const

await runProgram(usage, options, ({ values, positionals: [folder, ...more] }) => {
  if (!folder || more.length > 0) return undefined
  const given = { dry_run: values['dry-run'], check_files: values['check-files'] }
  return {
    database: given.dry_run ? 'existing' : 'new',
    async run({ sql, url, openFiles }) {
      await requireSessions(url, 'a restore')
      return answerOf(await restore({ sql, url }, openFiles(), folder, given), given)
    },
    withoutDatabase: async config => answerOf(await restore(undefined, openStorage(config), folder, given), given),
  }
})

function answerOf(report: RestoreReport, { dry_run }: RestoreOptions): Answer {
  const { made_at, rows, jobs, files, faults, faulty_files } = report
  const what = `the backup of ${made_at}: ${countWords(rows, 'row')}, ${countWords(jobs, 'job')}, ${countWords(files, 'file')}`
  const lines = [
    dry_run ? `This was a dry run. It is possible to restore ${what}.` : `Restored ${what}.`,
    ...(faulty_files > 0
      ? [
          `${countWords(faulty_files, 'file')} in DOWNLOADS_DIR are missing or differ from the list:`,
          ...faults.map(({ path, fault }) => `${path}: ${fault}`),
        ]
      : []),
  ]
  return { rows: [], json: { ...report, dry_run }, text: lines.join('\n') }
}
