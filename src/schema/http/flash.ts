/** A flash: what a page says about the last action, with a way to undo it. */
import { z } from 'zod'
import { GroupId, PlaylistId, SavedSearchId, SentTime } from '../values/fields.ts'
import { MarkedList } from '../watching/viewing.ts'

const video_id = z.string().min(1).max(200)
const channel_id = z.string().min(1).max(500)

/**
 * The actions that the undo button of a flash can start. A flash is stored in a cookie that the browser could change, so the flash names
 * an action and never an address.
 */
export const Undo = z.discriminatedUnion('do', [
  z.object({ do: z.literal('see'), video_id }),
  z.object({ do: z.literal('unsee'), video_id }),
  z.object({ do: z.literal('unsee_all'), seen_at: SentTime }),
  z.object({ do: z.literal('unmark_all'), list: MarkedList, marked_at: SentTime }),
  z.object({ do: z.literal('later'), video_id }),
  z.object({ do: z.literal('not_later'), video_id }),
  z.object({ do: z.literal('dismiss'), video_id }),
  z.object({ do: z.literal('undismiss'), video_id }),
  z.object({ do: z.literal('offer'), video_id }),
  z.object({ do: z.literal('download'), video_id }),
  z.object({ do: z.literal('download_again'), video_id }),
  z.object({ do: z.literal('restore'), video_id }),
  z.object({ do: z.literal('restore_video'), video_id }),
  z.object({ do: z.literal('restore_deleted'), deleted_at: SentTime }),
  z.object({ do: z.literal('restore_channel'), channel_id }),
  z.object({ do: z.literal('restore_channels'), channel_ids: z.array(channel_id) }),
  z.object({ do: z.literal('switch_auto_download'), channel_ids: z.array(channel_id), on: z.boolean() }),
  z.object({ do: z.literal('restore_group'), group_id: GroupId }),
  z.object({ do: z.literal('restore_search'), saved_search_id: SavedSearchId }),
  z.object({ do: z.literal('restore_playlist'), playlist_id: PlaylistId }),
  z.object({ do: z.literal('take_from_playlist'), playlist_id: PlaylistId, added_at: SentTime }),
  z.object({ do: z.literal('put_back'), playlist_id: PlaylistId, removed_at: SentTime }),
  z.object({ do: z.literal('restore_history'), forgotten_at: SentTime }),
  z.object({ do: z.literal('unfollow'), channel_id }),
  z.object({ do: z.literal('take_back'), requested_at: SentTime }),
  z.object({ do: z.literal('queue_again'), cancelled_at: SentTime }),
  z.object({ do: z.literal('try_again'), video_id }),
  z.object({ do: z.literal('pin'), video_id }),
  z.object({ do: z.literal('unpin'), video_id }),
])
export type Undo = z.infer<typeof Undo>

export const Flash = z.object({
  kind: z.enum(['done', 'problem']),
  text: z.string().max(1000),
  undo: Undo.optional(),
  /** The channel that is followed. `has_choice`: it has other feeds, such as videos without Shorts. `already`: it was followed before. */
  followed: z.object({ channel_id, has_choice: z.boolean(), already: z.boolean().optional() }).optional(),
})
export type Flash = z.infer<typeof Flash>
