// What this browser remembers of the player: volume, theatre, subtitles, and the speed, of each channel where it was changed there.

const remembered = {
  get: name => {
    try {
      return localStorage.getItem(`player-${name}`)
    } catch {
      return null
    }
  },
  set: (name, value) => {
    try {
      localStorage.setItem(`player-${name}`, value)
    } catch {
      // A browser that stores nothing forgets it.
    }
  },
}
const languageOf = tag => tag.split('-')[0]
const ofChannel = (name, { dataset }) => `${name} ${dataset.channel}`
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

function recallSubtitles(media) {
  showCues(media, remembered.get('cues') ?? 'medium')
  wished_language = remembered.get('subtitles') ?? undefined
  if (!wished_language || remembered.get('subtitles-on') !== 'true') return
  const languages = [...media.textTracks].map(({ language }) => language)
  const similar = languages.find(tag => languageOf(tag) === languageOf(wished_language))
  const shown = languages.includes(wished_language) ? wished_language : similar
  if (shown) showSubtitles(media, shown)
}

// What the person chooses counts for this channel, and for those where they have not chosen.
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
on('cueschosen', ({ dataset: { cues } }) => remembered.set('cues', cues))

article.addEventListener('theatre', ({ detail: is_on }) => remembered.set('theatre', is_on))
if (remembered.get('theatre') === 'true') acts.theatre()
