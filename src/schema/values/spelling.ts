/** Finds the word that a person probably meant. Pure; upper and lower case are the same. */

/** The word that `typed` begins, or that is one letter away from it; `undefined`: none. */
export function nearest<Word extends string>(typed: string, words: readonly Word[]): Word | undefined {
  const given = typed.toLowerCase()
  return words.find(word => given !== '' && word.startsWith(given)) ?? words.find(word => isOneOff(given, word))
}

/** Whether one letter is missing, too many or another one, or two are swapped. */
export function isOneOff(typed: string, word: string): boolean {
  const given = typed.toLowerCase()
  let start = 0
  while (start < given.length && given[start] === word[start]) start++
  let end = 0
  while (end < Math.min(given.length, word.length) - start && given.at(-1 - end) === word.at(-1 - end)) end++
  const [more, less] = [given.slice(start, given.length - end), word.slice(start, word.length - end)]
  if (more.length + less.length === 0) return false
  if (more.length <= 1 && less.length <= 1) return true
  return more.length === 2 && less.length === 2 && more[0] === less[1] && more[1] === less[0]
}
