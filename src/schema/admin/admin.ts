/** What an administrator sees and changes: people with counts and bytes of their libraries, invitations, and the log of acts. */
import { z } from 'zod'
import { cursor, next_cursor, optional } from '../values/fields.ts'
import { Role } from '../values/user.ts'

export const PersonName = z
  .string()
  .meta({ description: 'The username. Its case does not matter.', examples: ['alice'] })

const quota_gb = z
  .number('Use a number of GB.')
  .min(0, 'Use a number of at least 0.')
  .max(1e6, 'Use a number of at most 1,000,000.')
  .nullable()
  .describe('How many GB their files may use; 0: no limit; null: as the service says.')

export const Person = z
  .object({
    username: PersonName,
    role: Role.describe('`admin`: an administrator.'),
    created_at: z.date().describe('When the account was created.'),
    last_seen_at: z.date().nullable().describe('The last visit or request, to the minute; null: none.'),
    locked_at: z.date().nullable().describe('When the person was locked; null: they may sign in.'),
    channels: z.int().describe('How many channels they have.'),
    videos: z.int().describe('How many videos these channels list.'),
    on_disk_bytes: z.int().describe('The size of all their files, in bytes.'),
    quota_gb,
    sessions: z.int().describe('How many browsers are signed in.'),
  })
  .meta({ id: 'Person' })
export type Person = z.infer<typeof Person>

export const People = z.object({ people: z.array(Person) })

/** Absent: as it is. */
export const PersonChange = z.object({
  role: Role.optional().describe('Absent: as it is.'),
  locked: z.boolean().optional().describe('Whether the person may not sign in. Absent: as it is.'),
  quota_gb: quota_gb.optional(),
})
export type PersonChange = z.infer<typeof PersonChange>

export const people_sorts = ['name', 'last_visit', 'bytes', 'created'] as const
export type PeopleSort = (typeof people_sorts)[number]

/** The query of the page of people. */
export const PeopleQuery = z.object({
  q: z.string().trim().max(200).default(''),
  sort: z.enum(people_sorts).catch('name').default('name'),
  cursor,
})

/** The form of a person's quota. Empty: as the service says. */
export const QuotaForm = z.object({
  quota_gb: optional(
    z.coerce.number().min(0).max(1e6),
    'Use a number of GB, such as 50, or leave the field empty.',
  ).transform(quota_gb => quota_gb ?? null),
})

export const RoleForm = z.object({ role: Role })

export const MadeLink = z.object({
  url: z.string().describe('The link. It is shown only here, and works once.'),
  expires_at: z.date().describe('The link works until then.'),
})
export type MadeLink = z.infer<typeof MadeLink>

export const InvitationId = z.string().meta({
  description: 'The id of the invitation, from the response to `POST /admin/invitations`.',
  examples: ['3f0d8c5a-6d0e-4f0b-8e0a-2a9c7f6b1d20'],
})

const note = z.string().max(200, 'Use at most 200 characters.').trim().default('')
const whole_days = 'Use a whole number of days from 1 to 365.'

export const InvitationForm = z.object({
  days: optional(z.coerce.number().int().min(1).max(365), whole_days).transform(days => days ?? 7),
  note,
})

export const InvitationRequest = z.object({
  days: z
    .int(whole_days)
    .min(1, whole_days)
    .max(365, whole_days)
    .default(7)
    .describe('How long it works; 7 if absent.'),
  note: note.describe('For example for whom it is. The newcomer does not see it.'),
})
export type InvitationRequest = z.infer<typeof InvitationRequest>

export const Invitation = z
  .object({
    invitation_id: InvitationId,
    note: z.string().describe('For example for whom it is.'),
    made_by: z.string().nullable().describe('The administrator who made it; null: the command line.'),
    created_at: z.date().describe('When it was made.'),
    expires_at: z.date().describe('It works until then.'),
  })
  .meta({ id: 'Invitation' })
export type Invitation = z.infer<typeof Invitation>

export const Invitations = z.object({
  invitations: z.array(Invitation).describe('Those that still work, the newest first.'),
})

export const MadeInvitation = MadeLink.extend({ invitation_id: InvitationId })
export type MadeInvitation = z.infer<typeof MadeInvitation>

export const ActName = z.enum([
  'role_changed',
  'locked',
  'unlocked',
  'quota_changed',
  'account_deleted',
  'reset_link_made',
  'tokens_revoked',
  'invitation_made',
  'invitation_deleted',
  'invitation_used',
  'pause_ended',
  'downloads_retried',
  'tools_renewed',
])
export type ActName = z.infer<typeof ActName>

export const Act = z
  .object({
    at: z.date().describe('When it was done.'),
    by: z.string().describe('The username of the administrator, or what else acted, for example `command line`.'),
    act: ActName.describe('What was done.'),
    username: z.string().nullable().describe('Whom it concerns; null: no single person.'),
    detail: z.string().describe('For example the new role or quota; empty: nothing more is known.'),
  })
  .meta({ id: 'Act' })
export type Act = z.infer<typeof Act>

export const Acts = z.object({ acts: z.array(Act).describe('The latest first.'), next_cursor })

export const LogQuery = z.object({ cursor })
