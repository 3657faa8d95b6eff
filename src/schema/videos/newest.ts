/** Which of the newest videos are listed. The query of the page New is in `new-page.ts`. */
import { z } from 'zod'
import { GroupId } from '../values/ids.ts'
import { optional, trueOrFalse } from '../values/parameters.ts'
import { VideosQuery } from './video-api.ts'

const seconds = (description: string, example: number) =>
  optional(z.coerce.number().int().min(0).max(most_seconds), 'Use a whole number of seconds.').meta({
    description,
    examples: [example],
  })
/** A year, the longest video that is believed. */
const most_seconds = 366 * 24 * 60 * 60

/** The query of `GET /api/videos`. */
export const NewestQuery = VideosQuery.extend({
  group: optional(GroupId, 'Use the group_id of one of your groups.').meta({
    description: 'Only videos of the channels in this group.',
  }),
  on_disk: trueOrFalse('`true`: only videos on disk; `false`: only the others.', 'true'),
  watched: trueOrFalse('The same as `seen`.', 'false'),
  later: trueOrFalse('`true`: only videos on Watch later; `false`: only the others.', 'true'),
  dismissed: trueOrFalse('`true`: only videos dismissed as "Not for me"; `false`: only the others.', 'false'),
  min_seconds: seconds('Only videos of at least this length. Those of unknown length are left out.', 300),
  max_seconds: seconds('Only videos of at most this length. Those of unknown length are left out.', 1200),
  live: trueOrFalse('`true`: only live streams, announced ones and their recordings; `false`: none of them.', 'false'),
})
