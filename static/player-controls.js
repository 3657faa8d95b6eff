// The buttons beneath the player: play, skip, volume, speed, subtitles and loop. They always show what the player does.

// The browser's own controls stay where ours are not.
onPlayer(media => {
  media.controls = !article.querySelector('.bar')
})

const skip_s = 10

Object.assign(acts, {
  play: media => (media.paused ? play(media) : media.pause()),
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

const sets = {
  volume: (media, value) => {
    media.volume = Number(value)
    media.muted = Number(value) === 0
  },
  speed: (media, value) => chooseSpeed(media, Number(value)),
  subtitles: (media, value) => chooseSubtitles(media, value),
  cues: (media, value) => chooseCues(media, value),
}
for (const name of ['input', 'change'])
  article.addEventListener(name, ({ target }) => {
    if (Object.hasOwn(sets, target.dataset.sets) && player()) sets[target.dataset.sets](player(), target.value)
  })

// Play and pause.

function showPlaying(media) {
  article.querySelector('#stage').classList.toggle('playing', !media.paused)
  for (const button of buttonsOf('play')) button.setAttribute('aria-label', media.paused ? 'Play' : 'Pause')
}
onPlayer(showPlaying)
for (const name of ['play', 'pause', 'ended']) on(name, showPlaying)

// Volume.

function showVolume({ volume, muted }) {
  for (const field of fieldsOf('volume')) {
    field.value = muted ? 0 : volume
    field.setAttribute('aria-valuetext', muted ? 'Muted' : `${Math.round(volume * 100)}%`)
    field.style.setProperty('--played', muted ? 0 : volume)
  }
  press('mute', muted)
}
onPlayer(showVolume)
on('volumechange', showVolume)

// Speed.

const speeds = () => [...(fieldsOf('speed')[0]?.options ?? [])].map(({ value }) => Number(value))

function nextSpeed(speed, step) {
  const all = speeds()
  const further = all.filter(one => (step > 0 ? one > speed : one < speed))
  return (step > 0 ? further[0] : further.at(-1)) ?? speed
}

function chooseSpeed(media, speed) {
  setSpeed(media, speed)
  media.dispatchEvent(new Event('speedchosen'))
}

// The default is what the player returns to when it loads another file.
function setSpeed(media, speed) {
  media.defaultPlaybackRate = speed
  media.playbackRate = speed
}

function showSpeed({ playbackRate }) {
  for (const field of fieldsOf('speed')) field.value = playbackRate
  for (const words of article.querySelectorAll('[data-shows="speed"]')) words.textContent = `${playbackRate}×`
}
onPlayer(showSpeed)
on('ratechange', showSpeed)

// Subtitles. The browser forgets the choice when another file is loaded, so it is noted here.

let wished_language
const shownLanguage = ({ textTracks }) => [...textTracks].find(({ mode }) => mode === 'showing')?.language

function chooseSubtitles(media, language) {
  if (language) wished_language = language
  showSubtitles(media, language)
  media.dispatchEvent(new Event('subtitleschosen'))
}

function showSubtitles(media, language) {
  media.dataset.subtitles = language ?? ''
  const chosen = [...media.textTracks].find(track => track.language === language)
  for (const track of media.textTracks) track.mode = track === chosen ? 'showing' : 'disabled'
  for (const field of fieldsOf('subtitles')) field.value = shownLanguage(media) ?? ''
}
onPlayer(media => media.dataset.subtitles !== undefined && showSubtitles(media, media.dataset.subtitles))

function chooseCues(media, size) {
  showCues(media, size)
  media.dispatchEvent(new Event('cueschosen'))
}

function showCues(media, size) {
  media.dataset.cues = size
  for (const field of fieldsOf('cues')) field.value = size
}
