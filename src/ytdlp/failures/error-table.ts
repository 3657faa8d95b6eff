/**
 * The errors of yt-dlp and ffmpeg, and what each means, as data. The first row that matches counts, so specific rows come
 * before vague ones. Sites change their wording, so each row matches only the part that is stable.
 */
import { type Failure, failed, failures, no_public_site } from './failure.ts'

/** `{site}` in a sentence is replaced by the name of the video's site. */
type ErrorRow = [match: RegExp, failure: Failure]

/**
 * What sites say about one video. A video that is closed in a place, on other sites or for now is not removed, whatever other words are
 * next to it, so the rows of removed videos come after those.
 */
const video_errors: readonly ErrorRow[] = [
  [
    /\bpremieres\b|premiere in|(event|live stream|livestream|premiere) will (begin|start)|will begin in|not yet available/i,
    failed('premiere', 'This video is not out yet. We check again every hour.'),
  ],
  [/\b(live|stream|livestream|broadcast|event)\b.{0,20}\bhas (already )?ended/i, failures.recording],
  [
    /\bprocessing this video|still process|being processed/i,
    failed('processing', '{site} is still processing this video. We keep checking until it is ready.'),
  ],
  [/does not pass filter|live (event|stream) has not ended|is_live|^offline\b/i, failures.live],
  // The sentence is about a whole channel.
  [
    /not currently live/i,
    failed('unavailable', 'This channel is not live at the moment, so there is nothing to download.'),
  ],
  [
    /in your country|your (region|location)|geo.?restrict|http error 451/i,
    failed('geography', "Not available in your server's country."),
  ],
  [
    /disabled by the (video )?owner|blocked it from display|privacy settings, this video cannot|error (code: )?15[0-3]\b/i,
    failed('unavailable', 'This video may be played only on {site}. Watch it there.'),
  ],
  [/blocked it\b/i, failed('unavailable', 'The owner of the rights has blocked this video.')],
  [
    /workspace administrator|network administrator/i,
    {
      ...failed('unavailable', 'The network of this server restricts this video. Ask your administrator to allow it.'),
      kind: 'operator',
    },
  ],
  [
    /removed by the (uploader|user|author)|removed for violating|account (associated with this video )?has been (terminated|suspended)|closed their (youtube )?account|^suspended\b|copyright|(has been|was) removed|been deleted|no longer available/i,
    failed('removed', 'This video was removed from the site, so it can no longer be downloaded.'),
  ],
  [
    /protected by a password|password[- ]protected|video password/i,
    failed('password', 'This video is protected by a password, so it cannot be downloaded.'),
  ],
  [/private video|video is private/i, failed('private', 'This video is private, so it cannot be downloaded.')],
  [
    /members[- ]only|available to this channel's members|join this (youtube )?channel|(subscribers?|supporters?)[- ]only|premium (members|users)|requires payment|purchase|http error 402/i,
    failed('members', "Members only. We'll keep checking."),
  ],
  [/\bdrm\b/i, failed('copy_protected', 'This video is copy-protected, so it cannot be downloaded.')],
]

export const error_table: readonly ErrorRow[] = [
  [
    /host not found|name resolution|name or service not known|getaddrinfo|nodename nor servname/i,
    failed('site_trouble', no_public_site),
  ],
  // yt-dlp leaves out why it cannot write a file. It has just been given the folder, so the disk is full.
  [/no space left on device|errno 28|disk quota exceeded|cannot write \w+ metadata to json file/i, failures.disk_full],
  [/cannot allocate memory|out of memory|\bmemoryerror\b|\bmalloc of size \d+ failed/i, failures.too_large],
  [/errno 30\b|read-only file system/i, failures.storage_read_only],
  [/errno 13\b|permission denied/i, failures.not_writable],
  [/errno (5|27|36)\b|file ?name too long|file too large|input\/output error/i, failures.disk_fault],
  [
    /^(?!.*(unable to download|ff(mpeg|probe))).*(errno (2|19|107|116)\b|stale (nfs )?file handle)/i,
    failures.storage_away,
  ],
  // From `keep-cookies.py`. This fault pauses no other download, because others may need neither the module nor cookies.

  [
    /ffmpeg would get cookies or headers .* pycryptodomex is missing/,
    {
      ...failed(
        'local',
        'This video is encrypted. Ask your administrator to install pycryptodomex, which the download tools need for it.',
      ),
      kind: 'operator',
    },
  ],
  [
    /ffmpeg would get cookies or headers/,
    failed('unsupported', 'This kind of stream cannot be downloaded with cookies or headers.'),
  ],
  // The site knows Python by the way it connects. The same sentence may warn of cookies, so this row comes before a sign-in.
  [
    /tls fingerprint|required impersonation dependency/i,
    failed(
      'fingerprint',
      '{site} refuses our download tools. Ask your administrator to install curl_cffi, which they need for this site.',
    ),
  ],
  ...video_errors,
  [
    /http error 429|rate.?limit|try again later|ip is likely being blocked|ip( address)? (is|has been) blocked|too many (requests|times)/i,
    failed('rate_limited', '{site} asked us to slow down.'),
  ],
  [
    /not a bot|captcha/i,
    failed('bot_check', "{site} is asking for a bot check, so this can't be downloaded now. Watch it on {site}."),
  ],
  [
    /confirm your age|age.?restricted|inappropriate|login (details are )?(needed|required)|sign in|log ?in to|only available for registered users|cookies/i,
    failed('sign_in', 'You need to be signed in on {site} to see this video.'),
  ],
  [
    /no supported javascript runtime|ff(mpeg|probe) (is )?not (found|installed)|errno 2\b.*ff(mpeg|probe)|ffmpeg.{0,40}(aborting|not found)|no such option/i,
    failures.not_started,
  ],
  [
    /unsupported url|no suitable extractor|no video formats found|no video could be found|there.s no video|not a valid url|no media found/i,
    failed('unsupported', 'No video found on this page. Open the page and check that it plays there.'),
  ],
  [
    /requested format is not available|downloaded file is empty|did not get any data|only images are available/i,
    failures.no_file,
  ],
  [/invalid data found when processing input|moov atom not found/i, failures.damaged],
  [
    /http error (404|410)|video (not found|does not exist)/i,
    failed('not_found', '{site} says that this video does not exist. It may have been deleted or moved.'),
  ],
  [/http error 401/i, failed('sign_in', 'You need to be signed in on {site} to see this video.')],
  [/certificate/i, failed('site_trouble', 'The certificate of {site} is not valid. Nothing was downloaded.')],
  [/http error 403|\b403:? forbidden/i, failed('site_trouble', 'Access denied by {site} (403).')],
  [/http error 5\d\d|internal (server )?error/i, failed('site_trouble', '{site} is having problems right now.')],
  [
    /http error 416|conflicting range|transport endpoint|timed? ?out|connection (reset|refused|aborted)|tunnel connection failed|remote end closed|needs to be reloaded|fragment.{0,40}(not found|unavailable|retries)|giving up after|incompleteread|bytes (read|missing)|\bssl\b|network is unreachable/i,
    failed('site_trouble', 'The connection to {site} broke off.'),
  ],
  [
    /unable to extract|extraction failed|please report this issue|on the latest version/i,
    failed(
      'extraction',
      '{site} has changed, and our download tools cannot read it yet. Ask your administrator to update them.',
    ),
  ],
  [
    /video (is )?unavailable|isn.t available|not available/i,
    failed('unavailable', '{site} says that this video is not available. Open the page and check that it plays there.'),
  ],
]
