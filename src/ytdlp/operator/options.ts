/**
 * The options of yt-dlp that an operator may set in YTDLP_CONFIG, and why others are refused, as data. Each one that is allowed changes how
 * a site is asked, and none changes what is fetched, where it is written, or which program runs.
 */
import { bytesIn, least_bytes_s } from '../../config/forms.ts'
import { wordsIn } from './config-words.ts'

/** `value`: absent for an option that takes none. */
export type OperatorOption = { name: string; value?: string }

/** A form of values, and what it is called. */
type Form = [form: RegExp, words: string]

const rate: Form = [/^\d+(\.\d+)?[kmgtKMGT]?$/, 'a number of bytes such as 500K or 4.2M']
const seconds: Form = [/^\d+(\.\d+)?$/, 'a number of seconds']
const retries: Form = [/^(\d{1,6}|inf(inite)?)$/, 'a number or infinite']
const text: Form = [/^(?!--)[^\p{Cc}]+$/u, 'a text on one line']
const country: Form = [/^[A-Za-z]{2}$/, 'the code of a country']
const flag = null

/** Every option that is passed on, by its name in yt-dlp's manual. `null`: it takes no value. */
const allowed: Readonly<Record<string, Form | null>> = {
  '--limit-rate': rate,
  '--throttled-rate': rate,
  '--http-chunk-size': rate,
  '--concurrent-fragments': [/^[1-9]\d?$/, 'a number from 1 to 99'],
  '--sleep-requests': seconds,
  '--sleep-interval': seconds,
  '--max-sleep-interval': seconds,
  '--sleep-subtitles': seconds,
  '--socket-timeout': seconds,
  '--retries': retries,
  '--fragment-retries': retries,
  '--file-access-retries': retries,
  '--extractor-retries': retries,
  '--retry-sleep': [
    /^((http|fragment|file_access|extractor):)?(\d+(\.\d+)?|(linear|exp)=\d+(\.\d+)?(:(\d+(\.\d+)?)?)?(:\d+(\.\d+)?)?)$/,
    'a number of seconds, or a form such as http:exp=1:10',
  ],
  // Without the checks of the scripts that solve YouTube's puzzles, a server between us and GitHub could run its own.
  '--extractor-args': [/^(?!youtube-ejs:)[\w-]+:[^\p{Cc}]+$/iu, 'an extractor and its arguments, and not youtube-ejs'],
  '--user-agent': text,
  '--referer': text,
  // Each site that a person names gets these headers, so they can hold no secret; and others belong to the connection.
  '--add-headers': [
    /^(?!(cookie|(proxy-)?authorization|host|range|connection|te|trailer|upgrade|content-.*|transfer-.*|proxy-.*|ytdl-.*):)[\w-]+:[^\p{Cc}]+$/iu,
    'a name and a value, and not a secret (use --cookies) or a part of the connection',
  ],
  '--impersonate': [/^[A-Za-z0-9.:-]+$/, 'a browser such as chrome'],
  '--xff': [/^(default|never|[A-Za-z]{2}|[\da-fA-F.:]+\/\d+)$/, 'default, never, a country or a network'],
  '--geo-bypass': flag,
  '--no-geo-bypass': flag,
  '--geo-bypass-country': country,
  '--geo-bypass-ip-block': [/^[\da-fA-F.:]+\/\d+$/, 'a network'],
  '--check-formats': flag,
  '--check-all-formats': flag,
  '--no-check-formats': flag,
  '--cookies': text,
}

/** Other names of the options above. yt-dlp would also accept the beginning of a name, which may be another option in its next version. */
const other_names: Readonly<Record<string, string>> = {
  '-r': '--limit-rate',
  '--rate-limit': '--limit-rate',
  '-R': '--retries',
  '-N': '--concurrent-fragments',
  '--min-sleep-interval': '--sleep-interval',
}

/** Why options are refused that people use elsewhere; the first row that names the option counts. */
const refusals: readonly [names: RegExp, why: string, instead?: string][] = [
  [
    /^--(exec|no-exec|exec-before-download|netrc-cmd|use-postprocessor|postprocessor-args|ppa|alias|preset-alias|(external-)?downloader(-args)?)$|^-t$/,
    'which could run programs or set other options',
  ],
  [
    /^--(geo-verification-proxy|cn-verification-proxy|proxy)$/,
    "which would bypass Backlot's guard",
    'set DOWNLOAD_PROXY',
  ],
  [/^--(ignore-config|no-config|config-locations|no-config-locations)$/, 'which names other configurations'],
  [/^--(no-)?plugin-dirs$/, 'which names plugins', 'set YTDLP_PLUGINS'],
  [/^--ffmpeg-location$/, 'which names a program', 'set FFMPEG_PATH'],
  [
    /^-[fSx]$|^--(format|format-sort|format-sort-force|format-sort-reset|S-force|extract-audio|audio-.*|merge-output-format|re(mux|code)-video|(video|audio)-multistreams|prefer-free-formats)$/,
    'which people choose for each video',
    'use the quality settings',
  ],
  [
    /^-[oPaw]$|^--(output.*|paths|batch-file|id|restrict-filenames|windows-filenames|trim-file-?names|(no-|force-|yes-)?overwrites|download-archive|(no-)?part|load-info-json|load-pages|print-to-file|write-.*|embed-.*|keep-.*|split-chapters|cache-dir|rm-cache-dir)$/,
    'because Backlot decides which files are read and written',
  ],
  [/^--enable-file-urls$/, 'which would give people the files of this machine'],
  [
    /^--(no-check-certificates|legacy-server-connect|prefer-insecure|prefer-unsecure)$/,
    'with which anyone on the way could change what a site sends',
  ],
  [/^--cookies-from-browser$/, 'which reads the files of a browser', 'export its cookies to a file and use --cookies'],
  [
    /^-[up2n]$|^--(username|password|twofactor|netrc|netrc-location|video-password|ap-.*|client-certificate.*)$/,
    'because people choose the sites that would get it',
    'use --cookies, which go only to their own site',
  ],
  [
    /^-[46]$|^--(force-ipv[46]|source-address)$/,
    "which has no effect, because yt-dlp connects only to Backlot's guard",
  ],
  [/^-U$|^--(no-)?update(-to)?$/, 'because Backlot updates yt-dlp', 'set YTDLP_CHANNEL or YTDLP_PATH'],
  [
    /^-[vqsOgejJ]$|^--(verbose|quiet|simulate|print.*|get-.*|dump-.*|progress.*|no-progress|newline|color)$/,
    'because Backlot reads what yt-dlp prints',
  ],
]

/** Reads the text of a configuration file. Throws one sentence about the first thing that is wrong. */
export function optionsIn(file_text: string): OperatorOption[] {
  const words = wordsIn(file_text.replace(/^\ufeff/, ''))
  if (!words) throw new Error('YTDLP_CONFIG has a quotation mark or a backslash without an end. Correct it.')
  const options: OperatorOption[] = []
  while (words.length > 0) options.push(takeOption(words))
  requireSleeps(options)
  requireRate(options)
  return options
}

/** Takes the words of the first option off the list. */
function takeOption(words: string[]): OperatorOption {
  const word = words.shift() ?? ''
  if (word === '--' || !/^-./.test(word))
    throw new Error(`YTDLP_CONFIG has ${shown(word)}, which is not an option. Remove it.`)
  const [, long, joined] = /^(--[^=]+)(?:=([\s\S]*))?$/.exec(word) ?? []
  if (long !== undefined) return optionOf(long, joined, words)
  // `-4r1M`: a short option, then more of them, or the value of the first one.
  const [, short = '', rest = ''] = /^(-.)([\s\S]*)$/u.exec(word) ?? []
  return optionOf(short, rest === '' ? undefined : rest, words)
}

/** `joined`: the value in the same word. */
function optionOf(written: string, joined: string | undefined, words: string[]): OperatorOption {
  const name = other_names[written] ?? written
  const form = Object.hasOwn(allowed, name) ? allowed[name] : undefined
  if (form === undefined) throw new Error(refusalOf(written))
  if (form === null) {
    if (joined !== undefined) throw new Error(`YTDLP_CONFIG has a value for ${written}, which takes none. Remove it.`)
    return { name }
  }
  const value = joined ?? words.shift()
  if (value === undefined || value === '') throw new Error(`YTDLP_CONFIG has ${written} without its value. Add it.`)
  const [pattern, meant] = form
  // The value may be a secret.
  if (!pattern.test(value)) throw new Error(`YTDLP_CONFIG has a wrong value for ${written}. It should be ${meant}.`)
  return { name, value }
}

function refusalOf(name: string): string {
  const [, why, instead] = refusals.find(([names]) => names.test(name)) ?? []
  const correct = instead ? `Remove it, and ${instead}.` : 'Remove it.'
  return `YTDLP_CONFIG has ${shown(name)}, ${why ?? 'which Backlot does not pass on'}. ${correct}`
}

/** Words that are no option may be secrets, so little of them is shown. */
const shown = (word: string): string => (/^--?[\w-]{1,40}$/.test(word) ? word : 'a word that is no option')

/** yt-dlp does not start with these options otherwise. */
function requireSleeps(options: OperatorOption[]): void {
  const least = latest(options, '--sleep-interval')
  const most = latest(options, '--max-sleep-interval')
  if (most === undefined || (least !== undefined && Number(least) <= Number(most))) return
  throw new Error('YTDLP_CONFIG has --max-sleep-interval without a shorter --sleep-interval. Add it.')
}

function requireRate(options: OperatorOption[]): void {
  const slow = options.find(({ name, value = '' }) => name === '--limit-rate' && bytesIn(value) < least_bytes_s)
  if (slow)
    throw new Error(
      `YTDLP_CONFIG has --limit-rate ${slow.value}. It should be 16K or more: with less, yt-dlp gives up connections.`,
    )
}

/** The value that counts: the last one. */
export const latest = (options: OperatorOption[], name: string): string | undefined =>
  options.findLast(option => option.name === name)?.value

/** What the operator of this service adds to yt-dlp: YTDLP_CONFIG and YTDLP_PLUGINS. */
export type Operator = {
  /** Without `--cookies`. */
  options: OperatorOption[]
  /** The text of the file that `--cookies` names. */
  cookies?: string | undefined
  /** `packages`: the names of the plugins in the folder. */
  plugins?: { folder: string; packages: string[] } | undefined
}
