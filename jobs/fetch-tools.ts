/** `npm run tools`: finds yt-dlp and ffmpeg, fetches what is missing into the data folder, and says what there is. */
import process from 'node:process'
import { readConfig } from '../src/config.ts'
import { findTools } from '../src/ytdlp/tools.ts'

const { YTDLP_PATH, FFMPEG_PATH, PATH, DATA_DIR } = readConfig(process.env)
const log = { info: console.log, warn: console.warn }
const found = await findTools({ ytdlp_path: YTDLP_PATH, ffmpeg_path: FFMPEG_PATH, path: PATH, data_dir: DATA_DIR, log })
if ('missing' in found) {
  console.error(found.missing)
  process.exitCode = 1
} else console.log(`yt-dlp ${found.ytdlp.version}: ${found.ytdlp.command.join(' ')}\nffmpeg: ${found.ffmpeg}`)
