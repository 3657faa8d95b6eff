/**
 * Reads the name of a file, in the layouts of yt-dlp, youtube-dl, Tube Archivist, TubeSync, Pinchflat, MeTube and YT Zero: the
 * kind of the file, identifiers of videos, a title. Pure.
 */
import { stemOf } from './raw-path.ts'

export type FileKind = 'video' | 'sound' | 'subtitles' | 'partial' | 'text' | 'other'

const kinds: [FileKind, RegExp][] = [
  // Fragments are many, and never a whole video.
  ['other', /\.part-Frag\d+(\.part)?$/i],
  // Also the picture or the sound alone, before yt-dlp joins them.
  ['partial', /\.(part|partial|crdownload|temp)$|\.temp\.\w{2,4}$|\.f\d{1,4}(-\w{1,10})?\.\w{2,4}$/i],
  ['video', /\.(mp4|m4v|mkv|webm|mov|avi|flv|f4v|wmv|asf|mpe?g|ts|m2ts|3gp|ogv)$/i],
  ['sound', /\.(m4a|mp3|opus|ogg|oga|aac|flac|wav|mka|weba)$/i],
  ['subtitles', /\.(vtt|srt)$/i],
  ['text', /(^|[^\w])(archive|downloaded|download-archive|ytdl-archive)[\w.-]*\.(txt|log)$|^archive$|archive\.txt$/i],
]

export const kindOf = (name: string): FileKind => kinds.find(([, pattern]) => pattern.test(name))?.[0] ?? 'other'

/** Whether an unfinished file is that of a video or a sound. A browser has others. */
export const isPartialVideo = (name: string): boolean =>
  !/\.(part|partial|crdownload|temp)$/i.test(name) || ['video', 'sound', 'partial'].includes(kindOf(stemOf(name)))

/** Finds identifiers of any platform in a name. The first ones are the likeliest. */
export function idsIn(name: string): string[] {
  const stem = stemOf(name)
  const found = forms
    .flatMap(form => [...stem.matchAll(form)].map(([, id = '']) => id))
    .filter(id => /[A-Za-z0-9]/.test(id))
  return [...new Set(found)].slice(0, 5)
}

const forms = [
  // yt-dlp: `Title [id]`. The last brackets are the id; a title may have others.
  /\[([\w-]{4,40})\](?=[^[\]]*$)/g,
  // Tube Archivist and YT Zero: the id alone.
  /^([\w-]{11})$/g,
  // Tube Archivist before 2023: `20230102_id_title`.
  /^\d{8}_([\w-]{11})_/g,
  // youtube-dl: `Title-id`; an id may begin with a hyphen.
  /^.+?[-_]([\w-]{11})$/g,
  // TubeSync: `…_id_1080p-avc1-mp4a`.
  /_([\w-]{11})_(?:\d{3,4}p|audio|sd|hd|uhd|4k|8k)[\w.-]*$/gi,
  /[({]([\w-]{11})[)}]$/g,
]

/** The title in a name, without what programs add to it; `undefined`: there is none. */
export function titleIn(name: string, id: string | undefined): string | undefined {
  const stem = stemOf(name)
  const without_id =
    id === undefined
      ? stem
      : stem
          .replace(`[${id}]`, '')
          .replace(new RegExp(`^\\d{8}_${id}_`), '')
          .replace(new RegExp(`[-_]${id}(_\\w[\\w.-]*)?$`), '')
  const title = (/\s/.test(without_id) ? without_id : without_id.replaceAll('_', ' ')).replace(/\s+/g, ' ').trim()
  return title === '' || title === id ? undefined : title
}

/** YouTube's id of a channel in the name of a folder, and the name before it. */
export function channelIn(folder_name: string): { channel_id: string; title: string | undefined } | undefined {
  const [, before = '', channel_id] = /^(.*?)[[({]?(UC[\w-]{22})[\])}]?$/.exec(folder_name) ?? []
  if (channel_id === undefined) return undefined
  return { channel_id, title: before.trim().replace(/[-_\s]+$/, '') || undefined }
}

/** The stems of videos to which subtitles with this name can belong, each with the language in the name; null: none. */
export function subtitlesOf(name: string): { stem: string; language: string | null }[] {
  const stem = stemOf(name)
  const [, before, language] = /^(.+)\.([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]+)*)$/.exec(stem) ?? []
  const with_language = before !== undefined && language !== undefined ? [{ stem: before, language }] : []
  return [...with_language, { stem, language: null }]
}
