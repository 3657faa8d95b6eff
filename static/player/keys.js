// The keys of the watch page. `page/keys.js` has the keys of every page.

import { areKeysOff, isCombined, isListOfKeysOpen } from '../page/keys.js'
import { acts, article, player } from './player.js'
import { fullElement } from './screen.js'
import { lengthOf, seek, skipBy } from './timeline.js'

/** @import { Act } from './player.js' */

/** @param {string} name @returns {Act} */
const act = name => media => acts[name](media)
/** @param {number} seconds @returns {Act} */
const by = seconds => media => skipBy(media, seconds)
/** @param {number} step @returns {Act} */
const louder = step => media => {
  media.volume = Math.max(0, Math.min(1, media.volume + step))
  media.muted = false
}
/** @type {Record<string, Act>} */
const playing_keys = {
  ' ': act('play'),
  k: act('play'),
  j: act('back'),
  l: act('forward'),
  arrowleft: by(-5),
  arrowright: by(5),
  f: act('full'),
  t: act('theatre'),
  i: act('float'),
  m: act('mute'),
  c: act('subtitles'),
  '<': act('slower'),
  '>': act('faster'),
}
for (let tenth = 0; tenth <= 9; tenth++) playing_keys[tenth] = media => seek(media, (lengthOf(media) * tenth) / 10)

/** Otherwise these keys scroll the page. @type {Record<string, Act>} */
const full_screen_keys = { arrowup: louder(0.1), arrowdown: louder(-0.1) }

/** @type {Record<string, () => void>} */
const page_keys = {
  s: () => article.querySelector('.mark button')?.click(),
  n: () => article.querySelector('a[rel=next]')?.click(),
  p: () => article.querySelector('a[rel=prev]')?.click(),
}

document.addEventListener('keydown', event => {
  if (isCombined(event) || event.defaultPrevented || isListOfKeysOpen() || isForElement(event)) return
  const key = event.key.toLowerCase()
  // With single keys off, only the space bar and keys that type nothing do something.
  if (areKeysOff() && key.length === 1 && key !== ' ') return
  const doIt = actOf(key)
  if (!doIt) return
  event.preventDefault()
  if (!event.repeat || key.startsWith('arrow') || key === 'j' || key === 'l') doIt()
})

/** Whether what has the focus takes the key. @param {KeyboardEvent} event */
function isForElement({ target, key }) {
  if (target.closest('input:not(.bar [type=range]), textarea, select, [contenteditable]')) return true
  // The line of the volume and an open menu handle arrows.
  if (key.startsWith('Arrow') && target.closest('[data-sets="volume"], details.menu[open]')) return true
  // The space bar presses the button or link that has the focus.
  return key === ' ' && target.closest('button, a, summary') !== null
}

/** Before the download there is a picture with this button. */
const watchNow = () => article.querySelector('.watch-now button')?.click()

/** @param {string} key */
function actOf(key) {
  if (Object.hasOwn(page_keys, key)) return page_keys[key]
  const media = player()
  if (!media) return key === 'k' ? watchNow : undefined
  const keys = fullElement() ? { ...playing_keys, ...full_screen_keys } : playing_keys
  return Object.hasOwn(keys, key) ? () => keys[key](media) : undefined
}
