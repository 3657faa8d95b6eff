/**
 * Fetches what is said in a video without downloading it: one run of yt-dlp requests its page, and another one the subtitles that a download would
 * take for its transcript. Keeps no file.
 */
import { readFile } from 'node:fs/promises'
import type { AddressPolicy } from '../../net/addresses.ts'
import { siteOf } from '../../schema/values/address.ts'
import { infoArgumentsOf } from './command.ts'
import { cleaned, type Failure, failures, unanswered } from './failure.ts'
import { inNewFolder, runHelperIn, toolsFor } from './helper.ts'
import type { Ended } from './process.ts'
import { errorListener, failureOf } from './read-error.ts'
import { fetchSubtitles, readInfoFile, readSubtitles, subtitlesFor } from './subtitles.ts'
import type { ToolFinder, Tools } from './tools.ts'

/** `language`: as the names of subtitle files have it. */
export type Captions = { language: string; webvtt: string }

/** `captions` is `undefined`: the video has none. */
export type CaptionsResult = { captions: Captions | undefined } | { failure: Failure }

/** Rejects only when `signal` is aborted. */
export type CaptionFetcher = (request: { url: string; signal: AbortSignal }) => Promise<CaptionsResult>

export type CaptionFetcherOptions = { findTools: ToolFinder; policy: AddressPolicy; longest_ms?: number }

export function createCaptionFetcher({
  findTools,
  policy,
  longest_ms = 60_000,
}: CaptionFetcherOptions): CaptionFetcher {
  return async ({ url, signal }) => {
    const tools = await toolsFor(url, findTools, signal)
    if ('failure' in tools) return tools
    return inNewFolder(folder => fetchInto(folder, { tools, policy, url, signal, longest_ms }))
  }
}

type Run = { tools: Tools; policy: AddressPolicy; url: string; signal: AbortSignal; longest_ms: number }

async function fetchInto(folder: string, { url, ...run }: Run): Promise<CaptionsResult> {
  const { tools, policy, signal, longest_ms } = run
  const page = errorListener(url)
  const read = await runHelperIn(folder, {
    ...{ ...run, onLine: page.hear },
    args: infoArgumentsOf({ url, folder, version: tools.ytdlp.version }),
  })
  const info = await readInfoFile(folder)
  // A page that the site refused has no subtitles either.
  const chosen = info ? subtitlesFor(info, 'audio') : []
  if (chosen.length === 0) return whyNone(read, page, url, info !== undefined)

  const wanted = errorListener(url)
  const fetched = await fetchSubtitles({ tools, policy, folder, signal }, chosen, longest_ms, wanted.hear)
  const [subtitles] = await readSubtitles(folder, chosen)
  if (!subtitles) return whyNone(fetched, wanted, url, true)
  return { captions: { language: subtitles.language, webvtt: await readFile(subtitles.file, 'utf8') } }
}

/** `is_answer`: without a reason, there are none. */
function whyNone(
  ended: Ended | 'refused',
  { said, warned }: ReturnType<typeof errorListener>,
  url: string,
  is_answer: boolean,
): CaptionsResult {
  const reason = said() || warned()
  if (ended === 'refused') return { failure: failures.refused_address }
  if (ended.stopped) return { failure: { ...failures[unanswered(ended)], detail: cleaned(reason) } }
  if (reason) return { failure: failureOf({ said: reason, site: siteOf(url) }) }
  if (is_answer) return { captions: undefined }
  return { failure: ended.could_start ? failures.no_file : failures.not_started }
}
