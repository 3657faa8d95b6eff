/**
 * The options of yt-dlp that an operator may set in YTDLP_CONFIG, as data. Each one changes how a site is asked, and none changes what is
 * fetched, where it is written, or which program runs. `docs/yt-dlp.md` says why others are refused, and what to use instead.
 */
import { bytesIn, least_bytes_s } from '../../config/variable-types.ts'
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
  if (form === undefined)
    throw new Error(`YTDLP_CONFIG has ${shown(written)}, which is not passed on. Remove it, and see docs/yt-dlp.md.`)
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
