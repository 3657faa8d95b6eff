/** Fetches what is said in a video that is not downloaded. */
import { readFile } from 'node:fs/promises'
import type { AddressPolicy } from '../../net/addresses.ts'
import { inNewFolder } from '../../runtime/folders.ts'
import { siteOf } from '../../schema/values/address.ts'
import { cleaned, type Failure, failures, unanswered } from '../failures/failure.ts'
import { errorListener, failureOf } from '../failures/read-error.ts'
import type { ToolFinder, Tools } from '../process/programs.ts'
import type { ToolEnd } from '../process/run-tool.ts'
import { runYtdlp } from '../process/ytdlp.ts'
import { infoArgumentsOf } from './command.ts'
import { toolsFor } from './helper.ts'
import { fetchSubtitles, readInfoFile, readSubtitles, subtitlesFor } from './subtitles.ts'

/** `language`: as the names of subtitle files have it. */
export type Captions = { language: string; webvtt: string }

/** `captions` is `undefined`: the video has none. */
type CaptionsResult = { captions: Captions | undefined } | { failure: Failure }

/** Rejects only when `signal` is aborted. */
export type CaptionFetcher = (request: { url: string; signal: AbortSignal }) => Promise<CaptionsResult>

type CaptionFetcherOptions = { findTools: ToolFinder; policy: AddressPolicy }

/** Of each of the two runs. */
const longest_run_ms = 60_000

/**
 * Fetches the subtitles that a download would take for its transcript: one run of yt-dlp requests the page of the video, and another run
 * the subtitles. Keeps no file.
 */
export function createCaptionFetcher({ findTools, policy }: CaptionFetcherOptions): CaptionFetcher {
  return async ({ url, signal }) => {
    const tools = await toolsFor(url, findTools, signal)
    if ('failure' in tools) return tools
    return inNewFolder('ask', folder => fetchInto(folder, { tools, policy, url, signal }))
  }
}

type CaptionRun = { tools: Tools; policy: AddressPolicy; url: string; signal: AbortSignal }

async function fetchInto(folder: string, { tools, policy, url, signal }: CaptionRun): Promise<CaptionsResult> {
  const page = errorListener(url)
  const read = await runYtdlp(folder, {
    tools,
    policy,
    signal,
    longest_ms: longest_run_ms,
    onLine: page.hear,
    args: infoArgumentsOf({ url, folder, version: tools.ytdlp.version }),
  })
  const info = await readInfoFile(folder)
  // A page that the site refused has no subtitles either.
  const chosen = info ? subtitlesFor(info, 'audio') : []
  if (chosen.length === 0) return whyNone(read, page, url, info !== undefined)

  const wanted = errorListener(url)
  const fetched = await fetchSubtitles({ tools, policy, folder, signal }, chosen, longest_run_ms, wanted.hear)
  const [subtitles] = await readSubtitles(folder, chosen)
  if (!subtitles) return whyNone(fetched, wanted, url, true)
  return { captions: { language: subtitles.language, webvtt: await readFile(subtitles.file, 'utf8') } }
}

/** `is_answer`: without a reason, there are none. */
function whyNone(
  ended: ToolEnd | { failure: Failure },
  { said, warned }: ReturnType<typeof errorListener>,
  url: string,
  is_answer: boolean,
): CaptionsResult {
  const reason = said() || warned()
  if ('failure' in ended) return ended
  if (ended.stopped) return { failure: { ...failures[unanswered(ended)], detail: cleaned(reason) } }
  if (reason) return { failure: failureOf({ said: reason, site: siteOf(url) }) }
  if (is_answer) return { captions: undefined }
  return { failure: ended.could_start ? failures.no_file : failures.not_started }
}
