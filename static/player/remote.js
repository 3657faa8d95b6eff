// Plays on a television, by AirPlay or Cast. A television has no cookie, so the player takes the address of a link before it asks
// which television. When the video comes back, the player takes its own address again, and the link is revoked.

import { base } from '../page/site.js'
import { addActs, buttonsOf, on, onPlayer, play, sayOnStage } from './player.js'

const links = `${base}/api/links`

addActs({
  remote: async media => {
    try {
      await takeAddress(media)
      // Safari. It says nothing about the choice.
      if (media.webkitShowPlaybackTargetPicker) return media.webkitShowPlaybackTargetPicker()
      await loaded(media)
      await media.remote.prompt()
    } catch (fault) {
      giveBack(media)
      const is_choice = fault instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(fault.name)
      if (!is_choice) sayOnStage('No television was found.')
    }
  },
})

/** @param {Player} media */
async function takeAddress(media) {
  if (media.dataset.own !== undefined) return
  const answer = await fetch(links, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ video_id: media.dataset.video, kind: 'play', hours: 24 }),
  })
  if (!answer.ok) throw new Error('The server gave no address.')
  const { link_id, url } = await answer.json()
  media.dataset.own = media.src.replace(/#.*/, '')
  media.dataset.link = link_id
  // The policy of the page allows addresses of its own host only, and PUBLIC_URL may name another one.
  move(media, new URL(url).pathname)
}

/** @param {Player} media */
function giveBack(media) {
  const { own, link } = media.dataset
  if (own === undefined) return
  delete media.dataset.own
  move(media, own)
  fetch(`${links}/${link}`, { method: 'DELETE', keepalive: true }).catch(() => {})
}

/** The player goes on from the same position. @param {Player} media @param {string} address */
function move(media, address) {
  const { paused, currentTime } = media
  media.src = `${address}#t=${currentTime}`
  if (!paused) play(media)
}

/** A browser knows which televisions can play a file after it has read the beginning. @param {Player} media */
const loaded = media =>
  media.readyState > 0
    ? undefined
    : new Promise((resolve, reject) => {
        media.addEventListener('loadedmetadata', resolve, { once: true })
        media.addEventListener('error', reject, { once: true })
      })

/** @param {boolean} is_there */
function show(is_there) {
  for (const button of buttonsOf('remote')) button.hidden = !is_there
}

onPlayer(media => {
  // A player that is fed has no address for a television.
  if (media.dataset.video === undefined || media.dataset.watches !== undefined) return
  media.dataset.watches = ''
  const { remote } = media
  if (!remote?.watchAvailability) return
  remote.addEventListener('disconnect', () => giveBack(media))
  // A browser that cannot look for televisions all the time looks when it is asked.
  remote.watchAvailability(show).catch(({ name }) => show(name === 'NotSupportedError'))
})
on('webkitplaybacktargetavailabilitychanged', (_, event) => show(event.availability === 'available'))
on('webkitcurrentplaybacktargetiswirelesschanged', media => {
  if (!media.webkitCurrentPlaybackTargetIsWireless) giveBack(media)
})
