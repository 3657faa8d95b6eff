// How much of the screen the picture has: full screen, theatre, picture in picture, or none, with sound only.

import { addActs, article, buttonsOf, on, onPlayer, player, press, stage } from './player.js'

const watch = /** @type {HTMLElement} */ (document.querySelector('.watch'))
export const fullElement = () => document.fullscreenElement ?? document.webkitFullscreenElement

addActs({
  // Shows the whole stage, so that our controls stay. A phone that cannot show the stage shows the video in its own way.
  full: async media => {
    try {
      if (fullElement()) return await (document.exitFullscreen ?? document.webkitExitFullscreen).call(document)
      const enter = stage().requestFullscreen ?? stage().webkitRequestFullscreen
      return enter ? await enter.call(stage()) : media.webkitEnterFullscreen?.()
    } catch {
      // The browser did not allow it.
    }
  },
  theatre: toggleTheatre,
  float: media => {
    if (document.pictureInPictureElement) return document.exitPictureInPicture().catch(() => {})
    return media.requestPictureInPicture?.().catch(() => {})
  },
  sound: media => {
    hearOnly(media, !media.classList.contains('unseen'))
    media.dispatchEvent(new Event('hearonly'))
  },
})

export function toggleTheatre() {
  const is_on = watch.classList.toggle('theatre')
  press('theatre', is_on)
  article.dispatchEvent(new CustomEvent('theatre', { detail: is_on }))
}

/** Shows the picture of the video instead of the moving one. @param {Player} media @param {boolean} is_on */
export function hearOnly(media, is_on) {
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
  press('theatre', watch.classList.contains('theatre'))
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
let rest = 0

function wakeControls() {
  stage().classList.remove('resting')
  clearTimeout(rest)
  rest = setTimeout(() => {
    const is_busy = stage().querySelector('.menu[open], .bar :focus-visible')
    if (fullElement() && !player()?.paused && !is_busy) stage().classList.add('resting')
  }, rest_ms)
}
for (const name of ['pointermove', 'pointerdown', 'keydown', 'focusin']) document.addEventListener(name, wakeControls)
for (const name of ['play', 'pause']) on(name, wakeControls)
