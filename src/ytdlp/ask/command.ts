/**
 * The argument lists of yt-dlp, as data. The only part that comes from outside is the address, always the last argument.
 * The proxy is not an argument, because every user of the machine can read argument lists.
 */
import { join } from 'node:path'
import { runtime } from '../../runtime/serve.ts'
import { isSoundOnly, type Quality } from '../../schema/downloads/quality.ts'
import { info_file } from '../operator/with-operator.ts'
import { local_media } from '../process/programs.ts'
import { type Flag, knows } from '../process/version.ts'
import type { Markers } from './output.ts'

type CommandRequest = {
  url: string
  quality: Quality
  /** Whether a recording is downloaded that its site still processes. */
  takes_unfinished?: boolean | undefined
  /** All files are written here, unfinished ones included. */
  folder: string
  /** Folder or file of ffmpeg. */
  ffmpeg: string
  version: string
  /** The beginnings of the lines that it prints for us. */
  markers: Markers
}

export function argumentsOf(request: CommandRequest): string[] {
  const { url, quality, takes_unfinished, folder, ffmpeg, version, markers } = request
  const { live, plan, progress, step, done } = templatesWith(markers)
  return [
    ...isolation(version),
    // One finished video. --no-playlist alone does not exclude a feed of videos.
    ...['--no-playlist', '--playlist-items', '1'],
    ...['--match-filters', takes_unfinished ? past_filter : finished_filter],
    ...[...formatChoice(quality), '--merge-output-format', 'mp4/mkv'],

    ...transfer_flags,
    // We remux the file ourselves where needed; yt-dlp's ffmpeg only joins two local files.
    ...['--ffmpeg-location', ffmpeg, '--fixup', 'never', '--postprocessor-args', `ffmpeg_i:${local_media.join(' ')}`],
    ...['--no-mtime', '-P', folder, '-o', `${stemFor(quality)}.%(ext)s`],
    // The info file, so that the page is not requested again for subtitles and chapters.
    ...['--write-info-json', '--no-write-playlist-metafiles', '-o', `infojson:${info_stem}`],

    ...['--newline', '--progress', ...ifKnown(version, '--progress-delta', '0.5'), '--no-simulate'],
    ...['--print', `pre_process:${live}`, '--print', `before_dl:${plan}`, '--print', `after_move:${done}`],
    ...['--progress-template', `download:${progress}`, '--progress-template', `postprocess:${step}`],
    '--',
    url,
  ]
}

/** Neither live nor announced. */
const past_filter = '!is_live & live_status!=?is_upcoming'
/** After a live stream, a site offers parts of the recording while it processes the whole. */
const finished_filter = `${past_filter} & live_status!=?post_live`

/**
 * The choice among a site's formats, as `-f` and `-S`: the best within the chosen quality, or the nearest one.
 *
 * A quality is an order and never a filter: yt-dlp sorts by the chosen height and takes the nearest, so no choice ends in "format not
 * available". Height comes before codec: H.264 and AAC win at the same height, but a 4K video is not given up for them.
 */
const formatChoice = (quality: Quality): string[] => ['-f', selectorOf(quality), '-S', orderOf(quality)]

function selectorOf(quality: Quality): string {
  if (isSoundOnly(quality)) return sound_selector
  return quality === 'compatible' ? `${h264_selector}/${picture_selector}` : picture_selector
}

/** Only protocols that use an HTTP proxy: rtmp, rtsp, mms and ftp would bypass ours. */
const proxied = `[protocol~='^(http|m3u8|ism|f4m)']`

/** The original language, then the one that the site chose, then any. */
const byLanguage = (way: string): string =>
  [`${way}[language_preference>=10]`, `${way}[language_preference>=5]`, way].join('/')

/** A picture with the sound that belongs to it; else what the site offers as one file. */
const pictureSelector = (filters: string): string =>
  `bv*${filters}+(${byLanguage(`ba${proxied}`)})/${byLanguage(`b${filters}`)}`

const picture_selector = `${pictureSelector(proxied)}/bv*${proxied}`

/**
 * H.264 needs no conversion, so it is preferred to larger pictures of other codecs; but not below 480 lines, where the loss is plain to
 * see.
 */
const h264_selector = pictureSelector(`${proxied}[vcodec~='^(avc|h264)'][height>=480][width>=480]`)

/** Where a site has no separate sound, it is taken from a video. */
const sound_selector = `ba${proxied}/b${proxied}/bv*${proxied}`

/**
 * Sorts by size, then how widely a picture plays, then original language before dubbed ones. `res` is the shorter side, so that an upright
 * 720×1280 counts as 720; `res:n` prefers the largest up to n, then the smallest above it.
 *
 * Language comes after the picture, because YouTube names a language for its joined formats (HLS up to 1080p, 360p) and for sounds, and
 * none for its separate pictures. Of sounds, all fields of pictures are equal.
 * Source: yt-dlp README, "Sorting Formats".
 */
function orderOf(quality: Quality): string {
  // The site's own ranking counts before the size only where no size was chosen.
  if (quality === 'best') return `quality,res,${plays_everywhere}`
  // When sound is taken from a video, the smallest video is enough.
  if (quality === 'audio') return 'lang,acodec:aac,quality,abr,+res'
  if (quality === 'mp3') return 'lang,acodec:mp3,quality,abr,+res'
  // What makes a file larger than this quality allows, or of another kind, counts for nothing.
  if (quality === 'compatible') return `res:1080,vcodec:h264,fps:60,hdr:sdr,${by_sound},acodec:aac,channels:2,quality`
  return `res:${quality},${plays_everywhere},quality`
}

/** `+hasaud`: of equal pictures the separate one, because every language of sound goes with it. */
const by_sound = '+hasaud,lang'
const plays_everywhere = `vcodec:h264,fps,hdr:12,${by_sound},acodec:aac`

/** Other downloaders would not use our proxy. */
const transfer_flags = [
  ...['--downloader', 'native', '--abort-on-unavailable-fragments'],
  ...['--socket-timeout', '20', '--retries', '5', '--fragment-retries', '10', '--extractor-retries', '3'],
  ...['--retry-sleep', 'http:exp=1:10', '--retry-sleep', 'fragment:exp=1:10'],
]

/** `argumentsOf` adds yt-dlp's ending, so the file is `info_file`. */
const info_stem = 'about'
/** The folder, inside that of the run, for sound that is fetched at the same time as the picture. */
export const sound_folder = 'ahead'

/** The name includes the quality, so that a partial file of another quality is never resumed. */
export const stemFor = (quality: Quality) => (quality === 'best' ? 'video' : `video-${quality}`)

/** Each template prints one line. Values that a site chooses are printed as JSON, which escapes line breaks. */
const templatesWith = (markers: Markers) => ({
  /** Printed before any filter applies. */
  live: `${markers.live}%(.{live_status})j`,
  plan: `${markers.plan}{"format_id":%(format_id)j,"ext":%(ext|null)j,"duration":%(duration|null)j,"requested_formats":${part_fields}}`,
  progress: `${markers.progress}{"format_id":%(info.format_id)j,"progress":%(progress.{${progress_fields}})j}`,
  step: `${markers.step}%(progress.postprocessor)s`,
  done: `${markers.done}%(.{filepath})j`,
})

const progress_fields =
  'status,downloaded_bytes,total_bytes,total_bytes_estimate,speed,eta,fragment_index,fragment_count'
const part_fields = '%(requested_formats.:.{format_id,ext,filesize,filesize_approx,tbr}|null)j'

/** Writes the info file of one finished video, for `subtitleArgumentsOf`. Downloads nothing. */
export const infoArgumentsOf = ({ url, folder, version }: Pick<CommandRequest, 'url' | 'folder' | 'version'>) => [
  ...isolation(version),
  ...['--no-playlist', '--playlist-items', '1', '--match-filters', finished_filter],
  // Captions can be there although no format can be played.
  ...['--skip-download', '--ignore-no-formats-error'],
  ...['--socket-timeout', '15', '--retries', '1', '--extractor-retries', '1'],
  ...['--write-info-json', '--no-write-playlist-metafiles', '-P', folder, '-o', `infojson:${info_stem}`],
  '--',
  url,
]

/** `names`: as yt-dlp names them. */
type SubtitleRequest = Pick<CommandRequest, 'folder' | 'ffmpeg' | 'version'> & { names: string[] }

/** Fetches subtitles as `subtitles.<name>.vtt`. Reads the info file instead of requesting the page again. */
export const subtitleArgumentsOf = ({ names, folder, ffmpeg, version }: SubtitleRequest): string[] => [
  ...isolation(version),
  ...['--load-info-json', join(folder, info_file), '--skip-download', '--ignore-no-formats-error'],
  // With this flag, a missing language is a warning and does not prevent the others.
  ...['--ignore-errors', '--write-subs', '--write-auto-subs', '--sub-langs', names.join(',')],
  ...['--sub-format', 'vtt/srt/ass/ttml/best'],
  ...['--convert-subs', 'vtt', '--downloader', 'native', '--limit-rate', '1M', '--sleep-subtitles', '1'],
  ...['--socket-timeout', '10', '--retries', '2', '--fragment-retries', '2', '--extractor-retries', '0'],
  ...['--ffmpeg-location', ffmpeg, '--fixup', 'never', '--postprocessor-args', `ffmpeg_i:${local_media.join(' ')}`],
  ...['--newline', '--no-mtime', '-P', folder, '-o', 'subtitles.%(ext)s'],
]

type SoundRequest = Pick<CommandRequest, 'folder' | 'ffmpeg' | 'version'> & { format_id: string }

/**
 * Fetches the separate sound of a video as `sound.f<format>.<ext>`, while the main run fetches the picture. Reads the info file of that
 * run.
 */
export const soundArgumentsOf = ({ format_id, folder, ffmpeg, version }: SoundRequest, info: string): string[] => [
  ...isolation(version),
  ...['--load-info-json', info, '-f', `all[format_id='${format_id}']`, '--no-warnings'],
  ...['--no-mtime', '-P', folder, '-o', 'sound.f%(format_id)s.%(ext)s'],
  ...transfer_flags,
  ...['--ffmpeg-location', ffmpeg, '--fixup', 'never', '--newline', '--progress'],
  ...ifKnown(version, '--progress-delta', '0.5'),
]

/** Asks which channel a video or a list belongs to, by the first video of a list. Downloads nothing. */
export const ownerArgumentsOf = (url: string, version: string, { owner }: Markers): string[] => [
  ...isolation(version),
  ...[simulate, '--no-playlist', '--flat-playlist', '--playlist-items', '1'],
  ...['--ignore-no-formats-error', '--no-warnings'],
  ...['--socket-timeout', '8', '--retries', '0', '--extractor-retries', '0'],
  ...['--print', `video:${owner}${owner_fields}`, '--print', `playlist:${owner}${owner_fields}`],
  '--',
  url,
]

const owner_fields = '%(.{extractor_key,channel_id,channel_url,uploader_url,playlist_channel_id})j'

type ListCommand = {
  url: string
  version: string
  markers: Markers
  /** The most entries, counted from the first one. */
  most: number
  /** Seconds between two requests to the site. */
  pause_s: number
}

/** Prints a line for each video as soon as its page of the list has arrived, then one for the list. */
export const listArgumentsOf = ({ url, version, markers, most, pause_s }: ListCommand): string[] => [
  ...isolation(version),
  // A page of an unknown site may embed any video, which is not the list of a channel.
  ...['--use-extractors', 'default,-generic'],
  // Without --lazy-playlist yt-dlp prints nothing until it has the whole list.
  ...[simulate, '--flat-playlist', '--lazy-playlist', '--playlist-items', `1:${most}`],
  ...['--sleep-requests', String(pause_s), '--socket-timeout', '20', '--retries', '2', '--extractor-retries', '2'],
  // Otherwise a list that YouTube cuts off looks complete.
  ...['--extractor-args', 'youtube:raise_incomplete_data', '--extractor-args', 'youtubetab:approximate_date'],
  ...['--print', `video:${markers.video}${entry_template}`, '--print', `playlist:${markers.list}${list_template}`],
  '--',
  url,
]

type LookCommand = Pick<ListCommand, 'url' | 'version' | 'markers'>

/** Prints a line for a video, or for a list and its first video. A list is not read to its end. */
export const lookArgumentsOf = ({ url, version, markers }: LookCommand): string[] => [
  ...isolation(version),
  ...[simulate, '--no-playlist', '--flat-playlist', '--playlist-items', '1'],
  // Otherwise a premiere is an error that does not say when it begins. Other refusals become warnings.
  '--ignore-no-formats-error',
  ...['--socket-timeout', '15', '--retries', '1', '--extractor-retries', '1'],
  ...['--print', `video:${markers.video}${look_template}`, '--print', `playlist:${markers.list}${list_template}`],
  '--',
  url,
]

type SearchCommand = Pick<ListCommand, 'version' | 'markers' | 'most'> & { words: string }

/** Prints a line for each channel among the first results. */
export const searchArgumentsOf = ({ words, version, markers, most }: SearchCommand): string[] => [
  ...isolation(version),
  ...[simulate, '--flat-playlist', '--lazy-playlist', '--playlist-items', `1:${most}`],
  ...['--socket-timeout', '10', '--retries', '1', '--extractor-retries', '1'],
  ...['--print', `video:${markers.video}{"info":%(.{title,channel_id,uploader_url})j}`],
  '--',
  `https://www.youtube.com/results?${new URLSearchParams({ search_query: words, sp: only_channels })}`,
]

/** YouTube's own filter for its results. Source: yt-dlp's extractor "youtube:search_url". */
const only_channels = 'EgIQAg=='

const entry_fields =
  '_type,id,url,webpage_url,title,duration,timestamp,upload_date,release_timestamp,live_status,availability,age_limit,ie_key,extractor_key'

const entry_template = `{"info":%(.{${entry_fields},playlist_channel,playlist_channel_id,playlist_uploader})j,"picture":%(thumbnails.-1.url|null)j}`

const look_template = `{"info":%(.{${entry_fields},fulltitle,description,thumbnail,channel,channel_id,channel_url,uploader,uploader_url})j,"picture":%(thumbnails.-1.url|null)j,"format":%(formats.0.format_id|null)j}`

const list_template =
  '{"info":%(.{id,title,playlist_count,channel,channel_id,channel_url,uploader,uploader_url,extractor_key})j,"pictures":%(thumbnails.:.{id,url}|null)j}'

/** Downloads nothing. `--print` implies it only where it prints nothing about a playlist. */
const simulate = '--simulate'

/** Arguments of every call: nothing on this machine but our own arguments decides what yt-dlp does. */
export function isolation(version: string): string[] {
  return [
    ...['--ignore-config', ...ifKnown(version, '--no-plugin-dirs'), '--no-cache-dir', '--no-update', '--no-exec'],
    // Our own runtime runs the site's scripts. yt-dlp checks the solver it fetches by its hash.
    ...ifKnown(version, '--js-runtimes', `${runtime.name}:${runtime.path}`),
    ...ifKnown(version, '--remote-components', 'ejs:github'),
  ]
}

const ifKnown = (version: string, flag: Flag, ...values: string[]) => (knows(version, flag) ? [flag, ...values] : [])
