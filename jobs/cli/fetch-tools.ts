/** `npm run tools`: brings yt-dlp and ffmpeg up to date in the data folder, whatever INSTALL_TOOLS says, and names what is used. */
import process from 'node:process'
import { readConfig } from '../../src/config.ts'
import { wantedBy } from '../../src/ytdlp/tools/lazy-tools.ts'
import { findTools, placeOf, renewTools, type Wanted } from '../../src/ytdlp/tools/tools.ts'

const config = readConfig(process.env)
process.umask(config.UMASK)
const log = { info: console.log, warn: console.warn }
const wanted: Wanted = { ...wantedBy(config), fetch: true, log }
if (!config.YTDLP_PATH) await renewTools(await placeOf(wanted))
const found = await findTools(wanted)
if ('missing' in found) {
  console.error(found.missing)
  process.exitCode = 1
} else console.log(`yt-dlp ${found.ytdlp.version}: ${found.ytdlp.command.join(' ')}\nffmpeg: ${found.ffmpeg}`)
