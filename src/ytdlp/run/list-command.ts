/** The argument lists with which yt-dlp lists a channel, or says what one address is. Neither downloads anything. */
import { isolation, simulate } from './command.ts'
import type { Markers } from './line.ts'

export type ListCommand = {
  url: string
  version: string
  markers: Markers
  /** Only the first entries. */
  most: number
  /** Seconds between two requests to the site. */
  pause_s: number
}

/** Prints a line for each video as soon as its page of the list has arrived, then one for the list. */
export const listArgumentsOf = ({ url, version, markers, most, pause_s }: ListCommand): string[] => [
  ...isolation(version),
  // A page of an unknown site may embed any video, which is no list of a channel.
  ...['--use-extractors', 'default,-generic'],
  // Without --lazy-playlist yt-dlp prints nothing until it has the whole list.
  ...[simulate, '--flat-playlist', '--lazy-playlist', '--playlist-items', `1:${most}`],
  ...['--sleep-requests', String(pause_s), '--socket-timeout', '20', '--retries', '2', '--extractor-retries', '2'],
  // Otherwise a list that YouTube cuts off looks complete.
  ...['--extractor-args', 'youtube:raise_incomplete_data', '--extractor-args', 'youtubetab:approximate_date'],
  ...['--print', `video:${markers.video}${listed}`, '--print', `playlist:${markers.list}${list}`],
  '--',
  url,
]

/** Prints a line for a video, or for a list and its first video. A list is not read to its end. */
export const lookArgumentsOf = ({
  url,
  version,
  markers,
}: Pick<ListCommand, 'url' | 'version' | 'markers'>): string[] => [
  ...isolation(version),
  ...[simulate, '--no-playlist', '--flat-playlist', '--playlist-items', '1'],
  // Otherwise a premiere is an error that does not say when it begins. Other refusals become warnings.
  '--ignore-no-formats-error',
  ...['--socket-timeout', '15', '--retries', '1', '--extractor-retries', '1'],
  ...['--print', `video:${markers.video}${looked}`, '--print', `playlist:${markers.list}${list}`],
  '--',
  url,
]

/** Prints a line for each channel among the first results. */
export const searchArgumentsOf = ({
  words,
  version,
  markers,
  most,
}: Pick<ListCommand, 'version' | 'markers' | 'most'> & { words: string }): string[] => [
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
const listed = `{"info":%(.{${entry_fields},playlist_channel,playlist_channel_id,playlist_uploader})j,"picture":%(thumbnails.-1.url|null)j}`
const looked = `{"info":%(.{${entry_fields},fulltitle,description,thumbnail,channel,channel_id,channel_url,uploader,uploader_url})j,"picture":%(thumbnails.-1.url|null)j,"format":%(formats.0.format_id|null)j}`
const list =
  '{"info":%(.{id,title,playlist_count,channel,channel_id,channel_url,uploader,uploader_url,extractor_key})j,"pictures":%(thumbnails.:.{id,url}|null)j}'
