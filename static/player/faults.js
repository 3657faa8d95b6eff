// Says over the picture why a file does not play, and what helps. Loads the file again after a lost connection, with growing waits.

import { missingCodec } from './codecs.js'
import { addActs, article, on, play, player, reload, stage } from './player.js'

/**
 * `unsupported`: the codec. `ended`: the session. `data-helps` of a button names the kinds that it helps with.
 * @typedef {'lost' | 'missing' | 'broken' | 'unsupported' | 'ended'} Kind
 */

const first_wait_ms = 1000
const longest_wait_ms = 30_000
/** Enough of a file for the names of its codecs. */
const beginning_bytes = 65_536
const slow_ms = 3000
/** A second fault this near to the first is the same. */
const same_s = 1

let [waits, timer, failed_at, wants_to_play] = [0, 0, Number.NEGATIVE_INFINITY, false]

/** Another video is shown. */
export function forgetFaults() {
  clearTimeout(timer)
  ;[waits, failed_at] = [0, Number.NEGATIVE_INFINITY]
}

// A fault may pause the player, although the person did not.
on('play', () => {
  wants_to_play = true
})
on('pause', media => {
  if (!media.error) wants_to_play = false
})
on('timeupdate', ({ currentTime }) => {
  if (failed_at >= 0 && currentTime > failed_at + same_s) forgetFaults()
})
// A new load hides the last fault. That of a lost connection stays until the attempt to connect again succeeds.
on('loadstart', () => place()?.dataset.kind !== 'lost' && hide())
on('playing', () => {
  forgetFaults()
  if (place()?.dataset.kind === 'lost') hide()
})
// A browser tries for half a minute before it calls a lost connection an error.
on('waiting', media => {
  clearTimeout(timer)
  timer = setTimeout(lookWhileWaiting, slow_ms, media)
})
on('loadedmetadata', media => {
  clearTimeout(timer)
  hide()
  missPicture(media)
})
on('error', explain)

/** "Download again" would bring the same file. The button for a compatible one is below the player. @param {string} codec */
function unsupported(codec) {
  const is_replaceable = article.querySelector('.unplayable > .replace') !== null
  return `This browser cannot show ${codec}. ${is_replaceable ? 'Get a compatible file below.' : 'Another browser or app may.'}`
}

/** Without a known codec of the picture, a browser plays the sound only. @param {Player} media */
async function missPicture(media) {
  if (!media.matches('video') || media.videoWidth > 0 || !media.currentSrc.startsWith('http')) return
  const { codec } = await look(media)
  if (codec && media === player()) show('unsupported', unsupported(codec))
}

/** `arriving.js` handles the faults of a video that is downloaded. @param {Player} media */
async function explain(media) {
  if (media.dataset.arriving !== undefined) return
  const { currentTime: position, error } = media
  const { kind, codec, is_film } = await look(media)
  if (media !== player() || media.error !== error) return
  if (kind === 'missing') show(kind, 'The file of this video is missing on the server.')
  else if (kind === 'ended') show(kind, 'You were signed out. Sign in to continue.')
  else if (kind === 'lost' || error?.code === MediaError.MEDIA_ERR_NETWORK) wait(media)
  else if (codec) show('unsupported', unsupported(codec))
  // The answer was perhaps damaged, or the address of an object storage has expired.
  else if (is_film && Math.abs(position - failed_at) > same_s) {
    failed_at = position
    load(media)
  } else show('broken', "This file can't be played.")
}

/** Asks the server for the beginning of the file. `kind`: not given when the server sends it. @param {Player} media */
async function look(media) {
  const address = media.currentSrc.replace(/#.*/, '')
  /** @param {Kind} [kind] @param {string} [codec] */
  const found = (kind, codec, is_film = true) => ({ kind, codec, is_film })
  try {
    const answer = await fetch(address, {
      headers: { 'hx-request': 'true', range: `bytes=0-${beginning_bytes - 1}` },
      cache: 'no-store',
      // An object storage has the file, and its address is not readable for scripts.
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    })
    if (answer.type === 'opaqueredirect') return found()
    if (answer.status === 401) return found('ended')
    if (answer.status === 404 || answer.status === 410) return found('missing')
    if (answer.status === 429 || answer.status >= 500) return found('lost')
    const reader = answer.body?.getReader()
    const { value } = (await reader?.read()) ?? {}
    reader?.cancel().catch(() => {})
    return found(undefined, value && missingCodec(value), isFilm(value))
  } catch {
    return found('lost')
  }
}

/** Whether the file begins as an MP4 does. @param {Uint8Array | undefined} bytes */
const isFilm = bytes => new TextDecoder('latin1').decode(bytes?.slice(4, 8)) === 'ftyp'

/** @param {Player} media */
function wait(media) {
  show('lost', 'The connection is lost. Trying again…')
  clearTimeout(timer)
  timer = setTimeout(tryAgain, Math.min(longest_wait_ms, first_wait_ms * 2 ** waits), media)
  waits += 1
}

/** @param {Player} media */
async function tryAgain(media) {
  const { kind } = await look(media)
  if (media !== player()) return
  if (kind === 'lost') wait(media)
  else if (media.error) load(media)
  else hide()
}

/** @param {Player} media */
async function lookWhileWaiting(media) {
  if (media !== player() || media.dataset.arriving !== undefined || media.error) return
  const is_waiting = () => !media.paused && media.readyState < HTMLMediaElement.HAVE_FUTURE_DATA
  if (is_waiting() && (await look(media)).kind === 'lost' && is_waiting()) wait(media)
}

/** @param {Player} media */
const load = media => (wants_to_play ? play(media) : reload(media))

window.addEventListener('online', () => {
  const media = player()
  if (media && place()?.dataset.kind === 'lost' && !place()?.hidden) tryAgain(media)
})

const place = () => stage().querySelector('.fault')

/** @param {Kind} kind @param {string} words */
function show(kind, words) {
  const shown = place()
  const said = shown?.querySelector('[role=alert]')
  if (!shown || !said) return
  shown.dataset.kind = kind
  for (const help of shown.querySelectorAll('[data-helps]'))
    help.hidden = !help.dataset.helps?.split(' ').includes(kind)
  shown.hidden = false
  // An alert is announced when its words change.
  if (said.textContent !== words) said.textContent = words
}

function hide() {
  const shown = place()
  if (!shown || shown.hidden) return
  if (shown.contains(document.activeElement)) stage().querySelector('[data-act=play]')?.focus()
  shown.hidden = true
}

addActs({
  retry: media => {
    if (place()?.dataset.kind === 'ended') return location.reload()
    forgetFaults()
    wants_to_play = true
    play(media)
  },
})

// A broken file is deleted before it is downloaded again; it can be restored for a while.
article.addEventListener('submit', async event => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || !form.dataset.removes) return
  event.preventDefault()
  if (place()?.dataset.kind === 'broken')
    await fetch(form.dataset.removes, { method: 'POST', headers: { 'hx-request': 'true' } }).catch(() => {})
  form.submit()
})

// The first fault, or the first file without a picture, may be older than this module.
const first_player = player()
wants_to_play = first_player?.autoplay === true
if (first_player?.error) explain(first_player)
else if (first_player?.readyState) missPicture(first_player)
