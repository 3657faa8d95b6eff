/** The ids that appear in paths and in many schemas, described once. `UserId` is in `user.ts`. */
import { z } from 'zod'

export const VideoId = z
  .string()
  .meta({ description: 'The id of the video on its platform.', examples: ['aqz-KE-bpKQ'] })

export const ChannelId = z.string().meta({
  description: 'The id of the channel on its platform, or one derived from its feed. Stable and URL-safe.',
  examples: ['UCBR8-60-B28hp2BmDPdntcQ'],
})

export const GroupId = z.uuid('There is no such group.').meta({
  description: 'The id of the group, from the response to `POST /groups`.',
  examples: ['5b0f8d6e-2f0c-4a57-9a0e-7f3f9d1c2b44'],
})

export const SavedSearchId = z.uuid('There is no such saved search.').meta({
  description: 'The id of the saved search, from the response to `POST /searches`.',
  examples: ['8c1d2a30-6f0b-4d0f-9a0b-1f7f2f6f7a10'],
})

export const ImportId = z.string().meta({
  description: 'The id of the import, from the response to `POST /import`.',
  examples: ['0d3f3c1e-7a51-4c5e-9a35-2f3c0a8a1f10'],
})
