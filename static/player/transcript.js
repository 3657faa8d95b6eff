// The transcript beside the player: follows the position, searches in the lines, and copies them. `watch-page.js` handles the links to
// times.

import { on, player } from './player.js'
import { TranscriptSearch } from './transcript-search.js'

/** `file.js` calls it for a transcript that was read while the page was open. @param {HTMLElement} pane */
export function followTranscript(pane) {
  const lines = new TranscriptLines(pane)
  const search = new TranscriptSearch(lines)
  // The lines are fetched when the transcript opens.
  new MutationObserver(() => lines.arrive()).observe(pane, { childList: true, subtree: true })
  for (const name of ['timeupdate', 'seeked'])
    on(name, media => pane.hasAttribute('open') && lines.have_arrived && lines.show(media.currentTime))
  stopWhenScrolled(pane, lines)

  pane.addEventListener('input', ({ target }) => target.matches('[type=search]') && search.find(target.value))
  pane.addEventListener('keydown', event => {
    if (event.key !== 'Enter' || !event.target.matches('[type=search]')) return
    event.preventDefault()
    search.move(event.shiftKey ? -1 : 1)
  })

  /** @type {Record<string, () => void>} */
  const acts = {
    previous: () => search.move(-1),
    next: () => search.move(1),
    follow: () => lines.follow(true),
    copy: () =>
      copy(lines.text, pane).then(
        () => search.say('Copied.'),
        () => search.say('Your browser did not allow the copy.'),
      ),
  }
  pane.addEventListener('click', event => {
    if (event.target.closest('[data-seek]')) lines.follow(true)
    const name = event.target.closest('[data-transcript]')?.dataset.transcript ?? ''
    if (Object.hasOwn(acts, name)) acts[name]()
  })
}

/** The lines of a transcript and the one that is said now. */
export class TranscriptLines {
  /** The line that is said now. @type {HTMLElement | undefined} */
  current
  /** Seconds. @type {number[]} */
  #starts = []
  #is_following = true

  /** @param {HTMLElement} pane */
  constructor(pane) {
    this.pane = pane
  }

  get list() {
    return this.pane.querySelector('.lines')
  }

  get all() {
    return [...this.pane.querySelectorAll('.lines > *')]
  }

  get text() {
    return this.all.map(line => line.querySelector('.line-text')?.textContent).join('\n')
  }

  get have_arrived() {
    return this.#starts.length > 0
  }

  /** Shows what only a script can do. It was hidden until the lines arrived. */
  arrive() {
    if (!this.list || this.have_arrived) return
    this.#starts = this.all.map(line => Number(line.querySelector('[data-seek]')?.dataset.seek))
    const tools = this.pane.querySelector('.tools')
    if (tools) tools.hidden = false
    // Before there is a player, the address has the time, from a result of a search for instance.
    const named = Number(new URLSearchParams(location.search).get('t'))
    const media = player()
    if (media) this.show(media.currentTime)
    else if (named > 0) this.show(named)
  }

  /** @param {number} seconds */
  show(seconds) {
    const line = /** @type {HTMLElement | undefined} */ (this.list?.children[this.#countUntil(seconds) - 1])
    if (line === this.current) return
    this.current?.removeAttribute('aria-current')
    line?.setAttribute('aria-current', 'true')
    this.current = line
    if (this.#is_following) this.scrollTo(line)
  }

  /** How many lines have begun. @param {number} seconds */
  #countUntil(seconds) {
    let [low, high] = [0, this.#starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#starts[middle] <= seconds) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Scrolls the pane and never the page. @param {HTMLElement | undefined} line */
  scrollTo(line) {
    const { list } = this
    if (line && list) list.scrollTop = line.offsetTop - list.offsetTop - list.clientHeight / 3
  }

  /** @param {boolean} is_on */
  follow(is_on) {
    this.#is_following = is_on
    const button = this.pane.querySelector('[data-transcript="follow"]')
    if (button) button.hidden = is_on || !player()
    if (is_on) this.scrollTo(this.current)
  }
}

/**
 * A person scrolls with the wheel, a finger, the keys or the bar. Only this script scrolls otherwise.
 * @param {HTMLElement} pane @param {TranscriptLines} lines
 */
function stopWhenScrolled(pane, lines) {
  /** @param {Event} event */
  const stop = event => {
    const is_scrolling = !(event instanceof KeyboardEvent) || /^(Arrow|Page|Home|End)/.test(event.key)
    const is_bar = event.type !== 'pointerdown' || event.target === lines.list
    const is_inside = event.target instanceof Element && event.target.closest('.lines') !== null
    if (is_inside && is_scrolling && is_bar) lines.follow(false)
  }
  for (const name of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
    pane.addEventListener(name, stop, { passive: true })
}

/**
 * Browsers have a clipboard only over https and on localhost. Elsewhere a selected text is copied.
 * @param {string} text @param {HTMLElement} pane
 */
async function copy(text, pane) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'copying'
  pane.append(field)
  field.select()
  const is_done = document.execCommand('copy')
  field.remove()
  if (!is_done) throw new Error('not copied')
}

for (const pane of document.querySelectorAll('details#transcript')) followTranscript(pane)
