// How much of the screen the picture has: full screen, theatre, picture in picture, or none, with sound only.

const stage = () => article.querySelector('#stage')
const fullElement = () => document.fullscreenElement ?? document.webkitFullscreenElement

Object.assign(acts, {
  // The whole stage, so that our controls stay. A phone that has no such thing shows the video in its own way.
  full: media => {
    if (fullElement()) return (document.exitFullscreen ?? document.webkitExitFullscreen).call(document)
    const enter = stage().requestFullscreen ?? stage().webkitRequestFullscreen
    return enter ? enter.call(stage())?.catch?.(() => {}) : media.webkitEnterFullscreen?.()
  },
  theatre: () => {
    const is_on = document.querySelector('.watch').classList.toggle('theatre')
    press('theatre', is_on)
    article.dispatchEvent(new CustomEvent('theatre', { detail: is_on }))
  },
  float: media => {
    if (document.pictureInPictureElement) return document.exitPictureInPicture().catch(() => {})
    return media.requestPictureInPicture?.().catch(() => {})
  },
  sound: media => {
    hearOnly(media, !media.classList.contains('unseen'))
    media.dispatchEvent(new Event('hearonly'))
  },
})

// The picture of the video takes the place of the moving one.
function hearOnly(media, is_on) {
  media.classList.toggle('unseen', is_on)
  stage().classList.toggle('sound-only', is_on)
  stage().querySelector('.instead')?.remove()
  if (is_on) {
    const picture = document.createElement(media.poster ? 'img' : 'div')
    picture.className = 'instead'
    if (media.poster) Object.assign(picture, { src: media.poster, alt: '' })
    media.after(picture)
  }
  press('sound', is_on)
}

onPlayer(media => {
  press('full', Boolean(fullElement()))
  press('theatre', document.querySelector('.watch').classList.contains('theatre'))
  for (const button of buttonsOf('float')) button.hidden = !document.pictureInPictureEnabled
  const can_fill = stage().requestFullscreen ?? stage().webkitRequestFullscreen ?? media.webkitEnterFullscreen
  for (const button of buttonsOf('full')) button.hidden = !can_fill
})
for (const [name, is_on] of Object.entries({ enterpictureinpicture: true, leavepictureinpicture: false }))
  on(name, () => press('float', is_on))
for (const name of ['fullscreenchange', 'webkitfullscreenchange'])
  document.addEventListener(name, () => {
    press('full', Boolean(fullElement()))
    wakeControls()
  })

// In full screen the controls fade while the video plays and nothing moves. Any move, tap or key brings them back.

const rest_ms = 3000
let rest

function wakeControls() {
  const was_resting = stage()?.classList.contains('resting')
  stage()?.classList.remove('resting')
  clearTimeout(rest)
  rest = setTimeout(() => {
    const is_busy = stage()?.querySelector('.menu[open], .bar :focus-visible')
    if (fullElement() && !player()?.paused && !is_busy) stage().classList.add('resting')
  }, rest_ms)
  return was_resting
}
for (const name of ['pointermove', 'pointerdown', 'keydown', 'focusin'])
  document.addEventListener(name, () => void wakeControls())
for (const name of ['play', 'pause']) on(name, () => void wakeControls())

// Older browsers do not say what clicked.
let last_pointer
document.addEventListener('pointerup', ({ pointerType }) => (last_pointer = pointerType), true)

// A click on the picture plays or pauses, a second one soon after fills the screen. Fingers have gestures of their own.
article.addEventListener('click', event => {
  if (!event.target.matches('video.player, .instead') || (event.pointerType ?? last_pointer) === 'touch') return
  acts.play(player())
})
article.addEventListener('dblclick', event => {
  if (event.target.matches('video.player, .instead') && !matchMedia('(pointer: coarse)').matches) acts.full(player())
})
