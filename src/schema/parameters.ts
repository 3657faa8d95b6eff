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
