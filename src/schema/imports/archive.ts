/**
 * The archive: one JSON document with everything that a person has, and what taking it in does. Fields that are not listed here are
 * ignored, so that a later version can add some. Files and pictures are not part of it, and neither are passwords, tokens and sessions.
 */
import { z } from 'zod'
import { max_groups } from '../channels/group.ts'
import { Quality, QualityOfChannel } from '../downloads/quality.ts'
import { quietHours, usual_messages_a_day } from '../notifications/quiet-hours.ts'
import { ForeignRule } from '../rules/rule.ts'
import { max_searches, SavedSearchRequest } from '../search/saved-search.ts'
import { Chapter, Facts, Source } from '../sources/facts.ts'
import { Category } from '../sources/segment.ts'
import { SubtitleLanguages } from '../sources/subtitle-languages.ts'
import { OwnName } from '../values/fields.ts'
import { MediaNames } from '../values/media-names.ts'
import { max_address, max_description, max_title } from '../values/stored.ts'
import { max_playlist_videos } from '../watching/playlist.ts'
import { longest_video_s } from '../watching/viewing.ts'

export const archive_format = 'backlot-archive'
/** Rises only when a program that knows the earlier version would misread the document. */
export const archive_version = 1

/**
 * Times are copied as text, because a `Date` would cut their microseconds. In UTC or with an offset that exists. Postgres refuses larger
 * offsets and longer fractions, and a `Date` cannot read the years of Postgres before 1000 and after 9999.
 */
const Time = z.iso.datetime({ offset: true }).regex(/^(?!0|9999).{19}(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):\d\d)$/)
/**
 * The characters of the ids that feeds and platforms give: they become parts of addresses and of file names. Browsers leave `.` and `..`
 * out of an address, so no page would lead to such a channel or video.
 */
const Id = z.string().regex(/^(?!\.\.?$)[\w.~@:+!$'()*,;=%-]{1,200}$/)
/** As `WebUrl`, and written in ASCII: an address is in an index, which refuses more than 2,704 bytes. */
const Address = z.url({ protocol: /^https?$/, normalize: true }).max(max_address)
const Name = OwnName.meta({ description: 'The name of a group.' })
/** A field beside the rule has the name of its playlist. */
const ArchivedRule = ForeignRule.nullable().default(null)
const RulePlaylist = OwnName.nullable()
  .default(null)
  .describe('The name of the playlist that the rule adds videos to; null: none.')
const Seconds = z.int().min(0).max(longest_video_s)

export const ArchiveSettings = z.object({
  // A later version may have more of them.
  quality: Quality.catch('best').default('best').describe('The quality of downloads.'),
  keyboard_shortcuts: z.boolean().default(true).describe('Whether single keys do something on the pages.'),
  skip_categories: z.array(Category).max(20).default(['sponsor']).describe('The kinds of parts that the player skips.'),
  captions_of_all: z
    .boolean()
    .default(false)
    .describe('Whether captions are fetched of videos without subtitles on disk.'),
  subtitle_languages: SubtitleLanguages.catch([]).default([]),
  groups: z.array(Name).max(max_groups).default([]).describe('The names of your groups of channels.'),
  group_bells: z.array(Name).max(max_groups).default([]).describe('The names of the groups with a bell.'),
  quiet_from: quietHours.quiet_from.default(null),
  quiet_to: quietHours.quiet_to.default(null),
  time_zone: quietHours.time_zone.default('UTC'),
  messages_a_day: quietHours.messages_a_day.default(usual_messages_a_day),
  media_names: MediaNames.catch(null).default(null),
  searches: z.array(SavedSearchRequest).max(max_searches).default([]).describe('Your saved searches.'),
  default_rule: ArchivedRule.describe('The rule of newly followed channels; null: none.'),
  default_rule_playlist: RulePlaylist,
})
export type ArchiveSettings = z.infer<typeof ArchiveSettings>

export const ArchiveChannel = z.object({
  channel_id: Id.describe('The id of the channel.'),
  title: z.string().min(1).max(max_title).describe('Its title.'),
  rss_url: Address.nullable().default(null).describe('The address of its feed; null: the channel is not followed.'),
  page_url: Address.nullable().default(null).describe('Its page; null: unknown.'),
  image_url: Address.nullable().default(null).describe('The address of its picture; null: unknown.'),
  quality: QualityOfChannel.catch(null).default(null),
  plays_whole: z.boolean().default(false).describe('Whether nothing is skipped in its videos.'),
  bell: z.boolean().default(false).describe('Whether you are notified of its new videos.'),
  groups: z.array(Name).max(max_groups).default([]).describe('The names of the groups that it is in.'),
  followed_at: Time.describe('When the channel was followed, or first had a video.'),
  rule: ArchivedRule.describe('What downloads automatically; null: nothing.'),
  rule_playlist: RulePlaylist,
})
export type ArchiveChannel = z.infer<typeof ArchiveChannel>
export type ChannelWithRule = Pick<ArchiveChannel, 'channel_id' | 'rule' | 'rule_playlist'>

export const ArchiveVideo = z.object({
  channel_id: Id.describe('Its channel, which is among `channels`. A video of two channels is listed twice.'),
  video_id: Id.describe('Its id on its platform.'),
  video_url: Address.describe('Its page.'),
  title: z.string().min(1).max(max_title).describe('Its title.'),
  description: z.string().max(max_description).nullable().default(null).describe('Its description; null: none.'),
  thumbnail_url: Address.nullable().default(null).describe('The address of its picture; null: unknown.'),
  published_at: Time.nullable().default(null).describe('When it was published; null: unknown.'),
  published_precision: Facts.shape.published_precision.unwrap().default('exact').describe('How precise that date is.'),
  sort_at: Time.optional().describe('Its place in the history; absent: its dates decide.'),
  first_seen_at: Time.describe('When Backlot first saw the video.'),
  source: Source.default('feed').describe('How it was found, as in `Video`.'),
  duration_seconds: Facts.shape.duration_seconds.default(null),
  live_status: Facts.shape.live_status.default(null),
  availability: Facts.shape.availability.default(null),
  guid: z.string().max(200).nullable().default(null).describe('The id that the feed gives it; null: none.'),
  moved_id: z
    .string()
    .max(200)
    .nullable()
    .default(null)
    .describe('Another id by which its feed is compared; null: none.'),
  chapters: z.array(Chapter).max(500).nullable().default(null).describe('Its chapters; null: none are known.'),
  pinned: z.boolean().default(false).describe('Whether no rule deletes its file.'),
  requested_by: z
    .enum(['person', 'rule'])
    .nullable()
    .default(null)
    .describe('Who requested its download last; null: it was never requested.'),
  downloaded: z.boolean().default(false).describe('Whether its file was there or awaited at the time of the export.'),
})
export type ArchiveVideo = z.infer<typeof ArchiveVideo>
export type RequestedVideo = Pick<ArchiveVideo, 'video_id' | 'requested_by'>

export const ArchivePlaylist = z.object({
  name: OwnName.describe('Its name.'),
  video_ids: z
    .array(Id)
    .max(max_playlist_videos)
    .default([])
    .describe('Its videos, in their order. Those that are not in your library after the import are left out.'),
})
/** As a file may have it. An id that does not fit becomes one that no library has, so that only this video is left out. */
export const GivenPlaylist = ArchivePlaylist.extend({ video_ids: z.array(Id.catch('')).default([]) })
export type GivenPlaylist = z.infer<typeof GivenPlaylist>

/** Also of videos that are not in the library: a mark that was imported waits for its video. */
export const ArchiveViewing = z.object({
  video_id: Id.describe('The video.'),
  seen_at: Time.nullable().default(null).describe('When it was marked as watched; null: unwatched.'),
  position_seconds: Seconds.nullable().default(null).describe('The playback position; null: never played.'),
  duration_seconds: Seconds.min(1)
    .nullable()
    .default(null)
    .describe('Its length as the player found it; null: unknown.'),
  watched_at: Time.nullable().default(null).describe('When it was last played; null: never.'),
  dismissed_at: Time.nullable()
    .default(null)
    .describe('Since when it is not listed as unfinished; null: it is, if it was begun.'),
  later_at: Time.nullable().default(null).describe('When it was put on Watch later; null: it is not there.'),
  not_for_me_at: Time.nullable().default(null).describe('When it was hidden; null: it is not.'),
  forgotten_at: Time.nullable().default(null).describe('When it was removed from the history; null: it was not.'),
})
export type ArchiveViewing = z.infer<typeof ArchiveViewing>

export const Archive = z
  .object({
    format: z.literal(archive_format).describe('Always this value, by which the file is recognised.'),
    version: z.literal(archive_version).describe('The version of the format.'),
    exported_at: Time.describe('When the document was written.'),
    settings: ArchiveSettings.describe('What you chose for all channels.'),
    channels: z
      .array(ArchiveChannel)
      .describe('The channels that you follow, and those that have a video that you added.'),
    videos: z.array(ArchiveVideo).describe('Everything that is known of each video.'),
    playlists: z.array(ArchivePlaylist).default([]).describe('Your playlists.'),
    viewings: z.array(ArchiveViewing).describe('What was watched, and how far.'),
  })
  .meta({ id: 'Archive' })

/** The most items of one document that are taken in. */
export const max_archive = { channels: 20_000, videos: 2_000_000, playlists: 1000, viewings: 2_000_000 } as const

export const ArchiveQuery = z.object({
  downloads: z
    .enum(['true', 'false'])
    .transform(text => text === 'true')
    .optional()
    .describe('`true`: also request the downloads of the videos that are marked as `downloaded`.'),
})
