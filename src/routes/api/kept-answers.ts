/**
 * Keeps the JSON of polls that found nothing new, so that programs that send no `If-None-Match` cost little too: reading fifty downloads
 * and writing them as JSON takes more than twice as long as finding that their version is known.
 */

/** Of all kept answers together. */
const most_characters = 8_000_000

/** `most`: characters of the keys and answers, of which the oldest are dropped. */
export function keptAnswers(most = most_characters) {
  type Kept = { version: string; answer: string }
  const kept = new Map<string, Kept>()
  let characters = 0
  const sizeOf = (key: string, { answer }: Kept) => key.length + answer.length
  const drop = (key: string) => {
    const old = kept.get(key)
    if (old && kept.delete(key)) characters -= sizeOf(key, old)
  }
  return {
    /** `key` names the person and the request. */
    find: (key: string): Kept | undefined => kept.get(key),
    keep(key: string, version: string, answer: string): void {
      drop(key)
      kept.set(key, { version, answer })
      characters += sizeOf(key, { version, answer })
      for (const oldest of kept.keys()) {
        if (characters <= most) return
        drop(oldest)
      }
    },
  }
}
