/** `npm run import-files`: takes existing video files over into a person's library. */
import process from 'node:process'
import { toolOptionsOf } from '../../src/ytdlp/tools/lazy-tools.ts'
import { findTools } from '../../src/ytdlp/tools/tools.ts'
import { importFiles } from './import-files-command.ts'
import type { Output } from './import-report.ts'
import { runProgram } from './program.ts'

const usage = `Usage: npm run import-files -- <folder> --for <name> [--dry-run] [--link | --copy | --move]
  Imports the videos in a folder of yt-dlp, Tube Archivist, Pinchflat, TubeSync, MeTube or YT Zero, or your own files,
  into the library of a person. It prints a plan first. Nothing is requested from the network.
  --dry-run         only print the plan
  --copy            copy the files (the default)
  --link            make hard links: no second copy on the disk; files on another disk are copied
  --move            remove each file here as soon as the library has it
  --doubtful        also import doubtful files of which the video is known
  --archive <file>  a list of yt-dlp (--download-archive) that is elsewhere; may be given several times
  --json            print one JSON object a line`

const options = {
  for: { type: 'string', default: '' },
  'dry-run': { type: 'boolean', default: false },
  link: { type: 'boolean', default: false },
  copy: { type: 'boolean', default: false },
  move: { type: 'boolean', default: false },
  doubtful: { type: 'boolean', default: false },
  archive: { type: 'string', multiple: true },
} as const

await runProgram(usage, options, ({ values, positionals: [folder = '', ...more] }) => {
  const manners = (['copy', 'link', 'move'] as const).filter(manner => values[manner])
  if (more.length > 0) throw new Error(`Name one folder.\n${usage}`)
  if (manners.length > 1) throw new Error(`Choose one of --link, --copy and --move.\n${usage}`)
  if (folder === '') return 'help'
  if (values.for === '') throw new Error(`Name the person with --for <name>.\n${usage}`)
  const { for: username, 'dry-run': dry_run, doubtful: with_doubtful, archive: download_lists = [] } = values
  const given = { folder, username, manner: manners[0] ?? 'copy', dry_run, with_doubtful, download_lists }
  return {
    async run({ sql, config, openFiles }) {
      const output = outputOf(values.json)
      const parts = {
        sql,
        config,
        output,
        signal: interruption(output),
        files: openFiles(),
        findTools: () => findTools({ ...toolOptionsOf(config), fetch: false }),
      }
      process.exitCode = await importFiles(parts, given).catch(fault => {
        if (!parts.signal.aborted) throw fault
        output.print('Interrupted before anything was changed.')
        return 130
      })
      // The lines were printed while the command ran.
      return undefined
    },
  }
})

/** The first Ctrl-C ends the command after the file that is being imported; the second one at once. */
function interruption({ print, as_json }: Output): AbortSignal {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (interrupted.signal.aborted) process.exit(130)
      if (!as_json) print('Stopping after this file. Press Ctrl-C again to stop at once.')
      interrupted.abort()
    })
  return interrupted.signal
}

/** On a terminal, the last line is replaced by the next one. */
function outputOf(as_json: boolean): Output {
  const is_terminal = process.stderr.isTTY === true && !as_json
  const erase = () => is_terminal && process.stderr.write('\r\u001b[K')
  return {
    as_json,
    print(line) {
      erase()
      process.stdout.write(`${line}\n`)
    },
    progress: is_terminal ? line => process.stderr.write(`\r\u001b[K${line}`) : undefined,
  }
}
