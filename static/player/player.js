// The player of the watch page and what all its modules use: its events, its buttons, and messages over the picture.

/** @typedef {(media: Player) => unknown} Act */

export const article = /** @type {HTMLElement} */ (document.querySelector('.watch > article'))

/** @returns {Player | null} */
export const player = () => article.querySelector('.player')

export const stage = () => /** @type {HTMLElement} */ (article.querySelector('#stage'))

/** The effect of each button and key, by name. @type {Record<string, Act>} */
export const acts = {}
/** Each module adds its own. @param {Record<string, Act>} more */
export const addActs = more => Object.assign(acts, more)
article.addEventListener('click', event => {
  const name = event.target.closest('[data-act]')?.dataset.act ?? ''
  const media = player()
  if (Object.hasOwn(acts, name) && media) acts[name](media)
})

/** @param {string} name */
export const buttonsOf = name => article.querySelectorAll(`[data-act="${name}"]`)

/** @param {string} name @param {boolean} is_on */
export function press(name, is_on) {
  for (const button of buttonsOf(name)) button.setAttribute('aria-pressed', String(is_on))
}

/**
 * Listens on the article, because the player may be replaced.
 * @param {string} name
 * @param {(media: Player, event: PlayerEvent) => unknown} act
 */
export function on(name, act) {
  /** @param {Event} event */
  const hear = event => {
    const { target } = event
    if (target instanceof HTMLElement && target.matches('.player')) act(/** @type {Player} */ (target), event)
  }
  article.addEventListener(name, hear, true)
}

/** Acts on the player now and whenever it loads a file, because what a module set up may be lost then. @param {Act} act */
export function onPlayer(act) {
  const media = player()
  if (media) act(media)
  for (const name of ['loadstart', 'loadedmetadata']) on(name, act)
}

/** Loads the file again, at the same position. @param {Player} media */
export function reload(media) {
  const { currentTime } = media
  media.load()
  media.currentTime = currentTime
}

/** After a fault, the file is loaded again. @param {Player} media */
export function play(media) {
  // `arriving.js` feeds a video that is downloaded.
  if (media.error && media.dataset.arriving === undefined) reload(media)
  return media.play().catch(() => {})
}

// Browsers seek to the time in the address without a click, so a video counts as played only after it played.
let is_played = false
export const isPlayed = () => is_played

// Until the video is played or sought, the player shows its picture, which may have another shape than the player.
onPlayer(media => !is_played && media.currentTime === 0 && media.classList.add('unplayed'))
on('seeking', media => media.classList.remove('unplayed'))
on('play', media => {
  is_played = true
  media.classList.remove('unplayed')
})

let silence = 0

/**
 * Shows a short message over the picture, with a button at most.
 * @param {string} words
 * @param {[name: string, act: () => void]} [button]
 */
export function sayOnStage(words, button) {
  const place = article.querySelector('.said')
  if (!place) return
  place.textContent = words
  if (button) place.append(' ', buttonIn(place, ...button))
  clearTimeout(silence)
  const clear = () => {
    if (place.contains(document.activeElement)) silence = setTimeout(clear, 1000)
    else place.replaceChildren()
  }
  silence = setTimeout(clear, button ? 8000 : 4000)
}

/** @param {HTMLElement} place @param {string} name @param {() => void} act */
function buttonIn(place, name, act) {
  const button = document.createElement('button')
  button.textContent = name
  button.type = 'button'
  button.addEventListener('click', ({ detail }) => {
    // A key pressed it: the focus must not be lost with the button.
    if (detail === 0) stage().querySelector('[data-act=play]')?.focus()
    place.textContent = ''
    act()
  })
  return button
}

/** Whether the browser opens the link of a click in another tab or window, or saves it. @param {MouseEvent} event */
export const opensElsewhere = ({ ctrlKey, metaKey, shiftKey, altKey }) => ctrlKey || metaKey || shiftKey || altKey
