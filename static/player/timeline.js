// The line beneath the player: the position, what is loaded, marks, and the time under the pointer. Every seek passes here.

import { article, on, onPlayer, player, sayOnStage } from './player.js'

export const timeline = () => article.querySelector('.timeline')

/** Seconds. @param {Player} media */
export const lengthOf = media => (Number.isFinite(media.duration) ? media.duration : Number(media.dataset.length) || 0)

/** @param {number} seconds */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds))
  const two = (/** @type {number} */ part) => String(part).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

/** While a video is downloaded, `data-arrived` says how many of its seconds are here. @param {Player} media */
const arrivedOf = media => Math.min(lengthOf(media), Number(media.dataset.arrived ?? Number.POSITIVE_INFINITY))
// There is no picture at the very end.
const before_end_s = 0.5

/** The position. Before the file begins to load, the position at which it will start. @param {Player} media */
const placeOf = media =>
  media.currentTime || (media.readyState === HTMLMediaElement.HAVE_NOTHING && Number(media.dataset.start)) || 0

/** @param {Player} media @param {number} seconds */
export const skipBy = (media, seconds) => seek(media, placeOf(media) + seconds)

/** @param {Player} media @param {number} seconds */
export function seek(media, seconds) {
  const arrived = arrivedOf(media)
  const is_beyond = seconds > arrived && arrived < lengthOf(media)
  if (is_beyond) sayOnStage(`Arrived to ${clock(arrived)} so far.`)
  const last = is_beyond ? arrived - before_end_s : lengthOf(media) || seconds
  media.currentTime = Math.max(0, Math.min(seconds, last))
}

// The position.

let is_dragging = false
export function endDrag() {
  is_dragging = false
}

/** "1 hour 2 minutes 3 seconds". @param {number} seconds */
function spoken(seconds) {
  const parts = /** @type {const} */ ([
    [Math.floor(seconds / 3600), 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [Math.floor(seconds) % 60, 'second'],
  ])
  const said = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`)
  return said.join(' ') || 'Start'
}

/** @param {Player} media */
function showTime(media) {
  const line = timeline()
  const field = line?.querySelector('input')
  if (!line || !field) return
  const length = lengthOf(media)
  if (Number(field.max) !== length) field.max = String(length)
  if (!is_dragging) field.value = String(media.currentTime)
  const time = Number(field.value)
  field.setAttribute('aria-valuetext', spoken(time))
  const words = article.querySelector('.bar .time')
  if (words) words.textContent = `${clock(time)} / ${clock(length)}`
  const shares = { played: time, buffered: bufferedAt(media, time), arrived: arrivedOf(media) }
  for (const [name, seconds] of Object.entries(shares))
    line.style.setProperty(`--${name}`, String(length > 0 ? Math.min(1, seconds / length) : 0))
  line.classList.toggle('arriving', arrivedOf(media) < length)
}

/** The end of the loaded range around this time. @param {Player} media @param {number} time */
function bufferedAt({ buffered }, time) {
  for (let index = 0; index < buffered.length; index++)
    if (buffered.start(index) <= time + 1 && buffered.end(index) >= time) return buffered.end(index)
  return 0
}

onPlayer(showTime)
for (const name of ['timeupdate', 'progress', 'durationchange', 'seeking', 'arrived']) on(name, showTime)

article.addEventListener('input', ({ target }) => {
  const media = player()
  if (target.dataset.sets !== 'time' || !media) return
  is_dragging = true
  showTime(media)
})
article.addEventListener('change', ({ target }) => {
  const media = player()
  if (target.dataset.sets !== 'time' || !media) return
  is_dragging = false
  seek(media, Number(target.value))
})

// The time under the pointer, and the name of what is marked there.

article.addEventListener('pointermove', event => {
  const line = event.target.closest('.timeline')
  const marks = line?.querySelector('.marks')
  const tip = line?.querySelector('.tip')
  const media = player()
  if (!line || !marks || !tip || !media) return
  const { left, width } = marks.getBoundingClientRect()
  const share = Math.max(0, Math.min(1, (event.clientX - left) / width))
  const seconds = share * lengthOf(media)
  line.style.setProperty('--pointed', String(share))
  tip.textContent = [clock(seconds), nameAt(seconds)].filter(Boolean).join(' · ')
})

/** @param {number} seconds */
function nameAt(seconds) {
  const marks = [...article.querySelectorAll('.marks > [data-name]')]
  return marks
    .filter(({ dataset }) => Number(dataset.from) <= seconds && seconds < Number(dataset.to))
    .map(({ dataset }) => dataset.name)
    .join(' · ')
}

/**
 * A mark of a stretch, such as a chapter. `kind` is its class.
 * @param {Player} media @param {string} kind @param {string} name @param {number} from @param {number} to
 */
export function stretchOf(media, kind, name, from, to) {
  const [stretch, length] = [document.createElement('span'), lengthOf(media)]
  stretch.className = kind
  Object.assign(stretch.dataset, { name, from, to })
  stretch.style.setProperty('--from', String(length > 0 ? from / length : 0))
  stretch.style.setProperty('--to', String(length > 0 ? Math.min(1, to / length) : 0))
  return stretch
}
