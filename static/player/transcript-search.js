// Searches in the lines of a transcript as in one text, because a phrase can run over two lines.

import { folded, loosePattern, unfolded } from './folded.js'

/** @import { TranscriptLines } from './transcript.js' */
/** @typedef {{ line: HTMLElement, node: Text, start: number, end: number }} Line `start`, `end`: its place in the whole text. */
/** @typedef {Line & { from: number, to: number }} Match `from`, `to`: the part of a line that matches. */

/** @param {string} text */
const lettersOf = text => folded(text).toLowerCase()

export class TranscriptSearch {
  /** The lines with matches. @type {HTMLElement[]} */
  #found = []
  #chosen = -1

  /** @param {TranscriptLines} lines */
  constructor(lines) {
    this.lines = lines
  }

  /** Chooses the first match from the current line on. @param {string} typed */
  find(typed) {
    const words = lettersOf(typed).trim().replace(/\s+/g, ' ')
    const matches = words === '' ? [] : matchesOf(this.lines.all, words)
    this.#found = [...new Set(matches.map(([first]) => first.line))]
    mark(matches.flat())
    const { current } = this.lines
    const isAfter = (/** @type {HTMLElement} */ line) =>
      line === current || (current && current.compareDocumentPosition(line) & Node.DOCUMENT_POSITION_FOLLOWING)
    this.#choose(current ? Math.max(0, this.#found.findIndex(isAfter)) : 0)
    if (this.#found.length === 0) this.say(words === '' ? '' : 'Not found.')
  }

  /** @param {1 | -1} step */
  move(step) {
    this.#choose(this.#chosen + step)
  }

  /** @param {string} words */
  say(words) {
    const place = this.lines.pane.querySelector('[role=status]')
    if (place) place.textContent = words
  }

  /** @param {number} at */
  #choose(at) {
    for (const line of this.lines.pane.querySelectorAll('.lines .chosen')) line.classList.remove('chosen')
    const count = this.#found.length
    this.#chosen = count === 0 ? -1 : (at + count) % count
    const line = this.#found[this.#chosen]
    if (!line) return
    line.classList.add('chosen')
    this.lines.follow(false)
    this.lines.scrollTo(line)
    this.say(`${this.#chosen + 1} of ${count}`)
  }
}

/**
 * Finds all matches. Each is a list of its parts, one of each line.
 * @param {HTMLElement[]} lines
 * @param {string} words
 * @returns {Match[][]}
 */
function matchesOf(lines, words) {
  const { whole, texts } = wholeOf(lines)
  const matches = []
  let first = 0
  for (const { 0: found, index: at } of whole.matchAll(new RegExp(loosePattern(words), 'gu'))) {
    const end = at + found.length
    while (texts[first].end <= at) first++
    let last = first
    while (texts[last + 1]?.start < end) last++
    const parts = texts.slice(first, last + 1)
    matches.push(parts.map(part => ({ ...part, from: at - part.start, to: end - part.start })))
  }
  return matches
}

/** The lines as one text, and where each is in it. @param {HTMLElement[]} lines @returns {{ whole: string, texts: Line[] }} */
function wholeOf(lines) {
  let whole = ''
  let before = ''
  const texts = lines.map(line => {
    const node = /** @type {Text} */ (line.querySelector('.line-text')?.firstChild)
    const text = lettersOf(node.data)
    whole += ends_unspaced.test(before) && begins_unspaced.test(text) ? '' : ' '
    before = text
    const start = whole.length
    whole += text
    return { line, node, start, end: whole.length }
  })
  return { whole, texts }
}

// Scripts without spaces between words, as in the search of all videos.
const unspaced = '[\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Tibt}\\p{sc=Mymr}\\p{sc=Khmr}\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}]'
const begins_unspaced = new RegExp(`^${unspaced}`, 'u')
const ends_unspaced = new RegExp(`${unspaced}$`, 'u')

/** Marks the matches without changing the lines, so that a copy has their plain text. @param {Match[]} matches */
function mark(matches) {
  if (!('highlights' in CSS)) return
  const ranges = matches.slice(0, 2000).flatMap(({ node, start, end, from, to }) => {
    // A letter can be longer in lower case. Such a line is not marked.
    if (folded(node.data).length !== end - start) return []
    const [first, last] = unfolded(node.data, Math.max(0, from), Math.min(end - start, to))
    const range = new Range()
    range.setStart(node, first)
    range.setEnd(node, last)
    return [range]
  })
  CSS.highlights.set('transcript', new Highlight(...ranges))
}
