/** As a process: runs a forked yt-dlp until it is killed: `lone-fork.ts '{"tools": …, "folder": …}'`. Prints what yt-dlp prints. */
import { argv } from 'node:process'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { runYtdlp } from '../../../src/ytdlp/process/ytdlp.ts'

const { tools, folder } = JSON.parse(argv[2] ?? '{}')
await runYtdlp(folder, {
  tools,
  policy: addressPolicy([]),
  args: ['stay'],
  signal: new AbortController().signal,
  onLine: line => console.log(line),
})
