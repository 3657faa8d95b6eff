/** What a person types into a search field, as the database takes it. Pure, and nothing that is typed is an error. */

/** Signs that count as spaces, as the migration `search` has them; `highlights` tells them apart again. */
export const spaces = '<“”„«»‹›‘’…–—·•、。！？「」【】（）：，｜'

/** Phones write quotes with a curl. */
export const straight = (typed: string): string =>
  typed.replace(/[“”„«»]/g, '"').replace(new RegExp(`[${spaces}]`, 'g'), ' ')

/**
 * A query, as Postgres prints it, whose last word may go on: `bread ba` finds baking. A phrase that is closed, and a
 * word that is not wanted, stay as they are; a single letter begins too much.
 */
export function goingOn(query: string, typed: string): string {
  if (/"\s*$/.test(typed)) return query
  const tokens = query.match(/'(?:[^']|'')*'|[^\s']+/g) ?? []
  const last = tokens.length - 1
  // `foo-ba` is a phrase of its parts.
  let first = tokens[last]?.startsWith("'") ? last : tokens.length
  while (tokens[first - 1] === '<->') first -= 2
  if (tokens[first - 1] === '!') return query
  return tokens.map((token, at) => (at >= first && /^'..+'$/u.test(token) ? `${token}:*` : token)).join(' ')
}

/** The pieces that must stand in a text, for a search that knows no words; at most ten. */
export function piecesIn(typed: string): string[] {
  const pieces = [...typed.matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g)]
    .filter(([, minus]) => !minus)
    .map(([, , phrase, word]) => (phrase ?? word ?? '').trim())
    .filter(piece => piece !== '')
  return pieces.length === 0 ? [typed.trim()] : pieces.slice(0, 10)
}

/** Scripts that put no space between words: what is one word there may stand in the middle of a longer one. */
export const runsTogether = (typed: string): boolean =>
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]/u.test(typed)
