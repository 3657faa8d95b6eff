/**
 * Fetches a newer yt-dlp into the data folder, and rolls back to the previous one. A new version is used only after it passed a self-test:
 * the download of a tiny film. Writing one file switches to the new version. Logs what it does and why. `renewal.ts` decides.
 */
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { addressPolicy } from '../../net/addresses.ts'
import { inNewFolder } from '../../runtime/folders.ts'
import type { Renewal } from '../../schema/service/renewal.ts'
import { createDownloader } from '../fetch/download.ts'
import type { Tools, Ytdlp } from '../process/programs.ts'
import { isAtLeast, oldest_safe } from '../process/version.ts'
import { packagedYtdlp } from './debian.ts'
import type { Setup } from './machine.ts'
import { releasedYtdlp } from './release.ts'
import { isWanted } from './renewal.ts'
import { tryOperator } from './try-operator.ts'
import {
  alone,
  aside,
  folderOf,
  keepVersion,
  ownYtdlp,
  readRenewal,
  removeOld,
  retire,
  writeRenewal,
  ytdlpIn,
} from './versions.ts'

/** The tools for the self-test of a yt-dlp. Waits for an ffmpeg that is still being fetched; throws when there is none. */
type ToolsWith = (ytdlp: Ytdlp) => Promise<Tools>

/** Looks for a newer version and switches to it. Does not throw when a source fails, but when it is aborted; the returned state tells. */
export function renewYtdlp(setup: Setup, toolsWith: ToolsWith, now = new Date()): Promise<Renewal | 'busy'> {
  return alone(setup.tools_dir, async () => {
    const before = await readRenewal(setup.tools_dir)
    const own = await ownYtdlp(setup)
    const checked: Renewal = { ...before, checked_at: now.toISOString(), outcome: 'failed', problem: null }
    const problems: string[] = []
    let state = checked
    for (const source of [releasedYtdlp, packagedYtdlp]) {
      setup.signal?.throwIfAborted()
      try {
        const wants = (version: string) => isWanted(version, own?.version, before, setup.channel, now)
        const version = await fetchFrom(source, { setup, wants, toolsWith, is_first: own === undefined })
        state = version === undefined ? { ...checked, outcome: 'up_to_date' } : switchedTo(version, checked, setup, now)
        break
      } catch (cause) {
        setup.signal?.throwIfAborted()
        const why = wordsOf(cause)
        if (cause instanceof Unfit) state.failed = { version: cause.version, at: now.toISOString() }
        problems.push(`${source.name}: ${why}`)
        setup.log?.warn(`yt-dlp was not renewed from ${source.name}: ${why}`)
      }
    }
    state.problem = problems.length > 0 ? problems.join('; ').slice(0, 500) : null
    if (state.outcome === 'switched') {
      await retire(setup.tools_dir, before.previous, now)
      const what = own ? `Switched from yt-dlp ${own.version} to` : 'Installed yt-dlp'
      setup.tell(`${what} ${state.current}. It passed its self-test.`)
    }
    await writeRenewal(setup.tools_dir, state)
    await removeOld(setup.tools_dir, state, now)
    return state
  })
}

const switchedTo = (version: string, checked: Renewal, { channel }: Setup, now: Date): Renewal => ({
  ...checked,
  channel,
  current: version,
  previous: checked.current === version ? checked.previous : checked.current,
  switched_at: now.toISOString(),
  outcome: 'switched',
  failed: null,
})

type Source = typeof releasedYtdlp | typeof packagedYtdlp
/** `is_first`: there is no yt-dlp yet. */
type Fetching = { setup: Setup; wants(version: string): boolean; toolsWith: ToolsWith; is_first: boolean }

/** Returns the version that was put into place; `undefined`: this source has no version that is wanted. */
async function fetchFrom(source: Source, { setup, wants, toolsWith, is_first }: Fetching): Promise<string | undefined> {
  const latest = await source.latest(setup)
  if (latest !== undefined && !wants(latest)) return undefined
  setup.tell(`Fetching yt-dlp${latest ? ` ${latest}` : ''}: ${source.name}`)
  return aside(setup.tools_dir, async folder => {
    const ready = join(folder, 'ready')
    await mkdir(ready)
    await source.fetch(setup, ready, latest)
    const found = await ytdlpIn(ready, setup.python)
    if (!found) throw new Error('the fetched file does not run on this machine')
    // The signature covers the contents, not the version, so an old release could be passed off as a new one.
    if (latest !== undefined && found.version !== latest)
      throw new Error(`the release ${latest} contains version ${found.version}`)
    if (!isAtLeast(found.version, oldest_safe)) throw new Error(`${found.version} has known security holes`)
    if (!wants(found.version)) return undefined
    const tools = await toolsWith(found)
    // A fault of the operator's plugins does not keep a service from its first yt-dlp.
    const why = (await selfTest(tools)) ?? (is_first ? undefined : await tryOperator(tools))
    if (why !== undefined) throw new Unfit(found.version, why)
    await keepVersion(setup.tools_dir, ready, found.version)
    return found.version
  })
}

class Unfit extends Error {
  version: string
  constructor(version: string, why: string) {
    super(`${version} did not pass its self-test: ${why}`)
    this.version = version
  }
}

/** Switches to the previous version if it still passes the self-test. The current one is never used again. */
export function rollBack(setup: Setup, toolsWith: ToolsWith, why: string): Promise<Renewal | 'busy' | undefined> {
  return alone(setup.tools_dir, async () => {
    const state = await readRenewal(setup.tools_dir)
    const { current, previous } = state
    if (current === null || previous === null) return undefined
    const found = await ytdlpIn(folderOf(setup.tools_dir, previous), setup.python)
    const failed = found ? await selfTest(await toolsWith(found)) : 'it does not run'
    if (failed !== undefined) {
      setup.log?.warn(`yt-dlp ${current} is worse than ${previous}, but ${previous} cannot be used: ${failed}`)
      return undefined
    }
    const now = new Date()
    const at = now.toISOString()
    const back: Renewal = {
      ...state,
      current: previous,
      previous: null,
      switched_at: at,
      outcome: 'rolled_back',
      rolled_back: { from: current, to: previous, at, why },
      refused: [...state.refused, current].slice(-20),
    }
    await retire(setup.tools_dir, current, now)
    await writeRenewal(setup.tools_dir, back)
    setup.log?.warn(`Went back from yt-dlp ${current} to ${previous}: ${why}`)
    return back
  })
}

/** One line. For a program that failed, it contains the command and its output. */
const wordsOf = (cause: unknown) =>
  (cause instanceof Error ? cause.message : String(cause)).replace(/\s+/g, ' ').slice(0, 250)

/**
 * Downloads a tiny film from a page on this machine. That shows that this yt-dlp runs, knows its arguments, reads a page and prints the
 * lines that we read. Returns why the test failed; `undefined`: it passed.
 */
async function selfTest(with_tools: Tools): Promise<string | undefined> {
  const site = await openSite()
  const tools = withoutSleep(with_tools)
  try {
    const policy = addressPolicy([`127.0.0.1:${site.port}`])
    const download = createDownloader({ tools, policy, silence_ms: 30_000, longest_ms })
    const signal = AbortSignal.timeout(longest_ms + 10_000)
    const result = await inNewFolder('self-test', folder =>
      download({ url: `http://127.0.0.1:${site.port}/watch`, folder, signal, onProgress() {} }),
    )
    if ('failure' in result) return result.failure.detail || result.failure.sentence
    return result.file_size > 0 ? undefined : 'the film is empty'
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  } finally {
    await site.close()
  }
}

const longest_ms = 90_000

/** The test has less time than a download. */
function withoutSleep(tools: Tools): Tools {
  const { operator } = tools.ytdlp
  if (!operator) return tools
  const options = operator.options.filter(({ name }) => !name.includes('sleep'))
  return { ...tools, ytdlp: { ...tools.ytdlp, operator: { ...operator, options } } }
}

const page = '<!doctype html><title>A film</title><video src="/film.mp4" type="video/mp4"></video>'

async function openSite() {
  const server = createServer((asked, reply) => {
    const answers: Record<string, [type: string, body: string | Buffer]> = {
      '/watch': ['text/html', page],
      '/film.mp4': ['video/mp4', Buffer.from(film, 'base64')],
    }
    const [type, body] = answers[asked.url ?? ''] ?? []
    if (type === undefined || body === undefined) return void reply.writeHead(404).end()
    reply.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
    reply.end(asked.method === 'HEAD' ? undefined : body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { port: (server.address() as AddressInfo).port, close }
}

/** One second of black, 64 × 64 pixels, H.264 in MP4. */
const film = `
AAAAIGZ0eXBpc29tAAACAGlzb21pc28yYXZjMW1wNDEAAAMPbW9vdgAAAGxtdmhkAAAAAAAAAAAAAAAAAAAD6AAAA+gAAQAAAQAAAAAAAAAAAA
AAAAEAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgAAAl50cmFrAAAAXHRraGQA
AAADAAAAAAAAAAAAAAABAAAAAAAAA+gAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAABAAAAAAEAAAABAAA
AAAAAkZWR0cwAAABxlbHN0AAAAAAAAAAEAAAPoAAAAAAABAAAAAAHWbWRpYQAAACBtZGhkAAAAAAAAAAAAAAAAAABAAAAAQABVxAAAAAAALWhk
bHIAAAAAAAAAAHZpZGUAAAAAAAAAAAAAAABWaWRlb0hhbmRsZXIAAAABgW1pbmYAAAAUdm1oZAAAAAEAAAAAAAAAAAAAACRkaW5mAAAAHGRyZW
YAAAAAAAAAAQAAAAx1cmwgAAAAAQAAAUFzdGJsAAAAwXN0c2QAAAAAAAAAAQAAALFhdmMxAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAEAAQABI
AAAASAAAAAAAAAABDExhdmMgbGlieDI2NAAAAAAAAAAAAAAAAAAAAAAAAAAAGP//AAAAN2F2Y0MBZAAK/+EAGmdkAAqscgREJsBEAAADAAQAAA
MAEDxIlhGAAQAGaOhDjyyL/fj4AAAAABBwYXNwAAAAAQAAAAEAAAAUYnRydAAAAAAAAAGoAAABqAAAABhzdHRzAAAAAAAAAAEAAAACAAAgAAAA
ABRzdHNzAAAAAAAAAAEAAAABAAAAHHN0c2MAAAAAAAAAAQAAAAEAAAACAAAAAQAAABxzdHN6AAAAAAAAAAAAAAACAAAAJgAAAA8AAAAUc3Rjbw
AAAAAAAAABAAADPwAAAD11ZHRhAAAANW1ldGEAAAAAAAAAIWhkbHIAAAAAAAAAAG1kaXJhcHBsAAAAAAAAAAAAAAAACGlsc3QAAAAIZnJlZQAA
AD1tZGF0AAAAImWIgQACn/73x0/ApurcIsudRT0hIa7A/1JtCiTED8nfSMEAAAALQZoILYgl//61K+8=`
