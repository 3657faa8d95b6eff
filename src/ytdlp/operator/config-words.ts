/** The words of a yt-dlp configuration file: splits a text as yt-dlp does, and quotes words for such a file. Pure. */

/**
 * The words of a text, split as Python's `shlex.split(text, comments=True)` splits it. A `#` begins a comment in the middle of a word, too.
 * `undefined`: a quotation, or the text after a backslash, has no end.
 */
export function wordsIn(text: string): string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  let rest = text
  while (rest !== '') {
    const [piece, kind] = nextPiece(rest)
    if (piece === undefined) return undefined
    rest = rest.slice(piece.length)
    if (kind === 'space' || kind === 'comment') {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + unquoted[kind](piece)
  }
  return word === undefined ? words : [...words, word]
}

type Kind = 'space' | 'comment' | keyof typeof unquoted

/** A piece without its quotes and backslashes. */
const unquoted = {
  plain: (piece: string) => piece,
  escaped: (piece: string) => piece.slice(1),
  single: (piece: string) => piece.slice(1, -1),
  double: (piece: string) => piece.slice(1, -1).replace(/\\(["\\])/g, '$1'),
}

const kinds: [Kind, RegExp][] = [
  ['space', /^[ \t\r\n]+/],
  ['comment', /^#[^\n]*/],
  ['escaped', /^\\[\s\S]/u],
  ['single', /^'[^']*'/],
  ['double', /^"(?:[^"\\]|\\[\s\S])*"/],
  ['plain', /^[^ \t\r\n#\\'"]+/],
]

function nextPiece(rest: string): [piece: string | undefined, kind: Kind] {
  for (const [kind, form] of kinds) {
    const piece = form.exec(rest)?.[0]
    if (piece !== undefined) return [piece, kind]
  }
  return [undefined, 'plain']
}

/** A line that `wordsIn` reads as this one word. */
export const quoted = (word: string): string => `'${word.replaceAll("'", `'"'"'`)}'`
