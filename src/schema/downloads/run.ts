/** What is known of a run of a download: why an attempt failed, the figures by which slots are given, and what has arrived. */
import { z } from 'zod'
import type { UserId } from '../values/user.ts'

/** Why an attempt failed. `domain/downloads/retries.ts` decides from it when the next attempt starts. */
export const Reason = z.enum([
  // The site.
  'rate_limited',
  'bot_check',
  'fingerprint',
  'site_trouble',
  'extraction',
  // This machine.
  'no_room',
  'quota',
  'tools',
  'local',
  'storage',
  'proxy',
  // The video, for now.
  'premiere',
  'live',
  'processing',
  'members',
  'sign_in',
  'geography',
  'private',
  'unavailable',
  'not_found',
  'silent',
  'too_long',
  'cut_off',
  'unknown',
  // The video, for good.
  'removed',
  'password',
  'copy_protected',
  'unsupported',
  'address_refused',
])
export type Reason = z.infer<typeof Reason>

/**
 * The names, in the folder of a run, of what serves that run alone: the home of its tools, yt-dlp's info file also while it is being
 * written, and sound that is fetched ahead. With cookies of a person, yt-dlp writes them into such files.
 */
export const serves_one_run = /^(?:home|ahead|about\..*)$/

/** A download that uses a slot. */
export type SlotRun = {
  user_id: UserId
  claim: string
  video_host: string | null
  /** Seconds since it started. */
  ran_s: number
  /** Everything is received; the files are being joined or converted. */
  is_processing: boolean
  /** How often the site sent it from its start again after it had yielded its slot. */
  restarts: number
}

/** The figures that decide which download gets the next free slot. */
export type SlotQueue = {
  /** The slots of all live workers; 0: unknown. */
  slots: number
  runs: SlotRun[]
  /** People with a download that could start if there were a slot and a place at its host: once for each person and host. */
  waiting: { user_id: UserId; video_host: string | null }[]
  /** How many downloads from this host may run at once; may be infinite. */
  placesAt(host: string | null): number
}

/** What is known of a video that is watched while it is downloaded. The worker writes it, and the web process reads it. */
export const ArrivingState = z.object({
  /** The length of the whole video; `null`: unknown. */
  duration_s: z.number().positive().max(1e6).nullable().catch(null),
  /** The video can be played only when it is complete. */
  is_whole_only: z.boolean(),
  /** Every part of the video has arrived; only its file is not finished. */
  has_all: z.boolean().optional(),
  /** The disk has no room for the file and its segments. */
  lacks_room: z.boolean().optional(),
  /** When the download is expected to be complete, in milliseconds since 1970; `null`: unknown. */
  ends_at: z.number().nullable().catch(null),
})
export type ArrivingState = z.infer<typeof ArrivingState>
