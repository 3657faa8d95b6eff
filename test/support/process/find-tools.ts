/** Finds the tools in a process of its own, which a test may start as another user: `{ path, data_dir, packages }` in, what was found out. */
import process from 'node:process'
import { findTools } from '../../../src/ytdlp/tools/tools.ts'

const nowhere = 'http://127.0.0.1:9'
const wanted = JSON.parse(process.argv[2] ?? '')
console.log(JSON.stringify(await findTools({ ...wanted, releases: { ytdlp: nowhere, ffmpeg: nowhere } })))
