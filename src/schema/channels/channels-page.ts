/** The query of the channels page, and the forms that act on selected channels. */
import { z } from 'zod'
import { listOf } from '../values/parameters.ts'
import { ChannelOrder } from './channel.ts'

/** The query of the channels page. Values that are not valid are ignored. */
export const ChannelsQuery = z.object({
  q: z
    .string()
    .default('')
    .transform(typed => typed.trim().slice(0, 200)),
  order: ChannelOrder.catch('title'),
  /** `false`: the channels with single videos. */
  followed: z.literal('false').optional().catch(undefined),
  /** Whether rows have checkboxes. */
  select: z.literal('1').optional().catch(undefined),
  cursor: z.coerce.number().int().min(0).catch(0),
})

/** The selected channels. */
export const ChosenChannelsForm = z.object({ channel_id: listOf(500), confirmed: z.string().optional() })
export const SwitchForm = ChosenChannelsForm.extend({
  on: z.enum(['true', 'false']).transform(given => given === 'true'),
})
/** A group to add the selected channels to: `group_id`, or a new one with this name. */
export const ToGroupForm = ChosenChannelsForm.extend({
  group_id: z.string().max(100).optional(),
  name: z.string().max(1000).default(''),
})
