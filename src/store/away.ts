/** Recognises errors of the whole storage: it does not answer, or refuses us. They say nothing about the file that was wanted. */

const cannot_read = "The stored files can't be reached right now. Try again in a moment."
const cannot_write =
  "The stored files can't be changed right now, because their disk is read-only. Try again later, or tell your administrator."

const sentences: Record<string, string> = {
  STORAGE_AWAY: cannot_read,
  STORAGE_REFUSED: cannot_read,
  STORAGE_READ_ONLY: cannot_write,
  EROFS: cannot_write,
}

/** What to tell people; `undefined`: this is no error of the whole storage. */
export const awaySentence = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? sentences[String(error.code)] : undefined
