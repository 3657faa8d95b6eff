/**
 * Asks yt-dlp which channel a video or a page belongs to, when nothing else leads to its feed. Downloads nothing. Uses the same
 * proxy and the same bare environment as a download.
 */
import type { AddressPolicy } from '../../net/addresses.ts'
import { hasControls } from '../../schema/values/address.ts'
import { ownerArgumentsOf } from './command.ts'
import { inQuickTurn, runHelper, unlessAborted } from './helper.ts'
import { newMarkers, type Owner, readOwner } from './line.ts'
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
    const tools = await unlessAborted(findTools(), signal)
    if (!tools || 'missing' in tools) return 'not_ready'
    signal.throwIfAborted()
    return pagesOf(await inQuickTurn(whose, () => readOwners(tools, policy, url, signal, longest_ms), signal))
  }
}

async function readOwners(tools: Tools, policy: AddressPolicy, url: string, signal: AbortSignal, longest_ms: number) {
  const owners: Owner[] = []
  const markers = newMarkers()
  const ended = await runHelper({
    ...{ tools, policy, signal, longest_ms },
    args: ownerArgumentsOf(url, tools.ytdlp.version, markers),
    onLine(line) {
      const owner = readOwner(line, markers)
      if (owner) owners.push(owner)
    },
  })
  return ended === 'refused' ? [] : owners
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
