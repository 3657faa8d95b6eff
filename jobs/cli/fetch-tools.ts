/** `npm run tools`: updates yt-dlp and ffmpeg in the data folder, even with INSTALL_TOOLS=off, and prints which ones are used. */
import process from 'node:process'
import { configOfProcess } from '../../src/config/config.ts'
import { environment } from '../../src/config/env-file.ts'
import { becomeUser } from '../../src/runtime/user.ts'
import { toolOptionsOf } from '../../src/ytdlp/tools/lazy-tools.ts'
import type { ToolOptions } from '../../src/ytdlp/tools/machine.ts'
import { findTools, renewTools, setupOf } from '../../src/ytdlp/tools/tools.ts'

const usage = `Usage: npm run tools
  updates yt-dlp and ffmpeg in the data folder, and prints the files that are used`

const [word] = process.argv.slice(2)
if (word !== undefined) {
  const is_question = /^(?:--?)?h(?:elp)?$/.test(word)
  console.log(is_question ? usage : `There is no command ${word}.\n${usage}`)
  process.exit(is_question ? 0 : 1)
}
becomeUser(environment)
const config = configOfProcess()
process.umask(config.UMASK)
const log = { info: console.log, warn: console.warn }
const options: ToolOptions = { ...toolOptionsOf(config), fetch: true, log }
if (!config.YTDLP_PATH) await renewTools(await setupOf(options))
const found = await findTools(options)
if ('missing' in found) {
  console.error(found.missing)
  process.exitCode = 1
} else console.log(`yt-dlp ${found.ytdlp.version}: ${found.ytdlp.command.at(-1)}\nffmpeg: ${found.ffmpeg}`)
