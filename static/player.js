// The watch page: finds its player, keeps it playing, and makes times links. The scripts `player-….js` add a subject each.
// Without scripts the video still starts at the saved position, and the links lead to the same times.

const article = document.querySelector('.watch > article')
const player = () => article.querySelector('.player')

// What buttons and keys do, by name. Each script adds its own.
const acts = {}
article.addEventListener('click', event => {
  const name = event.target.closest('[data-act]')?.dataset.act
  if (Object.hasOwn(acts, name) && player()) acts[name](player())
})
const buttonsOf = name => article.querySelectorAll(`[data-act="${name}"]`)
const press = (name, is_on) => {
  for (const button of buttonsOf(name)) button.setAttribute('aria-pressed', is_on)
}
const fieldsOf = name => article.querySelectorAll(`[data-sets="${name}"]`)

// The player may be replaced, so its events are heard on the way to it.
const on = (name, act) =>
  article.addEventListener(name, event => event.target.matches('.player') && act(event.target), true)

// For the player that is there, and whenever one loads a file: what a script set up may be lost then.
const onPlayer = act => {
  if (player()) act(player())
  for (const name of ['loadstart', 'loadedmetadata']) on(name, act)
}

// Browsers seek to the time in the address without a click, so a video counts as played only after it played.
let is_played = false

// Until the video is played or sought, the player shows its picture, which may have another shape than the player.
onPlayer(media => !is_played && media.currentTime === 0 && media.classList.add('unplayed'))
on('seeking', media => media.classList.remove('unplayed'))
on('play', media => {
  is_played = true
  media.classList.remove('unplayed')
})

const play = media => media.play().catch(() => {})

// The address of a video in object storage expires, and connections break. The player then requests it again from this service.
let failed_at = -1
on('error', media => {
  const position = media.currentTime
  // `player-arriving.js` mends its own.
  if (!is_played || position === failed_at || media.dataset.arriving !== undefined) return
  failed_at = position
  media.load()
  media.currentTime = position
  play(media)
})

// A click on a link that the browser opens in another tab or window, or saves.
const opensElsewhere = ({ ctrlKey, metaKey, shiftKey, altKey }) => ctrlKey || metaKey || shiftKey || altKey

const pageAddress = () => location.pathname + location.search

// Links to times, in the description and next to the player.

article.addEventListener('click', event => {
  const link = event.target.closest('[data-seek]')
  const media = player()
  if (!link || !media || opensElsewhere(event)) return
  event.preventDefault()
  seek(media, Number(link.dataset.seek))
  play(media)
  media.scrollIntoView({ block: 'nearest' })
})
