/**
 * Names of folders and files in MEDIA_DIR: valid on every file system, and read by media servers as one season and one episode. Pure.
 *
 * Sources: Jellyfin's Emby.Naming/Common/NamingOptions.cs and docs/general/server/media/shows; Kodi's AdvancedSettings.cpp and wiki page
 * "Naming video files/TV shows"; Windows' "Naming Files, Paths, and Namespaces".
 */
import { createHash } from 'node:crypto'
import { type NameField, type NamePiece, type Template, templateOf } from '../../schema/values/media-names.ts'

/** Bytes in UTF-8. A name has at most 255, and the longest ending, `.<language>.vtt`, has 45. */
const longest = { folder: 120, name: 200, id: 64, strange_id: 40 }

/** The folder of a channel. `nth`: 2 for the second channel of that title. */
export function folderName(title: string, nth = 1): string {
  const ending = nth > 1 ? ` (${nth})` : ''
  const name = clean(title, longest.folder - ending.length - channel_ending.length) || 'Channel'
  const valid = isReserved(name) ? `_${name}` : name
  const free = isSpecial(valid) ? valid + channel_ending : valid
  return neutral(free + ending).normalize('NFC')
}
const channel_ending = ' (channel)'

/** The file of a playlist, without its extension. `nth`: 2 for the second playlist of that name. */
export function playlistName(title: string, nth = 1): string {
  const ending = nth > 1 ? ` (${nth})` : ''
  const name = clean(title, longest.folder) || 'Playlist'
  return neutral((isReserved(name) ? `_${name}` : name) + ending).normalize('NFC')
}

export const seasonFolder = (season: number): string => `Season ${season}`

/** What a template names, of one video. `channel`: the folder of its channel. `episode`: as `numberText` writes it. */
export type NameTexts = Record<NameField, string>

/** The name of a file by the usual template, without its extension. */
export const episodeName = (season: number, episode: string, title: string, id: string): string =>
  fileName(usual, { season: String(season), episode, title, id, channel: '', group: '', date: '' })
const usual = templateOf(null)

/**
 * The name of a file without its extension. `nth`: 0, as the template says; with 1, the id follows; 2 or more, for a name that is taken
 * nevertheless, a count too. The id also follows where a server would take the file for something else than a video.
 */
export function fileName({ file, is_numbered }: Template, texts: NameTexts, nth = 0): string {
  const write = (ending: NamePiece[]) => partOf([...file, ...ending], texts, is_numbered ? 'episode' : 'film')
  const plain = nth === 0 ? write([]) : ''
  const name = isNoVideo(plain) ? write([' [', { field: 'id' }, nth > 1 ? `] (${nth})` : ']']) : plain
  return isReserved(name) ? `_${name}` : name
}

/** The folder that these pieces of a template name. */
export function folderOf(pieces: NamePiece[], texts: NameTexts): string {
  const name = partOf(pieces, texts, 'folder') || '_'
  const valid = isReserved(name) ? `_${name}` : name
  return isSpecial(valid) ? neutral(`${valid} (folder)`) : valid
}

type Kind = 'folder' | 'episode' | 'film'

/** One part of a path. Long texts are shortened until it is short enough. */
function partOf(pieces: NamePiece[], texts: NameTexts, kind: Kind): string {
  for (let room = longest.name; ; ) {
    const name = trimmed(textOf(pieces, texts, { kind, room: Math.max(room, 0) })).normalize('NFC')
    const over = Buffer.byteLength(name) - longest.name
    if (over <= 0 || room <= 0) return name
    room -= Math.ceil(over / 3)
  }
}

/** `room`: the bytes that each long text may have. */
function textOf(pieces: NamePiece[], texts: NameTexts, { kind, room }: { kind: Kind; room: number }) {
  let text = ''
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece
    else if (piece.field === 'number') text += kept(`${piece.start}${texts.season}${piece.between}${texts.episode}`)
    else if (piece.field === 'id') text += kept(idName(texts.id))
    else if (piece.field === 'date' && kind !== 'episode') text += kept(texts.date)
    else {
      const words = clean(texts[piece.field], room)
      // What only sets off a text that is missing is left out.
      text = words === '' ? text.replace(/[\s–—_.-]+$/, '') : text + words
    }
  }
  const parts = text.split(keeps)
  return parts.map((part, at) => (at % 2 ? part : kind === 'film' ? whole(neutral(part)) : neutral(part))).join('')
}

/** Marks what must stay as it is. No cleaned text and no template has this character. */
const keeps = '\0'
const kept = (text: string) => keeps + text + keeps

/** The folder of a person. Usernames are ASCII and unique without case, so nearly all of them are valid names. */
export const personFolder = ({ username, user_id }: { username: string; user_id: string }): string =>
  /^\.|\.$/.test(username) || isReserved(username) ? strangerFolder(username, user_id) : username

/** A folder for a name that is invalid or taken. Its name is longer than any username, so that no one can register it. */
export const strangerFolder = (username: string, user_id: string): string =>
  `${trimmed(username) || 'user'}-${user_id}`.replace(/^(?=\.)/, '_').replace(/\./g, '_')

/** Two names are one on file systems that ignore case. */
export const folderKey = (folder: string): string => folder.toLowerCase().normalize('NFC')

/**
 * An id that is no valid name gets a digest, so that different ids stay different. Of a valid one, only what a media server would read as
 * a further episode is changed: one of 4,000 ids of YouTube has it.
 */
function idName(video_id: string): string {
  if (/^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/.test(video_id) && video_id.length <= longest.id)
    return withoutEpisodes(video_id).replace(/(\d)x(?=\d+-[xe]*\d)/gi, '$1×')
  const digest = createHash('sha256').update(video_id).digest('hex').slice(0, 10)
  const readable = trimmed(clean(video_id, longest.strange_id).replace(/[[\]]/g, '_'))
  return neutral(`${readable && `${readable}-`}${digest}`)
}

/** Characters that Windows forbids, and similar ones that every system allows. */
const similar: Record<string, string> = {
  '"': '＂',
  '*': '＊',
  ':': '：',
  '<': '＜',
  '>': '＞',
  '?': '？',
  '|': '｜',
  '/': '⧸',
  '\\': '⧹',
}

/** A neutral name of at most so many bytes, without characters that are forbidden, invisible or change the direction of writing. */
function clean(text: string, max_bytes: number): string {
  const plain = text
    .slice(0, 2000)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Noncharacter_Code_Point}\uFFFC\uFFFD]/gu, ' ')
    // The joiners of emoji and of Persian stay.
    .replace(/[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0001}]/gu, '')
    .replace(/\s+/gu, ' ')
    .replace(/["*:<>?|/\\]/g, found => similar[found] ?? '_')
    .normalize('NFC')
  // Before it is shortened, because `neutral` may add bytes.
  return trimmed(shortened(neutral(trimmed(plain)), max_bytes))
}

/** Cuts between characters as a reader sees them, unless a single character is very long. */
function shortened(text: string, max_bytes: number): string {
  let bytes = 0
  let kept = ''
  for (const { segment } of graphemes.segment(text)) {
    for (const part of Buffer.byteLength(segment) > 64 ? segment : [segment]) {
      bytes += Buffer.byteLength(part)
      if (bytes > max_bytes) return kept
      kept += part
    }
  }
  return kept
}
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Windows drops dots and spaces at the end, and a dot at the start hides a file. */
const trimmed = (name: string) => name.replace(/^[. ]+|[. ]+$/g, '')

/**
 * Changes what a media server would read as a further episode, an address or a sample, without adding bytes to most titles. Kodi adds an
 * episode for each `S01E02` in a name, decodes `%41`, and skips names with the word "sample". Jellyfin reads `10-12` and `1x02` as numbers.
 */
const neutral = (name: string): string =>
  withoutEpisodes(name)
    .replace(/(\d)x(?=\d)/gi, '$1×')
    .replace(/(\d)-(?=\d)/g, '$1–')
    .replace(/%(?=[0-9a-f]{2})/gi, '％')
    .replace(/(?<=^|[!-._ ])(sample)[-._ ]/gi, '$1\u00A0')

/** Kodi and Jellyfin take films whose names differ only after "part" for one film. */
const whole = (name: string) =>
  name.replace(/(?<![a-z])(cd|dvd|pa?r?t|dis[ck]|vol)[ _.-]*(?=\d|[a-d](?![a-z]))/gi, '$1\u00A0')

const withoutEpisodes = (name: string): string => name.replace(/(s\d+[\][ ._x-]*)(e)(?=\d)/gi, '$1·$2')

/** Names that Windows reserves, with any extension. */
const isReserved = (name: string) => /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(\.|$)/i.test(name)

/** Names of files that media servers read as pictures, theme songs, trailers or extras, or that our other files have. */
const isNoVideo = (name: string) =>
  /^(|tvshow|movie|poster|folder|cover|fanart|backdrop|background|art|banner|logo|landscape|theme|season.*)$/i.test(
    name,
  ) ||
  /(^|[!-._ ])(thumb|poster|fanart|trailer|sample|scene|clip|interview|behindthescenes|deleted(scene)?|featurette|short|extra|other)$/i.test(
    name,
  )

/** Folders that a media server reserves for something else, and names of playlists. */
const isSpecial = (name: string) =>
  /(^|[!-._ ])sample$|\.(ite|m3u)$/i.test(name) || special_folders.has(name.toLowerCase())
const special_folders = new Set([
  ...['trailers', 'backdrops', 'theme-music', 'behind the scenes', 'deleted scenes', 'interviews', 'scenes', 'samples'],
  ...['shorts', 'featurettes', 'extras', 'other', 'clips', 'specials', 'metadata', 'lost+found', 'ts', 'ps3_update'],
  ...['ps3_vprm', '@eadir', 'subs', 'proof', '$recycle.bin', 'system volume information'],
])

/**
 * The files of a channel. Files in a tree of MEDIA_DIR are ours only by these names, and playlists by their first lines; we touch no other
 * file.
 */
export const show_files = { nfo: 'tvshow.nfo', poster: 'poster.jpg', fanart: 'fanart.jpg' } as const

/** The files of an episode. Kodi and Jellyfin read `-thumb.jpg`; Plex reads a picture with the name of the video. */
export const episodeFiles = (name: string, { extension, languages }: { extension: string; languages: string[] }) => ({
  video: `${name}.${extension}`,
  nfo: `${name}.nfo`,
  thumb: `${name}-thumb.jpg`,
  picture: `${name}.jpg`,
  /** Jellyfin, Plex and Kodi read WebVTT, with the language before the extension. */
  subtitles: languages.map(language => ({ language, file: `${name}.${language}.vtt` })),
})

const ending = /(-thumb\.jpg|\.(mp4|m4a|mp3|nfo|jpg)|\.[A-Za-z0-9_-]{1,40}\.vtt)$/

/** Finds the files of an episode among the names of its folder. */
export function filesByEpisode(names: Iterable<string>): (name: string) => string[] {
  const by_name = Map.groupBy(names, file => nameIn(file))
  return name => by_name.get(name) ?? []
}

/** The name of a file without the ending that one of ours has. */
export const nameIn = (file: string): string => file.replace(ending, '')

/** A file of any episode, where the numbers are no longer known. */
export function isEpisodeFile(file: string): boolean {
  return ending.test(file) && /^S\d{4}E\d{4,10} .*\[[^[\]]*\]$/.test(nameIn(file))
}

export const isSeasonFolder = (name: string): boolean => /^Season \d{4}$/.test(name)
