// The next and the previous video: the next one plays after a countdown, unless the person stays or has turned that off. Full
// screen ends with its page, so there the other video is put into this page.

import { isFed } from './arriving.js'
import { forgetFaults } from './faults.js'
import { awaitTranscript } from './file.js'
import { pageAddress, pageAt } from './parts.js'
import { addActs, article, buttonsOf, on, onPlayer, opensElsewhere, play, player, press, stage } from './player.js'
import { savePosition } from './position.js'
import { remembered } from './remembered.js'
import { fullElement } from './screen.js'
import { endDrag } from './timeline.js'
import { followTranscript } from './transcript.js'

// The countdown at the end of a video.

const countdown_s = 8
let counting = 0

const upNext = () => article.querySelector('.up-next')
const playsOn = () => remembered.get('autoplay') !== 'false'
/** @returns {HTMLAnchorElement | null | undefined} */
const nextLink = () => upNext()?.querySelector('a[data-plays]')

/** @param {boolean} is_over */
function showNext(is_over) {
  clearInterval(counting)
  const place = upNext()
  if (!place) return
  place.hidden = !is_over
  if (is_over && nextLink() && playsOn()) countDown(countdown_s)
  else showCount('')
}

/** @param {number} left Seconds. */
function countDown(left) {
  showCount(`Plays in ${left} s`)
  counting = setInterval(() => {
    left -= 1
    showCount(`Plays in ${left} s`)
    if (left <= 0) playNext()
  }, 1000)
}

/** @param {string} words */
function showCount(words) {
  const count = upNext()?.querySelector('.count')
  if (count) count.textContent = words
}

on('ended', () => showNext(true))
for (const name of ['play', 'seeking']) on(name, () => showNext(false))
document.addEventListener('keydown', event => event.key === 'Escape' && stay())

function playNext() {
  clearInterval(counting)
  nextLink()?.click()
}

function stay() {
  clearInterval(counting)
  going?.abort()
  showCount('')
}

addActs({
  playnext: playNext,
  stay,
  autoplay: () => {
    remembered.set('autoplay', !playsOn())
    press('autoplay', playsOn())
    if (!playsOn()) stay()
  },
})

onPlayer(() => press('autoplay', playsOn()))

// In full screen.

const longest_fetch_ms = 10_000
let shown_address = pageAddress()
/** Fetches the page of the other video. A person who stays ends it. @type {AbortController | undefined} */
let going

article.addEventListener('click', event => {
  /** @type {HTMLAnchorElement | null} */
  const link = event.target.closest('a[rel=next], a[rel=prev], a[data-plays]')
  if (!link || opensElsewhere(event) || fullElement() !== stage() || isFed(player())) return
  event.preventDefault()
  if (!going) goTo(link.href)
})

/** @param {string} address */
async function goTo(address) {
  going = new AbortController()
  const { signal } = going
  try {
    const page = await pageAt(address, { signal: AbortSignal.any([signal, AbortSignal.timeout(longest_fetch_ms)]) })
    if (!page.querySelector('#stage .player')) throw new Error('nothing to play')
    if (!signal.aborted) playHere(address, page)
  } catch {
    if (!signal.aborted) location.assign(address)
  }
  going = undefined
}

/** @param {string} address @param {Document} page */
function playHere(address, page) {
  savePosition()
  const focused = stage().contains(document.activeElement) ? document.activeElement : null
  history.pushState(null, '', address)
  shown_address = pageAddress()
  document.title = page.title
  endDrag()
  forgetFaults()
  replaceWith(page)
  if (focused) focusAgain(focused.dataset.act ?? '')
  for (const pane of document.querySelectorAll('details#transcript')) followTranscript(pane)
  awaitTranscript()
  const media = player()
  if (media) play(media)
}

/** Focuses the button that does the same. @param {string} act */
function focusAgain(act) {
  const seen = [...buttonsOf(act)].find(button => button.getClientRects().length > 0)
  const button = seen ?? buttonsOf('play')[0]
  button?.focus()
}

/** @param {Document} page */
function replaceWith(page) {
  const other = page.getElementById('stage')
  const [watch, other_article, main] = [
    article.parentElement,
    other?.closest('article'),
    document.getElementById('main'),
  ]
  if (!other || !other_article?.parentElement || !watch || !main) throw new Error('not the page of a video')
  article.dataset.cell = other_article.dataset.cell
  replaceAround(stage(), other)
  replaceAround(article, other_article)
  replaceAround(watch, other_article.parentElement)
  stage().className = other.className
  stage().replaceChildren(...other.childNodes)
  window.htmx?.process(main)
  // Times, pictures and states are looked at again.
  main.dispatchEvent(new Event('htmx:after:swap', { bubbles: true }))
}

/**
 * Replaces the siblings of `kept` by those of `other`. `kept` stays in its place: an element that moves leaves full screen.
 * @param {Element} kept @param {Element} other
 */
function replaceAround(kept, other) {
  for (const sibling of [...(kept.parentElement?.children ?? [])]) if (sibling !== kept) sibling.remove()
  const siblings = [...(other.parentElement?.children ?? [])]
  const place = siblings.indexOf(other)
  kept.before(...siblings.slice(0, place))
  kept.after(...siblings.slice(place + 1))
}

// The Back button leads to a video that was played here: load its page.
window.addEventListener('popstate', () => {
  if (pageAddress() !== shown_address) location.reload()
})
