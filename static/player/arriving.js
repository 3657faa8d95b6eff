// Plays a video while it is downloaded: takes the parts that have arrived from their HLS playlist, and goes on with the finished file.

import { can_feed, Feeder, isStopped, loadedTo } from './feeder.js'
import { put } from './parts.js'
import { article, on, play, player } from './player.js'

/** @import { Playlist } from './feeder.js' */

const soon_ms = 700
const later_ms = 2500
// A download that waits is asked for again: the worker that had it may have died.
const again_ms = 10_000
const longest_wait_ms = 30_000
const lost = 'The connection is lost. Trying again…'

/** @param {Player | null} media */
export const isArriving = media => media?.dataset.arriving !== undefined
/** True until the page has the controls of the finished file, also after that file took over. @param {Player | null} media */
export const isFed = media => isArriving(media) || media?.dataset.fed !== undefined

/** @param {string} words */
function say(words) {
  const place = article.querySelector('.arriving-words')
  if (place && place.textContent !== words) place.textContent = words
}

/** @param {Player} media */
async function arrive(media) {
  const address = new URL(media.dataset.arriving ?? '', location.href)
  const shown = can_feed ? feederOf(media) : nativePlayer(media, address)
  let [asked_at, losses, seen] = [Date.now(), 0, '']
  while (isArriving(media) && media.isConnected) {
    const began = performance.now()
    // The server waits for a part after the one that was seen.
    const headers = can_feed ? { 'backlot-seen': seen } : undefined
    const answer = await fetch(address, { headers }).catch(() => undefined)
    const text = (await answer?.text().catch(() => '')) ?? ''
    // The finished file may have taken over meanwhile.
    if (!isArriving(media)) return
    const is_lost = !answer || answer.status >= 500
    if (losses > 1 && !is_lost && !isRefused(media)) say('')
    losses = is_lost ? losses + 1 : 0
    let is_new = false
    // A single loss is not said: parts that have arrived are played meanwhile.
    if (losses > 1 && !isRefused(media)) say(lost)
    if (answer?.ok) {
      asked_at = Date.now()
      const found = playlistIn(text, answer.url)
      noteArrived(media, found)
      const last = answer.headers.get('backlot-seen') ?? ''
      is_new = last !== seen
      seen = last
      await shown.feed(found).catch(async () => isArriving(media) && (await shown.restart()))
    } else if (answer?.status === 404) {
      if (await isComplete(media)) return finish(media)
      if (!isArriving(media)) return
      const is_over = !answer.headers.has('Retry-After')
      const is_seen = media.dataset.arrived !== undefined && !isStopped(media)
      if (is_over || (!isRefused(media) && !is_seen)) say(text)
      // The download failed or was cancelled. The parts that have arrived stay.
      if (is_over) return
      if (Date.now() - asked_at > again_ms) {
        asked_at = Date.now()
        askAgain(media)
      }
    }
    const usual_ms = isShort(media) ? (is_new ? 0 : soon_ms) : later_ms
    await pause(Math.min(longest_wait_ms, usual_ms * 2 ** losses) - (performance.now() - began))
  }
}

/** Ends early when the network is back. @param {number} ms @returns {Promise<void>} */
const pause = ms =>
  new Promise(resolve => {
    const go = () => {
      window.removeEventListener('online', go)
      resolve()
    }
    setTimeout(go, ms)
    window.addEventListener('online', go)
  })

/** @param {string} text @param {string} base @returns {Playlist} */
function playlistIn(text, base) {
  /** @type {Playlist} */
  const found = { parts: [], length: undefined, begins_with_keys: text.includes('#EXT-X-INDEPENDENT-SEGMENTS') }
  let [map, at, duration] = ['', 0, 0]
  for (const line of text.split('\n')) {
    if (line.startsWith('#EXT-X-MAP:')) map = new URL(/URI="([^"]*)"/.exec(line)?.[1] ?? '', base).href
    else if (line.startsWith('#EXT-X-BACKLOT-DURATION:')) found.length = Number(line.split(':')[1])
    else if (line.startsWith('#EXTINF:')) duration = Number.parseFloat(line.slice(8))
    else if (line && !line.startsWith('#')) {
      found.parts.push({ url: new URL(line, base).href, map, start: at, end: at + duration })
      at += duration
    }
  }
  return found
}

/** @param {Player} media */
const isComplete = async media =>
  (await fetch(media.dataset.whole ?? '', { method: 'HEAD' }).catch(() => undefined))?.ok

/** @param {Player} media */
const askAgain = media =>
  fetch(media.dataset.ask ?? '', { method: 'POST', headers: { 'hx-request': 'true' } }).catch(() => {})

/** @param {Player} media */
const isShort = media => loadedTo(media) - media.currentTime < 10

/** @param {Player} media @param {Playlist} playlist */
function noteArrived(media, { parts, length }) {
  const arrived = parts.at(-1)?.end ?? 0
  if (!arrived) return
  media.dataset.arrived = String(arrived)
  media.dataset.length = String(length ?? arrived)
  if (!isRefused(media)) say(isStopped(media) && !media.paused ? 'Waiting for more of the video…' : '')
  media.dispatchEvent(new Event('arrived', { bubbles: true }))
}

/** @param {Player} media */
const isRefused = media => media.dataset.refused !== undefined

// Setting `src` pauses a player without a `pause` event. In Chromium a fault pauses it with one, although the
// person did not pause it.
let wants_to_play = true
/** @type {MediaError | null} */
let known_fault = null
on('play', () => {
  wants_to_play = true
})
on('playing', media => isArriving(media) && !isRefused(media) && say(''))
on('pause', media => {
  const is_of_fault = media.error !== known_fault && media.error !== null
  known_fault = media.error
  if (!media.ended && !is_of_fault) wants_to_play = false
})

/** @param {Player} media */
const feederOf = media =>
  new Feeder(media, {
    isWanted: () => isArriving(media) && !isRefused(media),
    refuse() {
      if (!isArriving(media)) return
      media.dataset.refused = ''
      say('Your browser can play this format only when it is complete.')
    },
    begin: () => wants_to_play && play(media),
  })

/** For a phone without MediaSource, which plays such a playlist itself, from three parts on. @param {Player} media @param {URL} address */
function nativePlayer(media, address) {
  return {
    /** @param {Playlist} playlist */
    async feed({ parts }) {
      if (parts.length < 3 || media.currentSrc || !media.canPlayType('application/vnd.apple.mpegurl')) return
      media.src = address.href
      media.currentTime = Number(media.dataset.start) || 0
      play(media)
    },
    async restart() {},
  }
}

/**
 * Plays the finished file from the same position. The last picture covers the player until the file shows its first one.
 * @param {Player} media
 */
function finish(media) {
  if (!isArriving(media)) return
  const { currentTime } = media
  const was_shown = Boolean(media.currentSrc)
  const still = was_shown && media.videoWidth > 0 ? stillOf(media) : undefined
  const { whole = '', start } = media.dataset
  for (const name of ['arriving', 'arrived', 'whole', 'ask', 'start', 'refused']) delete media.dataset[name]
  media.dataset.fed = ''
  say('')
  if (still) media.after(still)
  media.src = whole
  media.currentTime = was_shown ? currentTime : Number(start) || 0
  const show = () => still?.remove()
  media.requestVideoFrameCallback?.(show)
  for (const name of ['playing', 'error']) media.addEventListener(name, show, { once: true })
  if (wants_to_play) play(media)
  media.dispatchEvent(new Event('arrived', { bubbles: true }))
}

/** @param {Player} media */
function stillOf(media) {
  const still = document.createElement('canvas')
  still.className = 'still'
  Object.assign(still, { width: media.videoWidth, height: media.videoHeight })
  still.getContext('2d')?.drawImage(media, 0, 0)
  return still
}

/**
 * Takes the subtitles and the controls of the finished file from `stage`, which has just been fetched.
 * @param {Player} media
 * @param {Element} stage
 */
export function takeOver(media, stage) {
  finish(media)
  media.append(...stage.querySelectorAll('.player > track'))
  const bar = stage.querySelector('.bar')
  if (bar) put(article.querySelector('.bar'), bar)
  delete media.dataset.fed
  media.dispatchEvent(new Event('loadedmetadata'))
}

const first_player = player()
if (first_player && isArriving(first_player)) arrive(first_player)
