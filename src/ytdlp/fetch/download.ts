/**
 * Downloads one video into one folder with yt-dlp, and returns an MP4, M4A or MP3 with its subtitles. Running yt-dlp is left to
 * `fetch-video.ts`.
 */
import { realpath, stat } from 'node:fs/promises'
import type { AddressPolicy } from '../../net/addresses.ts'
import type { Chapter, FileFacts } from '../../schema/sources/facts.ts'
import type { LookedVideo } from '../../schema/sources/listing.ts'
import type { SubtitleFile } from '../../schema/sources/subtitles.ts'
import { hasControls, namesMediaFile } from '../../schema/values/address.ts'
import { readInfoFile } from '../ask/subtitles.ts'
import { factsIn, probeFile } from '../convert/ffmpeg.ts'
import { innerSubtitles } from '../convert/inner-subtitles.ts'
import { makePlayable } from '../convert/playable.ts'
import { streamsIn } from '../convert/streams.ts'
import { cleaned, diskFailure, type Failure, failures } from '../failures/failure.ts'
import {
  type CoverFetcher,
  type DownloadContext,
  type DownloadRequest,
  download_limits,
} from '../process/download-context.ts'
import type { Tools } from '../process/programs.ts'
import type { SharedRate } from '../process/shared-rate.ts'
import { addExtras } from './extras.ts'
import { fetchVideo } from './fetch-video.ts'
import { type SegmentMaker, segmentMaker } from './hls-segments.ts'
import { brokenFile, forgetPartial } from './whole-file.ts'

/** Fetches `url` into `folder` as an MP4, or as the file of sound that the quality names. Rejects only when `signal` is aborted. */
export type Downloader = (request: DownloadRequest) => Promise<Downloaded | { failure: Failure }>

/**
 * `subtitles`: as separate files; the video file also contains the subtitles that people wrote. `facts`: what yt-dlp found out on
 * the way. `in_file`: what the file says itself. `words_hash`: the digest of the person's own words that the file contains (`wordsHash`);
 * absent: the file contains only what its site says.
 */
export type Downloaded = {
  file: string
  file_size: number
  subtitles?: SubtitleFile[]
  facts?: VideoFacts | undefined
  in_file?: FileFacts | undefined
  words_hash?: string | undefined
}

/** What a look finds out, the spoken language, and the chapters. */
type VideoFacts = LookedVideo & { language?: string | null; chapters?: Chapter[] | undefined }

export type DownloaderOptions = {
  tools: Tools
  policy: AddressPolicy
  /** Absent: files get no covers. */
  fetchPicture?: CoverFetcher
  /** Of all downloads together; watched ones are exempt. Absent: no limit. */
  rate?: SharedRate
  /** Absent: as in `download_limits`. Joining and converting may take ten times as long. */
  silence_ms?: number
  /** The longest run. The queue would start a job a second time after four hours. */
  longest_ms?: number
}

export function createDownloader({
  silence_ms = download_limits.silence_s * 1000,
  longest_ms = 3 * 3_600_000,
  rate,
  ...options
}: DownloaderOptions): Downloader {
  return async ({ quality = 'best', ...request }) => {
    const { url, signal, arriving } = request
    let segments: SegmentMaker | undefined
    let is_watched = false
    arriving?.wanted.then(() => {
      is_watched = true
    })
    try {
      signal.throwIfAborted()
      if (!/^https?:\/\//i.test(url))
        return { failure: { ...failures.not_a_web_address, detail: cleaned(url.slice(0, 200)) } }
      // Rows saved before such addresses were refused may still contain one.
      if (hasControls(url)) return { failure: failures.unfit_address }
      const deadline = performance.now() + longest_ms
      const limits = { silence_ms, deadline, pacing: rate?.of(() => is_watched) }
      const context = { ...options, ...request, ...limits, quality, folder: await realpath(request.folder) }
      segments = segmentMaker(context)
      const downloaded = await download(context, segments)
      return 'failure' in downloaded ? { failure: shownTo(context, downloaded.failure) } : downloaded
    } catch (cause) {
      signal.throwIfAborted()
      return { failure: diskFailure(cause) ?? { ...failures.unknown, detail: cleaned(String(cause)) } }
    } finally {
      // The caller then moves or removes the folder.
      await segments?.stop()
    }
  }
}

/** With the operator's cookies, a site may say what concerns the operator's account, so people get our own sentence only. */
const shownTo = ({ tools, cookies }: DownloadContext, failure: Failure): Failure =>
  cookies === undefined && tools.ytdlp.operator?.cookies !== undefined ? { ...failure, is_for_log: true } : failure

/** Fetches the video, checks the file, converts it where needed, and adds what belongs into it. */
async function download(context: DownloadContext, segments: SegmentMaker): Promise<Downloaded | { failure: Failure }> {
  const { onProgress, takes_unfinished } = context
  const fetched = await fetchVideo(context, segments)
  if ('failure' in fetched) return fetched
  const probe = await fetched.probe
  // An unfinished recording is shorter than the stream was.
  const broken = await brokenFile(context, fetched.file, probe, takes_unfinished ? null : fetched.said_s)
  if (broken) {
    await forgetPartial(context)
    return { failure: broken }
  }
  // A conversion leaves out the subtitles inside the file.
  const inner = probe ? await innerSubtitles(context, fetched.file, probe) : []
  const onConversion = (percent: number | null) => onProgress({ ...fetched.progress, phase: 'converting', percent })
  const made = await makePlayable(context, fetched.file, onConversion, probe)
  if ('failure' in made) return { failure: await failureOfFile(context, made.failure) }
  onProgress(fetched.progress)
  const extras = await addExtras(context, made.file, probe, inner)
  const in_file = probe && { ...factsIn(probe), streams: await streamsOf(context, made.file) }
  return { file: made.file, file_size: (await stat(made.file)).size, in_file, ...extras }
}

/** Read from the finished file: conversion and extras change what arrived. It takes a twentieth of a second. */
const streamsOf = async ({ tools, folder, signal }: DownloadContext, file: string) =>
  streamsIn(await probeFile(tools, { file, folder, signal }))

/** A file that cannot be read is a damaged video where its address or its site called it media. */
async function failureOfFile({ url, folder }: DownloadContext, failure: Failure): Promise<Failure> {
  if (failure !== failures.not_readable) return failure
  const is_media = namesMediaFile(url) || (await readInfoFile(folder).catch(() => undefined))?.direct
  return is_media ? failures.damaged : failure
}
