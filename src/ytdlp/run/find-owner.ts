/**
 * Asks yt-dlp which channel a video or a page belongs to, when nothing else leads to its feed. Downloads nothing. Uses the same
 * proxy and the same bare environment as a download.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AddressPolicy } from '../../net/addresses.ts'
import { openEgressProxy } from '../../net/egress-proxy.ts'
import { turnsFor } from '../../runtime/turns.ts'
import { hasControls } from '../../schema/address.ts'
import { ownerArgumentsOf } from './command.ts'
import { environment, proxied } from './environment.ts'
import { newMarkers, type Owner, readOwner } from './line.ts'
import { runTool } from './process.ts'
import type { ToolFinder, Tools } from './tools.ts'

/**
 * The pages of the channel that a video or a list belongs to, the most certain first; empty when it is unknown.
 * `not_ready`: the tools are missing or still being looked for. Rejects only when `signal` is aborted.
 */
export type OwnerFinder = (url: string, signal: AbortSignal, whose?: string) => Promise<string[] | 'not_ready'>

export type OwnerFinderOptions = { findTools: ToolFinder; policy: AddressPolicy; longest_ms?: number }

export function createOwnerFinder({ findTools, policy, longest_ms = 15_000 }: OwnerFinderOptions): OwnerFinder {
  return async (url, signal, whose = '') => {
    if (!/^https?:\/\//i.test(url) || hasControls(url)) return []
    const tools = await Promise.race([findTools(), aborted(signal)])
    if (!tools || 'missing' in tools) return 'not_ready'
    signal.throwIfAborted()
    return pagesOf(await inTurn(whose, () => readOwners(tools, policy, url, signal, longest_ms), signal))
  }
}

/** Each takes 50 MB and a second of processor time. One at a time per person, so that one person cannot block the others. */
const inTurn = turnsFor({ most: 2, of_one: 1 })

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise(resolve => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })

async function readOwners(tools: Tools, policy: AddressPolicy, url: string, signal: AbortSignal, longest_ms: number) {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-ask-'))
  const refused = new AbortController()
  const proxy = await openEgressProxy(policy, () => refused.abort())
  const owners: Owner[] = []
  const markers = newMarkers()
  try {
    await runTool({
      command: [...tools.leash, ...tools.ytdlp.command],
      args: ownerArgumentsOf(url, tools.ytdlp.version, markers),
      cwd: folder,
      env: { ...(await environment(tools, folder)), ...tools.ytdlp.env, ...proxied(proxy.url) },
      signal: AbortSignal.any([signal, refused.signal]),
      silence_ms: () => longest_ms,
      longest_ms,
      onLine(line) {
        const owner = readOwner(line, markers)
        if (owner) owners.push(owner)
      },
    })
    return owners
  } catch (cause) {
    if (refused.signal.aborted && !signal.aborted) return []
    throw cause
  } finally {
    await proxy.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** YouTube's channel id is more certain than its address, which may be a handle. */
function pagesOf(owners: Owner[]): string[] {
  const pages = owners.flatMap(({ extractor_key, channel_id, channel_url, uploader_url, playlist_channel_id }) => [
    ...[channel_id, playlist_channel_id].map(id =>
      /^youtube/i.test(extractor_key ?? '') && id ? `https://www.youtube.com/channel/${id}` : undefined,
    ),
    channel_url,
    uploader_url,
  ])
  return [
    ...new Set(pages.flatMap(page => page ?? []).filter(page => /^https?:$/.test(URL.parse(page)?.protocol ?? ''))),
  ]
}
