// Clicks and taps on the picture. A click plays or pauses, and a second one fills the screen. A tap plays or pauses, two at a
// side skip, and turning the phone fills the screen. Each has a button too.

import { acts, article, player, stage } from './player.js'
import { fullElement } from './screen.js'

const picture = 'video.player, .instead, .stage:has(audio) > .thumbnail'
/** @param {string} name */
function act(name) {
  const media = player()
  if (media) acts[name](media)
}

// Older browsers do not say what clicked.
let last_pointer = ''
document.addEventListener('pointerup', ({ pointerType }) => (last_pointer = pointerType), true)

article.addEventListener('click', event => {
  if (event.target.matches(picture) && (event.pointerType ?? last_pointer) !== 'touch') act('play')
})
article.addEventListener('dblclick', event => {
  if (event.target.matches(picture) && !matchMedia('(pointer: coarse)').matches) act('full')
})

const second_tap_ms = 300
let tapped = { at: 0, side: 0 }
let single_tap = 0
let was_resting = false

// Listens before the tap brings back the controls.
document.addEventListener('pointerdown', () => (was_resting = stage().classList.contains('resting')), true)

article.addEventListener('pointerup', event => {
  if (event.pointerType !== 'touch' || !event.target.matches(picture)) return
  const { left, width } = event.target.getBoundingClientRect()
  const share = (event.clientX - left) / width
  const side = share < 1 / 3 ? -1 : share > 2 / 3 ? 1 : 0
  const is_second = event.timeStamp - tapped.at < second_tap_ms && side === tapped.side
  tapped = { at: event.timeStamp, side }
  clearTimeout(single_tap)
  if (is_second && side !== 0) return skipTo(side)
  if (!was_resting) single_tap = setTimeout(act, second_tap_ms, 'play')
})

/** @param {1 | -1} side */
function skipTo(side) {
  act(side < 0 ? 'back' : 'forward')
  const sign = document.createElement('span')
  sign.className = side < 0 ? 'sign' : 'sign right'
  sign.textContent = side < 0 ? '−10 s' : '+10 s'
  stage().querySelector('.sign')?.remove()
  stage().append(sign)
  setTimeout(() => sign.remove(), 600)
}

// Turning the phone back leaves full screen only if turning it entered full screen.
let is_turned = false
screen.orientation?.addEventListener('change', () => {
  const is_wide = screen.orientation.type.startsWith('landscape')
  const media = player()
  if (!matchMedia('(pointer: coarse)').matches || !media?.matches('video')) return
  if (is_wide && !media.paused && !fullElement()) {
    is_turned = true
    act('full')
  } else if (!is_wide && is_turned && fullElement()) {
    is_turned = false
    act('full')
  }
})
