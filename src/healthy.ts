/**
 * `HEALTHCHECK` of the image: ends with 0 if the role in this container is well, and with 1 and a sentence if it is not. It runs every few
 * seconds, so it loads only what Node brings. The argument names the role; without one, the container's first process does.
 */
import { readFile } from 'node:fs/promises'
import { get } from 'node:http'
import process, { argv } from 'node:process'
import { environment } from './config/env-file.ts'
import { sinceLastBeat } from './runtime/pulse.ts'

/** Milliseconds; less than the timeout of HEALTHCHECK. */
const longest_wait_ms = 4000
/** A worker beats every two seconds. After this silence, other workers take its downloads. */
const longest_silence_s = 20

/** A sentence that says what is wrong; `undefined`: nothing, or the role ends when it is done. */
async function faultOf(role: string | undefined): Promise<string | undefined> {
  if (role === 'worker') {
    const seconds = await sinceLastBeat()
    return seconds !== undefined && seconds < longest_silence_s ? undefined : 'The worker sends no heartbeat.'
  }
  if (role !== 'web' && role !== 'all') return undefined
  const said = await answer('/readyz').catch((fault: Error) => fault.message)
  return said === 200 ? undefined : `GET /readyz: ${said}`
}

function answer(path: string): Promise<number | undefined> {
  const { HOST = '', PORT } = environment()
  const host = ['', '0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(longest_wait_ms)
    const sent = get({ host, port: PORT || 8000, path, signal }, ({ statusCode }) => resolve(statusCode))
    sent.on('error', reject)
  })
}

/** The word after the entrance of the service; `undefined`: another program is the container's first. */
async function runningRole(): Promise<string | undefined> {
  const words = (await readFile('/proc/1/cmdline', 'utf8')).split('\0')
  const at = words.indexOf('src/main.ts')
  return at < 0 ? undefined : words[at + 1] || 'all'
}

const fault = await faultOf(argv[2] ?? (await runningRole()))
if (fault) console.log(fault)
process.exit(fault ? 1 : 0)
