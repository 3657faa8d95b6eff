/** What every player of the watch page has, whatever it plays. */
import type { Category } from '../../schema/sources/segment.ts'
import type { Video } from '../../schema/videos/video.ts'
import { titleId } from '../ui/cell-ids.ts'

/**
 * Where the player starts. `is_resumed`: at the saved position, not at one that the address names. `is_now`: the person pressed Watch, so it
 * plays as soon as it can, although it is still being downloaded.
 */
export type Start = { at_seconds: number; is_resumed: boolean; is_now?: boolean }

export const streamPath = ({ video_id }: Video): string => `/stream/${encodeURIComponent(video_id)}`

/** `skips`: the kinds of parts that are skipped. */
export const playerFacts = (video: Video, skips: Category[]) =>
  ({
    class: 'player',
    controls: true,
    'aria-labelledby': titleId(video.video_id),
    'data-position': `/videos/${encodeURIComponent(video.video_id)}/position`,
    'data-channel': video.channel_id,
    'data-length': video.duration_seconds ?? undefined,
    'data-segments': skips.length > 0 ? `/api/segments/${encodeURIComponent(video.video_id)}` : undefined,
  }) as const
