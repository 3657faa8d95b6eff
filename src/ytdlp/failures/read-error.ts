/**
 * Turns the last error line of yt-dlp or ffmpeg into a failure. Sentences for people come from `error-table.ts` alone, so nothing that a
 * site wrote reaches a page. A site can choose the words of an error, so they decide about this one download only: never how long a host is
 * paused for others. What they say about who may watch the video counts for those who have it under the same address.
 */
import type { Reason } from '../../schema/downloads/run.ts'
import { error_table } from './error-table.ts'
import { cleaned, type Failure, failures } from './failure.ts'

type Said = { said: string; site?: string | undefined; now?: Date }

/** `said`: the tool's last error line. `site`: the name of the video's site, where it is known. */
export function failureOf({ said, site = 'the site', now = new Date() }: Said): Failure {
  const judged = withoutNames(said)
  const [, known] = rowOf(judged) ?? []
  const failure = known ?? failures.unknown
  const starts_in_s = failure.reason === 'premiere' ? secondsUntil(judged, now) : undefined
  return {
    ...failure,
    sentence: withSite(failure.sentence, site),
    detail: cleaned(said),
    ...(starts_in_s && { starts_in_s }),
  }
}

const rowOf = (text: string) => error_table.find(([match]) => [match].flat().some(pattern => pattern.test(text)))

const withSite = (sentence: string, site: string) =>
  sentence.replace(/^\{site\}/, site === 'the site' ? 'The site' : site).replaceAll('{site}', site)

/**
 * "Premieres in 21 hours", "scheduled to start at 2026-12-01 20:00 JST"; `undefined` for "in a few moments", and for a time that is over. A
 * time of an unknown zone counts as one of this machine, as yt-dlp writes times.
 */
function secondsUntil(said: string, now: Date): number | undefined {
  const [, amount = '', unit = ''] = /\bin (\d{1,4}|an?) (minute|hour|day|week|month)s?\b/i.exec(said) ?? []
  if (amount !== '') return (Number(amount) || 1) * (seconds_per[unit.toLowerCase()] ?? 0)
  const [, date = '', time = '00:00', zone = ''] = moment.exec(said) ?? []
  const local_or_zoned = zone.replace('JST', '+09:00').replace(/UTC|GMT/, 'Z')
  const starts_at = Date.parse(`${date.replaceAll('/', '-')}T${time}${local_or_zoned}`)
  return starts_at > now.getTime() ? Math.round((starts_at - now.getTime()) / 1000) : undefined
}

const moment = /\b(\d{4}[-/]\d\d[-/]\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|GMT|JST|[+-]\d\d:?\d\d)?)?/

const seconds_per: Record<string, number> = { minute: 60, hour: 3600, day: 86_400, week: 604_800, month: 2_592_000 }

/** An address or an id may contain any word of the table, so they are left out before the error is judged. */
const withoutNames = (said: string) =>
  said.replace(/https?:\/\/\S+/gi, '').replace(/^(?:ERROR|WARNING): \[[^\]]+\] [^\s:]+: /, '')

/**
 * Finds, among the lines of one run of yt-dlp, the one that says why it failed. When YouTube answers 429, only warnings say so,
 * and the error is that nothing could be extracted. `asked`: the address, or the words, of the request; what they say is removed from each
 * line before any of it is judged. `warned`: the first warning whose reason we know.
 */
export function errorListener(asked: string): { hear(line: string): void; said(): string; warned(): string } {
  const withoutAsked = removerOf(asked)
  let error = ''
  let warning = ''
  return {
    hear(heard) {
      const line = withoutAsked(heard)
      if (line.startsWith('ERROR:')) error = line
      // yt-dlp says in a line of its own that a site refuses a country, whatever words the site has for it.
      if (line.startsWith('You might want to use a VPN') && error !== '' && !error.endsWith(line))
        error = `${error} ${line}`
      const is_telling = line.startsWith('WARNING:') && !vague.has(failureOf({ said: line }).reason)
      if (is_telling && warning === '') warning = line
    },
    said: () => (warning !== '' && unexplained.test(error) ? warning : error),
    warned: () => warning,
  }
}

/**
 * yt-dlp names a video by the decoded end of its address where it knows no id, so an address could say why it failed. Parts without any
 * telling word stay: `video`, for example, is also a word of many errors.
 */
function removerOf(asked: string): (line: string) => string {
  const forms = [asked, decoded(asked), decoded(decoded(asked))]
  // yt-dlp splits an address before it decodes the parts.
  const pieces = forms.flatMap(form => [form, ...form.split('/'), ...form.split(/[/?&=#]/)])
  const parts = pieces.flatMap(piece => [piece, decoded(piece), decoded(decoded(piece))])
  const telling = new Set(parts.flatMap(part => [part, part.replace(/\.[^.]*$/, '')]).filter(isTelling))
  const longest_first = [...telling].toSorted((a, b) => b.length - a.length)
  return line => longest_first.reduce((left, part) => left.replaceAll(part, '…'), line)
}

const isTelling = (text: string) => rowOf(text) !== undefined

/** As yt-dlp decodes: what is not valid UTF-8 becomes U+FFFD. */
const decoded = (text: string) =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, bytes => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'))

const unexplained = /failed to extract any player response|please report this issue|incomplete data received/i
/**
 * yt-dlp warns of a missing curl_cffi before it asks such a site, whatever the site answers; and of each page that is not found, of which
 * it can do without most.
 */
const vague = new Set<Reason>(['unknown', 'unsupported', 'extraction', 'tools', 'fingerprint', 'not_found'])
