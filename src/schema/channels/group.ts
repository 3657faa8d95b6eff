/** A group of channels, as a person sorts them. A channel can be in several groups. */
import { z } from 'zod'
import { GroupId, listOf, OwnName } from '../values/fields.ts'

/** The most groups of one person. */
export const max_groups = 100

export const Group = z
  .object({
    group_id: GroupId,
    name: z.string().describe('Its name, with 1 to 60 characters. Yours differ, ignoring case.'),
    channels: z.int().describe('How many channels are in it.'),
    bell: z.boolean().describe('Whether you are notified of new videos of its channels.'),
    unwatched: z
      .int()
      .describe(
        'How many of their videos are neither watched nor dismissed, without older ones that were loaded. A video that is in two of the channels counts in both.',
      ),
  })
  .meta({ id: 'Group' })
export type Group = z.infer<typeof Group>
export type NamedGroup = Pick<Group, 'group_id' | 'name'>

export const Groups = z.object({ groups: z.array(Group) })

export const GroupRequest = z.object({
  name: OwnName.meta({ description: 'The name: 1 to 60 characters.', examples: ['Cooking'] }),
})

export const GroupsOfChannel = z.object({
  group_ids: z
    .array(GroupId)
    .max(max_groups, `Name at most ${max_groups} groups.`)
    .describe('The groups that the channel is in from now on.'),
})

/** A new group, by the page of all groups. */
export const GroupForm = z.object({ name: OwnName })

/** One group with all of its channels. */
export const WholeGroupForm = GroupForm.extend({ channel_id: listOf(5000) })

/** The groups of one channel, and a new one unless the name is empty. */
export const ChannelGroupsForm = z.object({
  group_id: listOf(max_groups).pipe(z.array(GroupId)),
  name: z
    .union([
      z
        .string()
        .regex(/^\s*$/)
        .transform(() => undefined),
      OwnName,
    ])
    .optional(),
})
