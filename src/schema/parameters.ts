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
