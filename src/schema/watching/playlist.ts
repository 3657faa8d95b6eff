/** A playlist: a list of videos that a person names, in an order of its own. A video can be in several. */
import { z } from 'zod'
import { cursor, limit, listOf, next_cursor, OwnName, PlaylistId, SentTime, VideoId } from '../values/fields.ts'
import { type ListedVideo, type Page, Video } from '../videos/video.ts'

/** The most playlists of one person, and videos of one playlist. */
export const max_playlists = 200
export const max_playlist_videos = 5000

export const Playlist = z
  .object({
    playlist_id: PlaylistId,
    name: z.string().describe('Its name, with 1 to 60 characters. Yours differ, ignoring case.'),
    videos: z.int().describe('How many videos are in it.'),
  })
  .meta({ id: 'Playlist' })
export type Playlist = z.infer<typeof Playlist>

/** A playlist in a list of them: with the picture of its first video. */
export type ListedPlaylist = Playlist & { picture_url: string | null }

/** A playlist that some videos are added to. `has`: how many of them are in it. */
export type PlaylistChoice = Playlist & { has: number }

export const Playlists = z.object({ playlists: z.array(Playlist) })

export const PlaylistRequest = z.object({
  name: OwnName.meta({ description: 'The name: 1 to 60 characters.', examples: ['Bread'] }),
})

/** The query of the page of a playlist. `select`: rows have checkboxes. */
export const PlaylistPageQuery = z.object({
  cursor: cursor.catch(undefined),
  select: z.literal('1').optional().catch(undefined),
})

export const PlaylistQuery = z.object({ limit, cursor })

export const WholePlaylist = Playlist.extend({
  video_ids: z.array(VideoId).describe('All of its videos, in their order.'),
  entries: z.array(Video).describe('One page of its videos, in their order.'),
  next_cursor,
}).meta({ id: 'WholePlaylist' })

export const PlaylistVideos = z.object({
  video_ids: z
    .array(z.string().max(200))
    .max(max_playlist_videos, `Name at most ${max_playlist_videos} videos.`)
    .transform(video_ids => [...new Set(video_ids)])
    .describe('All videos of the playlist from now on, in their order. One that is named twice keeps its first place.'),
})

/** Several videos, of a page on which they were selected or of the menu of one. */
export const VideosForPlaylist = z.object({ video_id: listOf(500) })

export const PlaylistForm = z.object({ name: OwnName })

export const NewPlaylistForm = VideosForPlaylist.extend(PlaylistForm.shape)

export const Step = z.enum(['top', 'up', 'down', 'bottom'])
export type Step = z.infer<typeof Step>

/** `place`: 1 is the first. */
export const PlaceForm = z.object({
  video_id: z.string().max(200),
  to: z.union([Step, z.coerce.number().int().min(1).max(max_playlist_videos)]),
})

export const TakeOutForm = z.object({ video_id: z.string().max(200) })

export const TakeBackForm = z.object({ added_at: SentTime })

export const PutBackForm = z.object({ removed_at: SentTime })

/** What the page of a playlist shows. `first`: the place of the first of these videos. */
export type ShownPlaylist = { playlist: Playlist; videos: Page<ListedVideo>; first: number }
