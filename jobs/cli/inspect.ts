/** `npm run jobs`: shows the queue, and repairs what is stuck. Every answer is also available as `--json`. */
import { parseArgs } from 'node:util'
import { serviceIn } from '../../src/db/service/service.ts'
import { task_names } from '../../src/schema/service/jobs.ts'
import { openStorage } from '../../src/store/storage.ts'
import { commands, type JobArguments, states } from './commands.ts'
import { runProgram } from './program.ts'

const usage = `Usage: npm run jobs -- [command] [--json]
  list          jobs that run or wait, in the order they run (the default)
                  --task ${task_names.join('|').replaceAll(/(.{60,90}?\|)/g, '$1\n                  ')}
                  --state ${states.join('|')}
                  --limit number of rows, 200 by default
  counts        number of jobs by task and state
  hosts         the sites: running, waiting and failed downloads, and pauses
  pauses        the hosts that are paused: for whom, why and until when
  lift <host>   end every pause of this host, whatever it is for
  pictures      the hosts of pictures: stored, waiting and given up
  show <id>     one job in full
  retry <id>    run it now, with all its attempts
  retry-failed  request every failed download again
  cancel <id>   remove it from the queue; a running download is stopped
  check-ytdlp   let every worker look for a newer yt-dlp now
  unlock        free the jobs of dead workers`

await runProgram(usage, args => {
  const { name, job_arguments, as_json } = readArguments(args)
  if (name === 'help') return 'help'
  const command = commands[name]
  return (
    command && {
      as_json,
      run: (sql, config) => command({ sql, files: openStorage(config, serviceIn(sql).someFiles) }, job_arguments),
    }
  )
})

function readArguments(args: string[]): { name: string; job_arguments: JobArguments; as_json: boolean } {
  const options = {
    json: { type: 'boolean', default: false },
    task: { type: 'string' },
    state: { type: 'string' },
    limit: { type: 'string', default: '200' },
  } as const
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const [name = 'list', id = ''] = positionals
  const state = states.find(known => known === values.state)
  if (values.state !== undefined && !state) throw new Error(`There is no state ${values.state}.\n${usage}`)
  if (!/^[1-9]\d{0,5}$/.test(values.limit))
    throw new Error(`The limit must be a whole number from 1 to 999999.\n${usage}`)
  return { name, job_arguments: { id, task: values.task, state, limit: Number(values.limit) }, as_json: values.json }
}
