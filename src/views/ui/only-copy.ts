/** The sentences of a question before a deletion: whether the files can be downloaded again, and how long they can be restored. */
import { countWords, hoursWords } from './words.ts'

/** "This is the only copy. " `only`: how many of the files have no other copy. Empty if `only` is 0. */
export function onlyCopyWords(files: number, only: number): string {
  if (only === 0) return ''
  return files === 1 ? 'This is the only copy. ' : `This is the only copy of ${countWords(only, 'video')}. `
}

/** `undefined`: nothing can be restored. */
export const undoWords = (bin_hours: number, what = 'it'): string | undefined =>
  bin_hours === 0 ? undefined : `You can restore ${what} for ${hoursWords(bin_hours)}.`
