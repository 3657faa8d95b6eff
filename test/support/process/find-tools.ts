/**
 * Finds the tools in a separate process, which a test may start as another user. Takes `{ path, data_dir, packages }`, prints the tools.
 */
import process from 'node:process'
import { findTools } from '../../../src/ytdlp/tools/tools.ts'

const nowhere = 'http://127.0.0.1:9'
const wanted = JSON.parse(process.argv[2] ?? '')
console.log(JSON.stringify(await findTools({ ...wanted, releases: { ytdlp: nowhere, ffmpeg: nowhere } })))
