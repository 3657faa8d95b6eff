/**
 * Error text → what it means and what to tell people, as data.
 * Read from the top: what is sure stands before what is vague. Sites change their words, so only the stable part of them is matched.
 */
import type { Reason } from '../../schema/reason.ts'
import type { Failure } from './failure.ts'

/** One answer for an inside address and for an unknown name: two would tell which names this network has. */
export const no_public_site = 'This video does not lead to a public site. Check its address, or try again later.'

/** `{site}` in a sentence becomes the name of the video's site. */
type Row = { match: RegExp; kind: Failure['kind']; reason: Reason; sentence: string }
export const unknown: Omit<Row, 'match'> = {
  kind: 'transient',
  reason: 'unknown',
  sentence: 'The download broke off for a reason we do not know. Try again later.',
}

export const table: Row[] = [
  {
    match: /^there is no sound$/,
    kind: 'permanent',
    reason: 'unsupported',
    sentence: 'This video has no sound. Choose a quality with a picture, then try again.',
  },
  {
    match: /host not found|name resolution|name or service not known|getaddrinfo|nodename nor servname/i,
    kind: 'transient',
    reason: 'site_trouble',
    sentence: no_public_site,
  },
  {
    match: /no space left on device|errno 28|disk quota exceeded/i,
    kind: 'local',
    reason: 'no_room',
    sentence: 'There is no space left on the disk. Delete some videos, then try again.',
  },
  {
    match: /errno (13|30)\b|permission denied|read-only file system/i,
    kind: 'local',
    reason: 'local',
    sentence: 'The downloads folder cannot be written. Ask whoever runs this service to check its permissions.',
  },
  {
    match: /errno (5|27|36)\b|file ?name too long|file too large|input\/output error/i,
    kind: 'local',
    reason: 'local',
    sentence: 'The disk here does not take this file. Ask whoever runs this service to look at the disk.',
  },
  {
    match: /premieres? in|(event|live stream|livestream|premiere) will (begin|start)|will begin in|not yet available/i,
    kind: 'scheduled',
    reason: 'premiere',
    sentence: 'This video is not out yet. We look again every hour.',
  },
  {
    match: /does not pass filter|live (event|stream) has not ended|is_live/i,
    kind: 'scheduled',
    reason: 'live',
    sentence: 'This video is live or not out yet. We look again every hour.',
  },
  {
    match:
      /removed by the (uploader|user|author)|removed for violating|account (associated with this video )?has been (terminated|suspended)|copyright|has been removed|been deleted|no longer available|disabled by the (video )?owner|live (event|stream) has ended/i,
    kind: 'permanent',
    reason: 'removed',
    sentence: 'This video was taken down, so it can no longer be downloaded.',
  },
  {
    match: /protected by a password|password[- ]protected|video password/i,
    kind: 'permanent',
    reason: 'password',
    sentence: 'This video is locked with a password, so it cannot be downloaded.',
  },
  {
    match: /private video|video is private/i,
    kind: 'permanent',
    reason: 'private',
    sentence: 'This video is private. Only its owner can open it to you.',
  },
  {
    match:
      /members[- ]only|available to this channel's members|join this (youtube )?channel|subscribers only|premium (members|users)|requires payment|purchase|http error 402/i,
    kind: 'permanent',
    reason: 'members',
    sentence: 'This video is for paying members only, so it cannot be downloaded.',
  },
  {
    match: /in your country|your (region|location)|geo.?restrict|http error 451/i,
    kind: 'permanent',
    reason: 'geography',
    sentence: 'This video is not shown in the country where this service runs.',
  },
  {
    match: /\bdrm\b/i,
    kind: 'permanent',
    reason: 'copy_protected',
    sentence: 'This video is copy-protected, so it cannot be downloaded.',
  },
  {
    match:
      /http error 429|rate.?limit|try again later|ip is likely being blocked|ip( address)? (is|has been) blocked|too many requests/i,
    kind: 'rate_limited',
    reason: 'rate_limited',
    sentence: 'The site asks us to slow down. We try again later.',
  },
  {
    match: /not a bot|captcha/i,
    kind: 'operator',
    reason: 'bot_check',
    sentence:
      'The site shows this video only to people who are signed in there, which this service is not. Watch it on the site.',
  },
  {
    match:
      /confirm your age|age.?restricted|inappropriate|login (details are )?(needed|required)|sign in|log ?in to|only available for registered users|cookies/i,
    kind: 'operator',
    reason: 'sign_in',
    sentence:
      'The site shows this video only to people who are signed in there, which this service is not. Watch it on the site.',
  },
  {
    match:
      /no supported javascript runtime|ff(mpeg|probe) (is )?not (found|installed)|ffmpeg.{0,40}(aborting|not found)|no such option|could not be started/i,
    kind: 'operator',
    reason: 'tools',
    sentence: 'The downloading tools are not set up right. Ask whoever runs this service to look at its log.',
  },
  {
    match:
      /unsupported url|no video formats found|no video could be found|there.s no video|not a valid url|no media found/i,
    kind: 'permanent',
    reason: 'unsupported',
    sentence: 'There is no video at this address that we can read. Open the page and check that it plays there.',
  },
  {
    match:
      /requested format is not available|downloaded file is empty|did not get any data|only images are available|ended without a file/i,
    kind: 'transient',
    reason: 'unavailable',
    sentence: 'The site gave us no usable version of this video. Try again later.',
  },
  {
    match: /http error (404|410)|video (not found|does not exist)/i,
    kind: 'permanent',
    reason: 'not_found',
    sentence: 'The site says that this video does not exist. It may have been deleted or moved.',
  },
  {
    match: /http error 401/i,
    kind: 'operator',
    reason: 'sign_in',
    sentence:
      'The site shows this video only to people who are signed in there, which this service is not. Watch it on the site.',
  },
  {
    match: /certificate/i,
    kind: 'transient',
    reason: 'site_trouble',
    sentence: 'The site could not prove who it is, so nothing was downloaded. Try again later.',
  },
  {
    match: /http error 403|\b403:? forbidden/i,
    kind: 'transient',
    reason: 'site_trouble',
    sentence: 'Access denied by {site} (403).',
  },
  {
    match:
      /http error (416|5\d\d)|timed? ?out|connection (reset|refused|aborted)|host not reachable|tunnel connection failed|remote end closed|needs to be reloaded|fragment.{0,40}(not found|unavailable|retries)|giving up after|incompleteread|bytes (read|missing)|\bssl\b|network is unreachable/i,
    kind: 'transient',
    reason: 'site_trouble',
    sentence: 'The site did not send the whole video. Try again later.',
  },
  {
    match: /unable to extract|extraction failed|please report this issue|on the latest version/i,
    kind: 'operator',
    reason: 'extraction',
    sentence:
      'The site has changed in a way that is not understood here yet. Ask whoever runs this service to update its downloading tools.',
  },
  {
    match: /video unavailable|content isn.t available|not available/i,
    kind: 'transient',
    reason: 'unavailable',
    sentence: 'The site says that this video is not available. If it plays there, try again later.',
  },
  {
    match: /not a video we can read/i,
    kind: 'permanent',
    reason: 'unsupported',
    sentence: 'What the site sent is not a video we can read. Open the page and check that it plays there.',
  },
]
