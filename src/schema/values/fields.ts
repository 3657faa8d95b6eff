/** Fields that many schemas share, described once: ids, addresses, names, and the parameters of lists. `UserId` is in `user.ts`. */
import { z } from 'zod'

/** An empty field of a form counts as absent. `sentence` says what would be valid. */
export const optional = <T extends z.ZodType>(schema: T, sentence: string) =>
  z.union([z.literal('').transform(() => undefined), schema], sentence).optional()

export const trueOrFalse = (description: string, example: string) =>
  optional(
    z.enum(['true', 'false']).transform(given => given === 'true'),
    'Use true or false.',
  ).meta({ description, examples: [example] })

/** A browser sends nothing for an empty checkbox. */
export const isChecked = z
  .string()
  .optional()
  .transform(on => on !== undefined)

/** A query parameter given once or repeated; always a list. */
export function listOf(max_values: number) {
  const many = z.array(z.string().max(200)).max(max_values, `Use at most ${max_values}.`)
  return z
    .union([z.string(), z.array(z.string())])
    .optional()
    .transform(sent => [sent ?? []].flat())
    .pipe(many)
}

/**
 * A time that a page got from us and sends back, to name what is undone. As text, because a `Date` cuts the microseconds. Postgres has no
 * year 0 and reads nine digits of a fraction.
 */
export const SentTime = z.iso.datetime().regex(/^(?!0000).{19}(?:\.\d{1,9})?Z$/)

/** As a person enters it. Only a request to it shows whether it is an address, and of what. */
export const Address = z.string().trim().min(1, 'Paste an address.').max(2048, 'This address is too long.')

export const cursor = optional(z.string().max(200), 'Use the next_cursor of the page before.').describe(
  'The `next_cursor` of the page before; absent: the first page.',
)

export const next_cursor = z.string().nullable().describe('The `cursor` of the next page; null: this is the last page.')

export const limit = optional(z.coerce.number().int().min(1).max(200), 'Use a whole number from 1 to 200.')
  .transform(limit => limit ?? 50)
  .meta({ description: 'The largest number of results; 50 if absent.', examples: [50] })

/** A name that a person gives to a group of channels or a saved search. */
export const OwnName = z
  .string('Enter a name.')
  .transform(name =>
    name
      .normalize('NFC')
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
  )
  .pipe(
    z
      .string()
      .min(1, 'Enter a name.')
      .refine(name => [...name].length <= max_name_letters, 'Use at most 60 characters.'),
  )

/** In characters, as Postgres counts them. */
export const max_name_letters = 60

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

export const PlaylistId = z.uuid('There is no such playlist.').meta({
  description: 'The id of the playlist, from the response to `POST /playlists`.',
  examples: ['1f7d0a52-9c0e-4f43-8a57-3a1f2b6c9d10'],
})

export const ImportId = z.string().meta({
  description: 'The id of the import, from the response to `POST /import`.',
  examples: ['0d3f3c1e-7a51-4c5e-9a35-2f3c0a8a1f10'],
})
