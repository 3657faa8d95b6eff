/** What the page that makes a podcast is about, and its form. */
import { z } from 'zod'
import { ChannelId, GroupId, PlaylistId } from '../values/fields.ts'
import { max_episodes, newest_words, PodcastKind, PodcastList, type PodcastOf } from './podcast.ts'

const subject = {
  channel_id: ChannelId.max(200).optional(),
  group_id: GroupId.optional(),
  playlist_id: PlaylistId.optional(),
  list: PodcastList.optional(),
}

/** Everything on disk, unless the address names something else. */
function ofIn({ channel_id, group_id, playlist_id, list = 'all' }: z.infer<z.ZodObject<typeof subject>>): PodcastOf {
  if (channel_id !== undefined) return { channel_id }
  if (group_id !== undefined) return { group_id }
  return playlist_id === undefined ? { list } : { playlist_id }
}

export const PodcastSubject = z.object(subject).transform(ofIn)

export const PodcastForm = z
  .object({
    ...subject,
    kind: PodcastKind,
    newest: z
      .string()
      .regex(/^\s*\d+\s*$/, newest_words)
      .transform(Number)
      .pipe(z.number().min(1, newest_words).max(max_episodes, newest_words)),
  })
  .transform(({ kind, newest, ...named }) => ({ of: ofIn(named), kind, newest }))
