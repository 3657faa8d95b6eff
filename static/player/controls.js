// The buttons beneath the player: play, skip, volume, speed, subtitles and loop. They always show what the player does.

import { addActs, article, buttonsOf, on, onPlayer, play, player, press, stage } from './player.js'
import { skipBy } from './timeline.js'

// A player without our controls keeps those of the browser.
onPlayer(media => {
  media.controls = !article.querySelector('.bar')
})

const skip_s = 10

addActs({
  play: media => (media.paused || media.error ? play(media) : media.pause()),
  back: media => skipBy(media, -skip_s),
  forward: media => skipBy(media, skip_s),
  mute: media => {
    media.muted = !media.muted
  },
  loop: media => {
    media.loop = !media.loop
    press('loop', media.loop)
  },
  slower: media => chooseSpeed(media, nextSpeed(media.playbackRate, -1)),
  faster: media => chooseSpeed(media, nextSpeed(media.playbackRate, 1)),
  subtitles: media => {
    const is_there = [...media.textTracks].some(({ language }) => language === wished_language)
    chooseSubtitles(media, shownLanguage(media) ? '' : is_there ? wished_language : media.textTracks[0]?.language)
  },
})

/** The effect of each field, by name. @type {Record<string, (media: Player, value: string) => void>} */
const sets = {
  volume: (media, value) => {
    media.volume = Number(value)
    media.muted = Number(value) === 0
  },
  speed: (media, value) => chooseSpeed(media, Number(value)),
  subtitles: (media, value) => chooseSubtitles(media, value),
  cues: (media, value) => chooseCues(media, value),
}
for (const name of /** @type {const} */ (['input', 'change']))
  article.addEventListener(name, ({ target }) => {
    const [sets_what, media] = [target.dataset.sets ?? '', player()]
    if (Object.hasOwn(sets, sets_what) && media) sets[sets_what](media, target.value)
  })

/** @param {string} name @returns {NodeListOf<HTMLInputElement>} */
const fieldsOf = name => article.querySelectorAll(`[data-sets="${name}"]`)

// Play and pause.

/** @param {Player} media */
function showPlaying(media) {
  // A player that a fault has stopped is not paused.
  const is_playing = !media.paused && !media.error
  stage().classList.toggle('playing', is_playing)
  for (const button of buttonsOf('play')) button.setAttribute('aria-label', is_playing ? 'Pause' : 'Play')
}
onPlayer(showPlaying)
for (const name of ['play', 'pause', 'ended', 'error']) on(name, showPlaying)

// Volume.

/** @param {Player} media */
function showVolume({ volume, muted }) {
  const heard = String(muted ? 0 : volume)
  for (const field of fieldsOf('volume')) {
    field.value = heard
    field.setAttribute('aria-valuetext', muted ? 'Muted' : `${Math.round(volume * 100)}%`)
    field.style.setProperty('--played', heard)
  }
  press('mute', muted)
}
onPlayer(showVolume)
on('volumechange', showVolume)

// Speed.

function speeds() {
  /** @type {HTMLSelectElement | null} */
  const field = article.querySelector('[data-sets="speed"]')
  return [...(field?.options ?? [])].map(({ value }) => Number(value))
}

/** @param {number} speed @param {1 | -1} step */
function nextSpeed(speed, step) {
  const all = speeds()
  const further = all.filter(one => (step > 0 ? one > speed : one < speed))
  return (step > 0 ? further[0] : further.at(-1)) ?? speed
}

/** @param {Player} media @param {number} speed */
function chooseSpeed(media, speed) {
  setSpeed(media, speed)
  media.dispatchEvent(new Event('speedchosen'))
}

/** Sets the default too: the player returns to it when it loads another file. @param {Player} media @param {number} speed */
export function setSpeed(media, speed) {
  media.defaultPlaybackRate = speed
  media.playbackRate = speed
}

/** @param {Player} media */
function showSpeed({ playbackRate }) {
  for (const field of fieldsOf('speed')) field.value = String(playbackRate)
  for (const words of article.querySelectorAll('[data-shows="speed"]')) words.textContent = `${playbackRate}×`
}
onPlayer(showSpeed)
on('ratechange', showSpeed)

// The size of what plays, as sites name it: by the height that a picture of 16:9 would have.

/** @param {Player} media */
function showSize({ videoWidth: width, videoHeight: height }) {
  const lines = Math.round(Math.max(Math.min(width, height), (Math.max(width, height) * 9) / 16))
  for (const words of article.querySelectorAll('[data-shows="size"]')) {
    words.hidden = !(lines > 0)
    words.textContent = `Quality: ${lines}p`
  }
}
onPlayer(showSize)
on('resize', showSize)

// Subtitles. The browser forgets the choice when another file is loaded, so it is noted here.

/** @type {string | undefined} */
let wished_language
/** @param {string | undefined} language */
export function wishSubtitles(language) {
  wished_language = language
}

/** @param {Player} media */
const shownLanguage = ({ textTracks }) => [...textTracks].find(({ mode }) => mode === 'showing')?.language

/** @param {Player} media @param {string | undefined} language */
function chooseSubtitles(media, language) {
  if (language) wished_language = language
  showSubtitles(media, language)
  media.dispatchEvent(new Event('subtitleschosen'))
}

/** @param {Player} media @param {string | undefined} language */
export function showSubtitles(media, language) {
  media.dataset.subtitles = language ?? ''
  const chosen = [...media.textTracks].find(track => track.language === language)
  for (const track of media.textTracks) track.mode = track === chosen ? 'showing' : 'disabled'
  for (const field of fieldsOf('subtitles')) field.value = shownLanguage(media) ?? ''
  press('subtitles', shownLanguage(media) !== undefined)
}
onPlayer(media => media.dataset.subtitles !== undefined && showSubtitles(media, media.dataset.subtitles))

/** @param {Player} media @param {string} size */
function chooseCues(media, size) {
  showCues(media, size)
  media.dispatchEvent(new Event('cueschosen'))
}

/** @param {Player} media @param {string} size */
export function showCues(media, size) {
  media.dataset.cues = size
  for (const field of fieldsOf('cues')) field.value = size
}

// Above the edge of the picture, which Chromium and Safari do by style. In Firefox only the place of a cue does it: where its
// first line begins, so that the second line is above the edge too.

const first_line_percent = 82

/** @param {EventTarget | null} target */
function raiseCues(target) {
  if (!(target instanceof HTMLTrackElement)) return
  for (const cue of /** @type {Iterable<VTTCue>} */ (target.track.cues ?? []))
    if (cue.line === 'auto') [cue.snapToLines, cue.line] = [false, first_line_percent]
}
if (!CSS.supports('selector(::-webkit-media-text-track-container)')) {
  for (const track of article.querySelectorAll('track')) raiseCues(track)
  article.addEventListener('load', ({ target }) => raiseCues(target), true)
}
