/** Podcasts that a person makes of their videos on disk: what they list, and the facts of each episode. */
import { z } from 'zod'
import type { Extension } from '../downloads/quality.ts'
import type { Chapter } from '../sources/facts.ts'
import { ChannelId, GroupId, PlaylistId } from '../values/fields.ts'

/** The most podcasts of one person, and addresses of one podcast. */
export const max_podcasts = 100
export const max_addresses = 20

export const max_episodes = 500

export const PodcastKind = z.enum(['video', 'audio'])
export type PodcastKind = z.infer<typeof PodcastKind>

export const PodcastList = z.enum(['all', 'new', 'later'])
export type PodcastList = z.infer<typeof PodcastList>

/** The titles of podcasts of lists. */
export const list_titles = {
  all: 'Everything on disk',
  new: 'New',
  later: 'Watch later',
} satisfies Record<PodcastList, string>

export const PodcastOf = z
  .union(
    [
      z.strictObject({ channel_id: ChannelId.max(200) }),
      z.strictObject({ group_id: GroupId }),
      z.strictObject({ playlist_id: PlaylistId }),
      z.strictObject({ list: PodcastList.describe('A list of your videos on disk.') }),
    ],
    'Name a channel_id, a group_id, a playlist_id, or a list: all, new or later.',
  )
  .describe('What it lists. `all`: everything on disk. `new`: as on the page New. `later`: Watch later.')
export type PodcastOf = z.infer<typeof PodcastOf>

export const newest_words = `Use a whole number from 1 to ${max_episodes}.`

const Newest = z.int(newest_words).min(1, newest_words).max(max_episodes, newest_words)

export const PodcastRequest = z.object({
  of: PodcastOf,
  kind: PodcastKind.describe('`audio`: only the sound.'),
  newest: Newest.default(50).describe('How many episodes it has at most: the newest videos on disk.'),
})
export type PodcastRequest = z.infer<typeof PodcastRequest>

export const PodcastId = z.uuid().meta({
  description: 'The id of the podcast, from the response to `POST /podcasts`.',
  examples: ['3f6d2c1e-8a51-4c5e-9a35-2f3c0a8a1f10'],
})

export const Podcast = z
  .object({
    podcast_id: PodcastId,
    of: PodcastOf,
    kind: PodcastKind.describe('`audio`: only the sound.'),
    newest: Newest.describe('How many episodes it has at most.'),
    title: z.string().describe('The title of what it lists.'),
    created_at: z.date().describe('When it was made.'),
    last_used_at: z
      .date()
      .nullable()
      .describe('When an app last used one of its addresses, to the minute; null: never.'),
  })
  .meta({ id: 'Podcast' })
export type Podcast = z.infer<typeof Podcast>

export const Podcasts = z.object({ podcasts: z.array(Podcast) })

export const NewPodcast = z
  .object({
    podcast_id: PodcastId,
    url: z.string().describe('The address to subscribe to. It is shown once. An app that has it needs no sign-in.'),
  })
  .meta({ id: 'NewPodcast' })
export type NewPodcast = z.infer<typeof NewPodcast>

/** What a feed says of one episode. */
export type Episode = {
  video_id: string
  title: string
  channel_title: string
  description: string | null
  /** On its own site. */
  video_url: string
  published_at: Date
  /** When its file came to the disk. */
  completed_at: Date
  duration_seconds: number | null
  is_explicit: boolean
  /** Of the file that the app plays. */
  extension: Extension
  /** Bytes of this file. */
  file_size: number
  /** The name of the subtitles that are its transcript; null: it has none. */
  transcript: string | null
  has_chapters: boolean
  /** Of its stored picture; null: it has none. */
  picture_id: string | null
}

/** A podcast with what its feed says of it as a whole. */
export type ShownPodcast = Omit<Podcast, 'last_used_at'> & {
  /** On the site of the channel; null: it is of several, or unknown. */
  page_url: string | null
  /** Of the stored picture of the channel; null: it is of several, or has none. */
  picture_id: string | null
  /** Of most of its episodes; null: unknown. */
  language: string | null
}

/** From which a transcript is chosen. `language`: of the sound, as its site said; null: it did not. */
export type Subtitled = { subtitles: string[]; language: string | null }

/** An episode whose transcript is not chosen yet. */
export type StoredEpisode = Omit<Episode, 'transcript'> & Subtitled

/** The file of one episode, or what belongs to it. */
export type EpisodeFile = Pick<
  Episode,
  'video_id' | 'extension' | 'completed_at' | 'picture_id' | 'description' | 'duration_seconds'
> &
  Subtitled & { chapters: Chapter[] | null }
