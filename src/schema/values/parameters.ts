/** Fields that queries and forms share. */
import { z } from 'zod'

/** An empty field of a form counts as absent. `sentence` says what would be valid. */
export const optional = <T extends z.ZodType>(schema: T, sentence: string) =>
  z.union([z.literal('').transform(() => undefined), schema], sentence).optional()

export const trueOrFalse = (description: string, example: string) =>
  optional(
    z.enum(['true', 'false']).transform(given => given === 'true'),
    'Use true or false.',
  ).meta({ description, examples: [example] })

/** A query parameter given once or repeated; always a list. */
export function listOf(most: number) {
  const many = z.array(z.string().max(200)).max(most, `Use at most ${most}.`)
  return z
    .union([z.string(), z.array(z.string())])
    .optional()
    .transform(given => [given ?? []].flat())
    .pipe(many)
}

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
      .refine(name => [...name].length <= longest_name, 'Use at most 60 characters.'),
  )

/** In characters, as Postgres counts them. */
export const longest_name = 60
