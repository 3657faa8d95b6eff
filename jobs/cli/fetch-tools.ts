/** `npm run tools`: updates yt-dlp and ffmpeg in the data folder, even with INSTALL_TOOLS=off, and prints which ones are used. */
import process from 'node:process'
import { configOfProcess } from '../../src/config/config.ts'
import { environment } from '../../src/config/env-file.ts'
import { becomeUser } from '../../src/runtime/user.ts'
import { toolOptionsOf } from '../../src/ytdlp/tools/lazy-tools.ts'
import type { ToolOptions } from '../../src/ytdlp/tools/machine.ts'
import { findTools, renewTools, setupOf } from '../../src/ytdlp/tools/tools.ts'

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
} else console.log(`yt-dlp ${found.ytdlp.version}: ${found.ytdlp.command.join(' ')}\nffmpeg: ${found.ffmpeg}`)
