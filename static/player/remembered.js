// What this browser remembers of the player: volume, theatre, subtitles and speed. A channel can have a speed of its own.

import { setSpeed, showCues, showSubtitles, wishSubtitles } from './controls.js'
import { article, on, onPlayer } from './player.js'
import { hearOnly, toggleTheatre } from './screen.js'

export const remembered = {
  /** @param {string} name */
  get: name => {
    try {
      return localStorage.getItem(`player-${name}`)
    } catch {
      return null
    }
  },
  /** @param {string} name @param {string | number | boolean} value */
  set: (name, value) => {
    try {
      localStorage.setItem(`player-${name}`, String(value))
    } catch {
      // A browser that stores nothing forgets it.
    }
  },
}

/** @param {string} tag */
const languageOf = tag => tag.split('-')[0]
/** @param {string} name @param {Player} media */
const ofChannel = (name, { dataset }) => `${name} ${dataset.channel}`
/** @param {string} name @param {Player} media */
const recall = (name, media) => remembered.get(ofChannel(name, media)) ?? remembered.get(name)

// A player is set up once: later it is the person who changes it.
const known = new WeakSet()

onPlayer(media => {
  if (known.has(media)) return
  known.add(media)
  const [speed, volume] = [Number(recall('speed', media)), remembered.get('volume')]
  if (speed > 0) setSpeed(media, speed)
  if (volume !== null) media.volume = Math.max(0, Math.min(1, Number(volume) || 0))
  media.muted = remembered.get('muted') === 'true'
  if (remembered.get(ofChannel('sound', media)) === 'true' && media.matches('video')) hearOnly(media, true)
  recallSubtitles(media)
})

/** @param {Player} media */
function recallSubtitles(media) {
  showCues(media, remembered.get('cues') ?? 'medium')
  const wished = remembered.get('subtitles') ?? undefined
  wishSubtitles(wished)
  if (!wished || remembered.get('subtitles-on') !== 'true') return
  const languages = [...media.textTracks].map(({ language }) => language)
  const similar = languages.find(tag => languageOf(tag) === languageOf(wished))
  const shown = languages.includes(wished) ? wished : similar
  if (shown) showSubtitles(media, shown)
}

// A choice counts for this channel and for all channels without a choice of their own.
on('speedchosen', media => {
  for (const name of [ofChannel('speed', media), 'speed']) remembered.set(name, media.playbackRate)
})
on('hearonly', media => remembered.set(ofChannel('sound', media), media.classList.contains('unseen')))
on('volumechange', ({ volume, muted }) => {
  remembered.set('volume', volume)
  remembered.set('muted', muted)
})
on('subtitleschosen', ({ dataset: { subtitles } }) => {
  if (subtitles) remembered.set('subtitles', subtitles)
  remembered.set('subtitles-on', Boolean(subtitles))
})
on('cueschosen', ({ dataset: { cues = '' } }) => remembered.set('cues', cues))

article.addEventListener('theatre', event => event instanceof CustomEvent && remembered.set('theatre', event.detail))
if (remembered.get('theatre') === 'true') toggleTheatre()
