/** A name that a person gives to what they have made: a group of channels, or a saved search. */
import { z } from 'zod'

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
