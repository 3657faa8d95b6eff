/** `npm run jobs`: shows the queue, and repairs what is stuck. Every answer is also available as `--json`. */
import { task_names } from '../../src/schema/service/jobs.ts'
import { commands, states } from './commands.ts'
import { commandIn, runProgram } from './program.ts'

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

const options = {
  task: { type: 'string' },
  state: { type: 'string' },
  limit: { type: 'string', default: '200' },
} as const

await runProgram(usage, options, ({ values, positionals: [name = 'list', id = ''] }) => {
  const { task, state: wanted, limit } = values
  const state = states.find(known => known === wanted)
  if (wanted !== undefined && !state) throw new Error(`There is no state ${wanted}.\n${usage}`)
  if (!/^[1-9]\d{0,5}$/.test(limit)) throw new Error(`The limit must be a whole number from 1 to 999999.\n${usage}`)
  if (name === 'help') return 'help'
  const command = commandIn(commands, name, usage)
  const given = { id, task, state, limit: Number(limit) }
  return { run: ({ sql, openFiles }) => command({ sql, files: openFiles() }, given) }
})
