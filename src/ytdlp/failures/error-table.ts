/**
 * The errors of yt-dlp and ffmpeg, and what each means, as data. The first row that matches counts, so specific rows come
 * before vague ones. Sites change their wording, so each row matches only the part that is stable.
 */
import { type Failure, failed, failures, no_public_site } from './failure.ts'

/** `{site}` in a sentence is replaced by the name of the video's site. */
type ErrorRow = [match: RegExp | RegExp[], failure: Failure]

const geography = failed('geography', "Not available in your server's country.")
const removed = failed('removed', 'This video was removed from the site, so it can no longer be downloaded.')

/**
 * What sites say about one video. A video that is closed in a place, on other sites or for now is not removed, whatever other words are
 * next to it, so the rows of removed videos come after those. An hour of opening comes before a sign-in that also opens.
 */
const video_errors: readonly ErrorRow[] = [
  // yt-dlp writes of a VPN below the words of each site that refuses a country.
  [
    /a vpn or (a )?proxy server|in your country|geo(graphic(al(ly)?)?)?.?(restrict|block|fenc)|http error 451/i,
    geography,
  ],
  [
    /your ((current|geographic(al)?) )?(country|region|location|area|territory)|this (country|region|territory)|blocked by .{0,60}(government|censor)|(restricted|limited|blocked|locked) (by|based on|in|to) ((the|some|certain|other) )?(region|countr|territor|location)|\b(region|country|territory|location)(al)?[- ](restrict|block|lock)/i,
    geography,
  ],
  [
    /^(?!.*\byet\b).*\b(ended|finished|concluded|over|neither)\b.{0,60}\b(no (archive|recording|replay|vod|video)|(archive|recording|replay|vod) (is|was) disabled|archive nor)\b/i,
    failed('removed', 'This live stream has ended, and {site} keeps no recording of it.'),
  ],
  [
    /\b(live|stream|livestream|broadcast|event|space|concert|webinar)\b.{0,20}(?<!(\bnot|n['’]t) (yet )?)\b(ended|finished|concluded|(is|was) (now |already )?over\b(?! (\d|the |capacity|quota)))/i,
    failures.recording,
  ],
  [
    /processing this video|still process|\b(is|be|being|still|currently) (process|upload|encod|transcod|convert)(ing|ed)\b/i,
    failed('processing', '{site} is still processing this video. We keep checking until it is ready.'),
  ],
  [
    /\bavailable\b.{0,60}\b(after|between|from) \d{1,2}(:\d\d| ?[ap]\.?m\b)/i,
    failed('live', 'This video can be watched only at certain hours. We check again every hour.'),
  ],
  [
    [
      /\bpremieres\b|premiere in|coming soon|release date: |not (currently )?available yet|(n['’]t|not) (been )?(released|published|aired|broadcast|live|online|out) yet/i,
      /(^|\b(live|stream|livestream|broadcast|event|premiere|show|concert|match|game|programme?|episode|film|movie|video|space)\b.{0,20}\b)(starts|begins|airs|goes live|going live) (in|at|on|from|today|tonight|tomorrow|next|soon|shortly|later)\b/i,
      /(n['’]t|not)( yet)? (started|begun|aired)\b|(not yet|yet to) (be )?(start|begin|air|live|available|release|publish|broadcast|stream|online|out\b)/i,
      /\bwill (begin|start|air|premiere|go live|be (released|published|broadcast|shown|streamed|live|available (on|at|in|from|after|soon|shortly|later)))\b/i,
      /\bscheduled ((for|at|on)(?! (maintenance|deletion|removal))|to (start|begin|air|premiere|go live|be (released|published|broadcast|shown|available)))\b/i,
      /\bavailable (only )?(again )?(on|at|from|after|starting|as of) (\d|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d)/i,
    ],
    failed('premiere', 'This video is not out yet. We check again every hour.'),
  ],
  [/does not pass filter|live (event|stream) has not ended|is_live|^offline\b/i, failures.live],
  // The sentence is about a whole channel.
  [
    /(n['’]t|not) (currently )?(live|streaming|broadcasting)\b|no active streams?|in (a )?private show|\b(user|streamer|broadcaster|stream|livestream|model|channel|room|radio) is (now |currently )?offline/i,
    failed('unavailable', 'This channel is not live at the moment, so there is nothing to download.'),
  ],
  [ofCountries(), geography],
  [
    /disabled by the (video )?owner|blocked it from display|privacy settings, this video cannot|error (code: )?15[0-3]\b/i,
    failed('unavailable', 'This video may be played only on {site}. Watch it there.'),
  ],
  [/blocked it\b/i, failed('unavailable', 'The owner of the rights has blocked this video.')],
  [
    /workspace administrator|network administrator|filtering software/i,
    {
      ...failed('unavailable', 'The network of this server restricts this video. Ask your administrator to allow it.'),
      kind: 'operator',
    },
  ],
  [
    /removed by the (uploader|user|author)|removed for violating|account (associated with this video )?has been (terminated|suspended)|closed their (youtube )?account|^suspended\b|copyright/i,
    removed,
  ],
  [/\b(been|was|were|is|are) (removed|deleted|taken down)|\bno longer (available|online|accessible)/i, removed],
  [
    /(protected by|requires) a pass(word|code)|password[- ]protected|video[- ]password/i,
    failed('password', 'This video is protected by a password, so it cannot be downloaded.'),
  ],
  [
    /private (video|playlist|account|channel)|\b(video|vod|clip|episode|event|stream|livestream|broadcast|recording|post|tweet|track|playlist|album|account|profile|channel) is (now )?private\b|\b(made|set to|marked as) private\b|not been made available to anyone/i,
    failed('private', 'This video is private, so it cannot be downloaded.'),
  ],
  [
    [
      /members[- ]only|available to this channel's members|join this (youtube )?channel|(subscribers?|supporters?|patrons?|premium|vip)[- ]only|requires payment|purchase|http error 402/i,
      /\b(only|exclusive|exclusively|reserved)\b.{0,60}\b(subscri\w+|members|patrons|supporters|sponsors|premium|vip|paying)\b/i,
      /premium (members|users|videos?|content)|\b(members|subscribers|supporters|patrons) only|is paid\b|\bpaid[- ](video|content|post|stream|episode|event)|subscribe to (watch|download|view|see|access|continue|unlock)/i,
      /\b(requires?|needs?|must have|without) .{0,30}(subscription|membership|ticket)|(subscription|membership|ticket)s? (is |are )?(needed|required)|not subscribed|subscription (is not active|has expired)/i,
      /\b(is for|available (for|to)|be|become|not) (an? )?(\w+ )?(subscribers?|members?|patrons?|supporters?|sponsors?|ticket ?holders?)\b|\bto (buy|rent|pay)\b|\b(buy|rent) (this|the|it)\b/i,
      /\b(you|account) (do|does)(n['’]t| not) have (access|tickets?|permission to (access|watch))\b/i,
    ],
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
  // From `keep-cookies.py`, or a site's own. This fault pauses no other download, because others may not need the module.
  [
    /pycryptodomex (is missing|not found)/,
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
    /tls fingerprint|required impersonation dependency|impersonate target.{0,60} available/i,
    failed(
      'fingerprint',
      '{site} refuses our download tools. Ask your administrator to install curl_cffi, which they need for this site.',
    ),
  ],
  ...video_errors,
  [
    /http error 4(12|29)|rate.?limit|try (again )?later|ip is likely being blocked|ip( address)? (is|has been) (blocked|unable)|too many (requests|times)|(blocked|rejected) by (the )?server/i,
    failed('rate_limited', '{site} asked us to slow down.'),
  ],
  [
    /not a bot|as a bot|anti-bot|captcha/i,
    failed('bot_check', "{site} is asking for a bot check, so this can't be downloaded now. Watch it on {site}."),
  ],
  [
    /confirm your age|age.?(restricted|verif)|inappropriate|login (details are )?(needed|required)|\bsign(ed)?[- ]in\b|log ?in ?(to|for)\b|\byou (must|have to|need to) be .{0,20}\b(1[3-9]|2[01])\b|\b(1[3-9]|2[01]) years (old|of age)|logged[- ]in|only available for registered users|sensitive content|tv providers|--username|cookies/i,
    failed('sign_in', 'You need to be signed in on {site} to see this video.'),
  ],
  [
    /no supported javascript runtime|ff(mpeg|probe) (is )?not (found|installed)|errno 2\b.*ff(mpeg|probe)|ffmpeg.{0,40}(aborting|not found)|no such option/i,
    failures.not_started,
  ],
  [
    [
      /unsupported url|no suitable extractor|no video formats found|no video could be found|there.s no video|not a valid url|no media found/i,
      /^(?!.*please report this issue).*(\bno (supported |valid )?(video|audio|media)\w*\b.{0,30}\b(found|on|in)\b|(n['’]t|not) (contain|have) (a |an |any )?(video|audio)|there is no video|not a video|(web)?site is (not|no longer) supported)/i,
    ],
    failed('unsupported', 'No video found on this page. Open the page and check that it plays there.'),
  ],
  [
    /requested format is not available|downloaded file is empty|did not get any data|only images are available/i,
    failures.no_file,
  ],
  [/invalid data found when processing input|moov atom not found/i, failures.damaged],
  [
    [
      /http error (404|410)|\b(do|does)(n['’]t| not) exist\b|no longer exists?\b|no such (video|channel|podcast|episode|page)/i,
      /\b(video|vod|content|stream|episode|broadcast|clip|recording|post|link) (is |has )?(already )?expired\b|most likely expired/i,
      /^(?!.*please report this issue).*\b(video|vod|content|stream|episode|broadcast|clip|track|channel|playlist|space|show)( \S+)? not found/i,
    ],
    failed('not_found', '{site} says that this video does not exist. It may have been deleted or moved.'),
  ],
  [/http error 401/i, failed('sign_in', 'You need to be signed in on {site} to see this video.')],
  [/certificate/i, failed('site_trouble', 'The certificate of {site} is not valid. Nothing was downloaded.')],
  [/http error 403|\b403:? forbidden/i, failed('site_trouble', 'Access denied by {site} (403).')],
  [
    /http error 5\d\d|internal (server )?error|service (is )?(temporarily )?unavailable|network error has occurred/i,
    failed('site_trouble', '{site} is having problems right now.'),
  ],
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
    /video (is )?unavailable|is (currently |temporarily )?(unavailable|offline|unplayable|inaccessible)|isn.t available|not (currently )?available/i,
    failed('unavailable', '{site} says that this video is not available. Open the page and check that it plays there.'),
  ],
]

/** "Only available in Sweden", "not licensed for viewers in Japan", "in Taiwan only". */
function ofCountries(): RegExp {
  const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const named = letters.flatMap(first => letters.flatMap(second => english.of(first + second) ?? []))
  const plain = named.filter(name => /^[A-Za-z ]+$/.test(name))
  const places = [...plain, 'the (?:US|UK|EU)', 'Europe', 'USA?', 'UK', 'Hong Kong', 'Turkey', 'South Korea'].join('|')
  const closed =
    '\\b(?:[Oo]nly|[Nn]o longer|[Nn]ot|[Uu]navailable|[Ll]icensed|[Rr]estricted|[Ll]imited|[Bb]locked)\\b.{0,40}\\b(?:in|within|to|for)'
  return new RegExp(`(?:${closed}|\\b[Oo]utside(?: of)?) (?:the )?(?:${places})\\b|\\b[Ii]n (?:${places}) only\\b`)
}
