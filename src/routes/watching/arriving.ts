/** Sends a video while it is downloaded: the playlist of what has arrived (HLS, RFC 8216), and the segments that it names. */
import { Hono } from 'hono'
import {
  type ArrivingPlaylist,
  arrivingPlaylist,
  arrivingSegment,
  lastPartOf,
} from '../../domain/downloads/arriving.ts'
import { codecsOf } from '../../domain/watching/codecs.ts'
import { DomainError } from '../../errors.ts'
import { bodyOf } from '../../runtime/sending.ts'
import type { Files } from '../../store/files.ts'
import type { BeginStream } from '../http/answer-limits.ts'
import { type Env, wantsJson } from '../http/context.ts'

/** A few hundred bytes; one of this size would be no beginning of a video. */
const max_init_bytes = 1024 * 1024

/** `begin`: counts a stream that someone reads. */
export const arriving = (
  files: Files,
  is_sharing: boolean,
  { begin, idle_ms }: { begin: BeginStream; idle_ms: number },
) =>
  new Hono<Env>()
    .get('/stream/:video_id/index.m3u8', async c => {
      // Our own player sends it, and waits for the next part. Other players need an answer at once.
      const seen = c.req.header('backlot-seen')
      const end = seen === undefined ? undefined : begin(c.var.library.user_id, c.var.client)
      const request = { video_id: c.req.param('video_id'), seen }
      const playlist = await arrivingPlaylist(c.var.library, files, request, is_sharing).catch(reasonOf).finally(end)
      if (playlist instanceof DomainError) {
        if (wantsJson(c)) throw playlist
        // The player shows the sentence, and asks again if there is a time for that.
        const { retry_after_s } = playlist
        return c.text(
          playlist.message,
          404,
          retry_after_s === undefined ? {} : { 'Retry-After': String(retry_after_s) },
        )
      }
      return c.body(playlistForPlayers(playlist), 200, {
        'Content-Type': 'application/vnd.apple.mpegurl',
        'Backlot-Seen': lastPartOf(playlist),
      })
    })

    .get('/stream/:video_id/arriving/:folder/:name', async c => {
      const { source, size } = await arrivingSegment(c.var.library, files, c.req.param(), is_sharing)
      // It marks the answer as a file, which is read from disk as fast as the client takes it.
      const headers = { 'Content-Type': 'video/mp4', 'Content-Length': String(size), 'Accept-Ranges': 'none' }
      if (c.req.method === 'HEAD') {
        await source.close()
        return c.body(null, 200, headers)
      }
      if (!c.req.param('name').endsWith('.mp4') || size > max_init_bytes) {
        const onEnd = await orClosed(source, () => begin(c.var.library.user_id, c.var.client))
        return c.body(bodyOf({ source, first: 0, last: size - 1, idle_ms, onEnd }), 200, headers)
      }
      try {
        const init = new Uint8Array(await source.readFile())
        const codecs = codecsOf(init)
        // The player needs them before it can take the first segment.
        return c.body(init, 200, { ...headers, ...(codecs && { 'Content-Type': `video/mp4; codecs="${codecs}"` }) })
      } finally {
        await source.close()
      }
    })

/** A stream that is one too many leaves no file open. */
async function orClosed<T>(source: { close(): Promise<unknown> }, work: () => T): Promise<T> {
  try {
    return work()
  } catch (refusal) {
    await source.close()
    throw refusal
  }
}

/** Why nothing can be played yet. */
function reasonOf(refusal: unknown): DomainError {
  if (refusal instanceof DomainError && refusal.code === 'not_found') return refusal
  throw refusal
}

/**
 * The playlist for players, made from the playlist that ffmpeg writes. `duration_s` becomes a tag of our own, which players ignore that do
 * not know it. The tag of the end is left out: ffmpeg also writes it when it is stopped early, and at the end the finished file is played.
 */
export function playlistForPlayers({ folder, playlist, duration_s }: ArrivingPlaylist): string {
  const lines = playlist.split('\n').flatMap(line => {
    if (line === '#EXT-X-ENDLIST') return []
    const [, map] = /^#EXT-X-MAP:URI="([^"]*)"/.exec(line) ?? []
    if (map) return [`#EXT-X-MAP:URI="${pathOf(folder, map)}"`]
    return [line.startsWith('#') || line === '' ? line : pathOf(folder, line)]
  })
  // From the start, not from what arrived last.
  const own = ['#EXT-X-START:TIME-OFFSET=0', ...(duration_s === null ? [] : [`#EXT-X-BACKLOT-DURATION:${duration_s}`])]
  return [lines[0], ...own, ...lines.slice(1)].join('\n')
}

const pathOf = (folder: string, name: string) => `arriving/${folder}/${name}`
