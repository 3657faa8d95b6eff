/**
 * What sites say about one video, and what each means, as data for `error-table.ts`. A video that is closed in a place, on other sites or for
 * now is not removed, whatever other words are next to it, so the rows of removed videos come after those.
 */
import { type Failure, failures } from './failure.ts'

/** `{site}` in a sentence is replaced by the name of the video's site. */
export type ErrorRow = Pick<Failure, 'kind' | 'reason' | 'sentence'> & { match: RegExp }

export const video_errors: readonly ErrorRow[] = [
  {
    match:
      /\bpremieres\b|premiere in|(event|live stream|livestream|premiere) will (begin|start)|will begin in|not yet available/i,
    kind: 'scheduled',
    reason: 'premiere',
    sentence: 'This video is not out yet. We check again every hour.',
  },
  {
    match: /\b(live|stream|livestream|broadcast|event)\b.{0,20}\bhas (already )?ended/i,
    ...failures.recording,
  },
  {
    match: /\bprocessing this video|still process|being processed/i,
    kind: 'scheduled',
    reason: 'processing',
    sentence: '{site} is still processing this video. We keep checking until it is ready.',
  },
  {
    match: /does not pass filter|live (event|stream) has not ended|is_live|^offline\b/i,
    ...failures.live,
  },
  {
    // Of a whole channel.
    match: /not currently live/i,
    kind: 'transient',
    reason: 'unavailable',
    sentence: 'This channel is not live at the moment, so there is nothing to download.',
  },
  {
    match: /in your country|your (region|location)|geo.?restrict|http error 451/i,
    kind: 'permanent',
    reason: 'geography',
    sentence: 'This video is not available in the country where this server runs.',
  },
  {
    match:
      /disabled by the (video )?owner|blocked it from display|privacy settings, this video cannot|error (code: )?15[0-3]\b/i,
    kind: 'transient',
    reason: 'unavailable',
    sentence: 'This video may be played only on {site}. Watch it there.',
  },
  {
    match: /blocked it\b/i,
    kind: 'transient',
    reason: 'unavailable',
    sentence: 'The owner of the rights has blocked this video.',
  },
  {
    match: /workspace administrator|network administrator/i,
    kind: 'operator',
    reason: 'unavailable',
    sentence: 'The network of this server restricts this video. Ask your administrator to allow it.',
  },
  {
    match:
      /removed by the (uploader|user|author)|removed for violating|account (associated with this video )?has been (terminated|suspended)|closed their (youtube )?account|^suspended\b|copyright|(has been|was) removed|been deleted|no longer available/i,
    kind: 'permanent',
    reason: 'removed',
    sentence: 'This video was removed from the site, so it can no longer be downloaded.',
  },
  {
    match: /protected by a password|password[- ]protected|video password/i,
    kind: 'permanent',
    reason: 'password',
    sentence: 'This video is protected by a password, so it cannot be downloaded.',
  },
  {
    match: /private video|video is private/i,
    kind: 'permanent',
    reason: 'private',
    sentence: 'This video is private, so it cannot be downloaded.',
  },
  {
    match:
      /members[- ]only|available to this channel's members|join this (youtube )?channel|(subscribers?|supporters?)[- ]only|premium (members|users)|requires payment|purchase|http error 402/i,
    kind: 'permanent',
    reason: 'members',
    sentence: 'Members only. We check again until it opens.',
  },
  {
    match: /\bdrm\b/i,
    kind: 'permanent',
    reason: 'copy_protected',
    sentence: 'This video is copy-protected, so it cannot be downloaded.',
  },
]
