/** The media servers of a person: what they enter, what they see of it, and what was watched on one side. The key is never shown. */
import { z } from 'zod'
import { isOpenAddress } from '../values/address.ts'
import { max_address } from '../values/stored.ts'

export const max_media_servers = 5

export const no_key_for_servers =
  'This server cannot store the keys of media servers. Its administrator has to set SECRET_KEY, which encrypts them.'

export const MediaServerKind = z.enum(['jellyfin', 'emby', 'plex'])
export type MediaServerKind = z.infer<typeof MediaServerKind>

export const kind_names = { jellyfin: 'Jellyfin', emby: 'Emby', plex: 'Plex' } satisfies Record<MediaServerKind, string>

/** Paths are added to it, so it has no query. */
const Address = z
  .string('Enter an address.')
  .trim()
  .max(max_address, 'This address is too long.')
  .refine(
    text => isOpenAddress(text) && !/[?#]/.test(text),
    'Enter an address such as http://192.168.1.5:8096, without a user name or a password.',
  )
  .transform(text => new URL(text).href.replace(/\/+$/, ''))

/** It becomes part of a header, between quotes. */
const Key = z
  .string('Enter the key.')
  .trim()
  .regex(/^[\w.~+/=-]{1,200}$/, 'Use 1 to 200 letters, digits and the signs . _ ~ + / = -')

const Person = z
  .string()
  .trim()
  .max(100, 'This name is too long.')
  .transform(name => name || null)
  .nullable()

export const MediaServerRequest = z.object({
  kind: MediaServerKind.describe('What the server is.'),
  address: Address.meta({ description: 'Where it answers.', examples: ['http://192.168.1.5:8096'] }),
  key: Key.describe('Jellyfin and Emby: an API key. Plex: the token of the person. It is never shown again.'),
  person: Person.optional().describe(
    'Jellyfin and Emby: the name of the person there. Absent or null: your username, or the only person there.',
  ),
})
export type MediaServerRequest = z.infer<typeof MediaServerRequest>

export const MediaServerChange = z.object({
  address: Address.optional().describe('A new address needs the key again. Absent: as it is.'),
  key: Key.optional().describe('Absent: as it is.'),
  person: Person.optional().describe('Absent: as it is. Null: your username, or the only person there.'),
})
export type MediaServerChange = z.infer<typeof MediaServerChange>

/** The form of the page: an empty key is the saved one. */
export const MediaServerChangeForm = MediaServerChange.extend({
  key: z.union([z.literal('').transform(() => undefined), Key]).optional(),
})

export const MediaServerId = z.uuid('There is no such media server.').meta({
  description: 'The id of the server, from the response to `POST /media-servers`.',
  examples: ['2f6f1b7a-5f0e-4b51-8f5b-0a3b8f2c9d10'],
})

export const MediaServer = z
  .object({
    server_id: MediaServerId,
    kind: MediaServerKind.describe('What the server is.'),
    address: z.string().describe('Where it answers.'),
    person: z
      .string()
      .nullable()
      .describe('The name of the person there; null: your username, or the only person there.'),
    created_at: z.date().describe('When it was added.'),
    exchanged_at: z.date().nullable().describe('When what was watched was last exchanged; null: never.'),
    failing_since: z.date().nullable().describe('Since when this fails; null: it does not.'),
    fault: z.string().nullable().describe('Why it fails, and what to do; null: it does not.'),
  })
  .meta({ id: 'MediaServer' })
export type MediaServer = z.infer<typeof MediaServer>

export const MediaServers = z.object({ media_servers: z.array(MediaServer) })

export const MediaServerTest = z.object({
  works: z.boolean().describe('Whether the server answers, takes the key, and knows the person.'),
  detail: z.string().describe('What happened, in words.'),
})
export type MediaServerTest = z.infer<typeof MediaServerTest>

/** How far a person watched one video, on one side. The position of a video that ended is 0. */
export type WatchState = { is_watched: boolean; position_seconds: number }

export const isBlank = ({ is_watched, position_seconds }: WatchState): boolean => !is_watched && position_seconds === 0

/** `at`: when it was last watched or marked; null: unknown. */
export type Watching = WatchState & { at: Date | null }
