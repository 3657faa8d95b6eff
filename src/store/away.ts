/** Recognises errors of the whole storage: it does not answer, or refuses us. They say nothing about the file that was wanted. */

export const isStorageAway = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['STORAGE_AWAY', 'STORAGE_REFUSED'].includes(String(error.code))
