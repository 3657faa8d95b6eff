/**
 * Reads the name of a file, in the layouts of yt-dlp, youtube-dl, Tube Archivist, TubeSync, Pinchflat, MeTube and YT Zero: the
 * kind of the file, identifiers of videos, a title. Pure.
 */
import { stemOf } from './raw-path.ts'

/** `list`: yt-dlp's list of downloads (`--download-archive`). */
type FileKind = 'video' | 'sound' | 'subtitles' | 'partial' | 'list' | 'other'

const kinds: [FileKind, RegExp][] = [
  // Fragments are many, and never a whole video.
  ['other', /\.part-Frag\d+(\.part)?$/i],
  // Includes the picture or the sound alone, before yt-dlp joins them.
  [
    'partial',
    /\.(part|partial|crdownload|temp)$|\.temp\.\w{2,4}$|\.f(\d{1,4}(-\w{1,10})?|(hls|dash|http)-[\w-]{1,60})\.\w{2,4}$/i,
  ],
  ['video', /\.(mp4|m4v|mkv|webm|mov|avi|flv|f4v|wmv|asf|mpe?g|ts|m2ts|3gp|ogv)$/i],
  ['sound', /\.(m4a|mp3|opus|ogg|oga|aac|flac|wav|mka|weba)$/i],
  // Also what no program here reads, so that the import says what it leaves out.
  [
    'subtitles',
    /\.(vtt|srt|ass|ssa|sub|sbv|lrc|smi|sami|mpl2?|stl|scc|jss|rt|aqt|pjs|usf|sup|ttml|dfxp|itt|srv[1-3]|json3)$/i,
  ],
  ['list', /(^|[^\w])(archive|downloaded|download-archive|ytdl-archive)[\w.-]*\.(txt|log)$|^archive$|archive\.txt$/i],
]

export const kindOf = (name: string): FileKind => kinds.find(([, pattern]) => pattern.test(name))?.[0] ?? 'other'

/** Whether an unfinished file is a video or a sound. Browsers leave unfinished files of other kinds too. */
export const isPartialVideo = (name: string): boolean =>
  !/\.(part|partial|crdownload|temp)$/i.test(name) || ['video', 'sound', 'partial'].includes(kindOf(stemOf(name)))

/**
 * How sure it is that a part of a name is an identifier. `site`: the name says that it is YouTube's. `shape`: it is where programs write
 * identifiers, and can only be one. `place`: it is where programs write identifiers, and may be words as well, such as `OfficialMVs`.
 * `guess`: it only looks like one. `words`: it is more likely words or the quality of the file.
 */
export type NamedId = { id: string; by: 'site' | 'shape' | 'place' | 'guess' | 'words' }

/**
 * Whether most of the files in a folder have an identifier of their own in their names. Then an id in the usual place of the other names
 * is taken as well.
 */
export function haveIds(names: string[]): boolean {
  const ids = names.flatMap(name => idsIn(name).find(({ id, by }) => by === 'shape' && id.length === 11)?.id ?? [])
  return new Set(ids).size > Math.max(1, names.length / 2)
}

/** Finds identifiers of any platform in a name. The first ones are the likeliest. */
export function idsIn(name: string): NamedId[] {
  const stem = stemOf(name)
    .replace(/[【［]/g, '[')
    .replace(/[】］]/g, ']')
  const found = [...inBrackets(stem), ...forms.flatMap(({ form, by }) => namedId(form.exec(stem)?.[1], by))]
  return found.filter(({ id }, at) => found.findIndex(other => other.id === id) === at).slice(0, 5)
}

const forms: { form: RegExp; by: NamedId['by'] }[] = [
  // Tube Archivist and YT Zero: the id alone.
  { form: /^([\w-]{11})$/, by: 'shape' },
  // Tube Archivist before 2023: `20230102_id_title`.
  { form: /^\d{8}_([\w-]{11})_/, by: 'shape' },
  { form: /^([\w-]{11}) - ./, by: 'shape' },
  // TubeSync: `…_id_1080p-avc1-mp4a`.
  { form: /_([\w-]{11})_(?:\d{3,4}p|audio|sd|hd|uhd|4k|8k)[\w.-]*$/i, by: 'shape' },
  // youtube-dl: `Title-id`; an id may begin with a hyphen. Any title may end like this.
  { form: /^.+?(?:[-_]| - )([\w-]{11})$/, by: 'guess' },
]

/** Reads brackets from the last to the ones with an id: a title may have brackets, and programs add brackets with the quality. */
function inBrackets(stem: string): NamedId[] {
  const found: NamedId[] = []
  for (const [, square = '', round = '', curly = ''] of [...stem.matchAll(brackets)].toReversed()) {
    const [, site_id] = /^(?:youtube\d?|yt|ytid)[-_:= ]{1,2}([\w-]{11})$/i.exec(square + round + curly) ?? []
    const [, id] = /^(?:id[:=] ?)?([\w-]{4,40})$/i.exec(square) ?? /^([\w-]{11})$/.exec(round + curly) ?? []
    const named = site_id === undefined ? namedId(id, 'shape') : namedId(site_id, 'site')
    found.push(...named)
    if (named.some(({ id, by }) => (by === 'shape' || by === 'site') && id.length === 11)) break
  }
  return found
}

/** Yt-dlp writes `Title [id]`; other programs write `[youtube-id]`, `{yt-id}` or `(id)`. */
const brackets = /\[([^[\]]*)\]|\(([^()]*)\)|\{([^{}]*)\}/g

function namedId(id: string | undefined, by: NamedId['by']): NamedId[] {
  if (id === undefined || !/[A-Za-z0-9]/.test(id)) return []
  if (areWords(id)) return [{ id, by: by === 'site' ? 'guess' : 'words' }]
  if (by !== 'shape' || id.length !== 11) return [{ id, by }]
  return [{ id, by: !ends_as_youtubes.test(id) ? 'guess' : mayBeWords(id) ? 'place' : 'shape' }]
}

/** An identifier of YouTube is 64 bits in base64, so its last character has only four of its six bits. Instagram's codes end with any. */
const ends_as_youtubes = /[AEIMQUYcgkosw048]$/

/** Whether it can be read as words, abbreviations and numbers without spaces. One of ten random identifiers of YouTube can. */
const mayBeWords = (id: string): boolean =>
  id.split(/[-_]+/).every(part => (part.match(chunk) ?? []).every(text => is_short.test(text) || is_spoken.test(text)))

const chunk = /[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g
/** A number or an abbreviation. */
const is_short = /^(?:\d+|[A-Z]{1,5}s?)$/
/** With a vowel, and without three equal letters or four consonants in a row. */
const is_spoken = /^(?=.*[aeiouy])(?!.*(.)\1\1)(?!.*[^aeiouy]{4}).{2,}$/i

/** Of a million random identifiers of YouTube, 8,000 look like words too. */
const areWords = (id: string): boolean =>
  (id.length === 11 || /[a-z]/i.test(id)) && (quality.test(id) || id.split(/[-_]+/).every(part => word.test(part)))

const word = /^\d*(?:[A-Z]?[a-z]+|[a-z]?(?:[A-Z][a-z]{2,})+(?:\d{2,}(?:[A-Z][a-z]{2,})+)?|[A-Z]*)\d*$/
const quality =
  /(?<![a-z\d])(?:\d{3,4}p\d{0,3}|(?:av|vp|avc|mp)\d\d?a?|[xh]26[45]|hevc|opus|aac|hdr\d*|bluray|web(?:rip|dl)?|\d+(?:fps|bit|kb?ps|k)|s\d\d+e\d\d+)(?![a-z\d])/i

/** The title in a name, without what programs add to it; `undefined`: there is none. */
export function titleIn(name: string, id: string | undefined): string | undefined {
  const stem = stemOf(name)
  const without_id =
    id === undefined
      ? stem
      : stem
          .replace(new RegExp(`[[({【［](?:\\w{2,8}[-_:= ]{1,2})?${id}[\\])}】］]`), '')
          .replace(new RegExp(`^${id} - `), '')
          .replace(new RegExp(`^\\d{8}_${id}_`), '')
          .replace(new RegExp(`(?:[-_]| - )${id}(_\\w[\\w.-]*)?$`), '')
  const words = without_id.replace(/\[([\w-]+)\]/g, (tag, text) => (quality.test(text) ? '' : tag))
  const title = (/\s/.test(words) ? words : words.replaceAll('_', ' ')).replace(/\s+/g, ' ').trim()
  return title === '' || title === id ? undefined : title
}

/** YouTube's id of a channel in the name of a folder, and the name before it. */
export function channelIn(folder_name: string): { channel_id: string; title: string | undefined } | undefined {
  const [, before = '', channel_id] =
    /^(.*?)[[({]?(?:(?:[Yy]ou[Tt]ube\d?|yt)[-_:= ]{1,2})?(UC[\w-]{22})[\])}]?$/.exec(folder_name) ?? []
  if (channel_id === undefined) return undefined
  return { channel_id, title: before.trim().replace(/[-_\s]+$/, '') || undefined }
}

/** The stems of videos to which subtitles with this name can belong, each with the language in the name; null: none. */
export function subtitlesOf(name: string): { stem: string; language: string | null }[] {
  const stem = stemOf(name)
  const unmarked = stem.replace(marks, '')
  const [, before, language] = /^(.+)\.([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]+)*)$/.exec(unmarked) ?? []
  const with_language =
    before === undefined || language === undefined ? [] : [{ stem: before.replace(marks, ''), language }]
  return [...with_language, ...[...new Set([unmarked, stem])].map(stem => ({ stem, language: null }))]
}

/** What media servers read in names of subtitles: `.en.sdh.srt`, `.default.en.forced.srt`. */
const marks = /(?:\.(?:default|forced|foreign|sdh|cc)|(?<=\.[A-Za-z]{2,3})\.hi)+$/i

/** The best subtitles of a language first. Forced ones have only what is said in another language. */
export const subtitleRank = (name: string): number => {
  const [found = ''] = marks.exec(stemOf(name)) ?? []
  return /forced|foreign/i.test(found) ? forced_rank : Number(found !== '')
}
export const forced_rank = 2
