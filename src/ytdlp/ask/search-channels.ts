/** Asks YouTube by yt-dlp for channels by their name. Needs no key, and requests one page of results. */
import type { AddressPolicy } from '../../net/addresses.ts'
import type { NamedChannel } from '../../schema/sources/discovery.ts'
import type { Failure } from '../failures/failure.ts'
import { errorListener } from '../failures/read-error.ts'
import type { ToolFinder, Tools } from '../process/programs.ts'
import { searchArgumentsOf } from './command.ts'
import { inQuickTurn, readyTools, runHelper } from './helper.ts'
import { listingFailure } from './list-videos.ts'
import { newMarkers, readMarked } from './output.ts'
import { VideoLine } from './video-info.ts'

type NameRequest = { words: string; signal: AbortSignal; whose?: string | undefined }

/** Rejects only when `signal` is aborted. */
export type YoutubeSearcher = (request: NameRequest) => Promise<{ channels: NamedChannel[] } | { failure: Failure }>

type Options = { findTools: ToolFinder; policy: AddressPolicy }

export function createYoutubeSearcher({ findTools, policy }: Options): YoutubeSearcher {
  return async ({ words, signal, whose = '' }) => {
    const tools = await readyTools(findTools, signal)
    if ('failure' in tools) return tools
    return inQuickTurn(whose, () => search(tools, policy, words, signal), signal)
  }
}

async function search(tools: Tools, policy: AddressPolicy, words: string, signal: AbortSignal) {
  const markers = newMarkers()
  const errors = errorListener(words)
  const channels: NamedChannel[] = []
  const ended = await runHelper({
    tools,
    policy,
    signal,
    longest_ms: 30_000,
    args: searchArgumentsOf({ words, version: tools.ytdlp.version, markers, most: 10 }),
    onLine(line) {
      errors.hear(line)
      const found = readMarked(line, markers.video, VideoLine)
      const channel = found && channelOf(found)
      if (channel) channels.push(channel)
    },
  })
  if ('failure' in ended) return ended
  const said = errors.said()
  if (channels.length === 0 && (ended.exit !== 0 || said !== ''))
    return { failure: listingFailure(ended, said, 'youtube.com') }
  return { channels }
}

/** Results may also be videos, whatever was asked for. */
function channelOf({ info: { title, channel_id, uploader_url } }: VideoLine): NamedChannel | undefined {
  if (!title || !channel_id || !/^UC[\w-]{22}$/.test(channel_id)) return undefined
  const handle = uploader_url?.split('/').at(-1)
  return {
    title,
    page_url: `https://www.youtube.com/channel/${channel_id}`,
    site: handle?.startsWith('@') ? `YouTube · ${handle}` : 'YouTube',
  }
}
