// The watch page: saves the position, makes times links, handles keys, and shows the player once the file is there.
// Without this script the video still starts at the saved position, and the links lead to the same times.

const article = document.querySelector('.watch > article')
const player = () => article.querySelector('.player')

// Position. Browsers seek to the time in the address without a click, so nothing is saved before the video is played.

let is_played = false
let saved = -1

const on = (name, act) =>
  article.addEventListener(name, event => event.target.matches('.player') && act(event.target), true)

// Until the video is played or sought, the player shows its picture, which may have another shape than the player.
const cover = media => !is_played && media?.currentTime === 0 && media.classList.add('unplayed')
cover(player())
on('loadstart', cover)
on('seeking', media => media.classList.remove('unplayed'))

on('play', media => {
  is_played = true
  media.classList.remove('unplayed')
  upNext(false)
})
on('timeupdate', media => Math.abs(media.currentTime - saved) >= 10 && save(media))
on('pause', media => save(media))
on('seeked', media => save(media))
on('ended', media => {
  save(media)
  upNext(true)
})

// The address of a video in object storage expires, and connections break. The player then requests it again from this service.
let failed_at = -1
on('error', media => {
  const position = media.currentTime
  if (!is_played || position === failed_at) return
  failed_at = position
  media.load()
  media.currentTime = position
  media.play().catch(() => {})
})

window.addEventListener('pagehide', leave)
document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && leave())

function leave() {
  if (player()) save(player(), true)
}

function save(media, is_leaving = false) {
  const position = Math.floor(media.currentTime)
  if (!is_played || position === saved) return
  saved = position
  const body = new URLSearchParams({ position_seconds: position })
  if (Number.isFinite(media.duration)) body.set('duration_seconds', Math.floor(media.duration))
  if (is_leaving) return void navigator.sendBeacon(media.dataset.position, body)
  fetch(media.dataset.position, { method: 'POST', body, headers: { 'hx-request': 'true' }, keepalive: true })
    .then(answer => answer.ok && answer.text().then(showMark))
    // The next position replaces it.
    .catch(() => {})
}

// At the end of the video, the server marks it as watched.
function showMark(html) {
  const [former, mark] = [article.querySelector('.mark'), partsOf(html).querySelector('.mark')]
  if (mark && mark.className !== former.className) put(former, mark)
}

function upNext(is_over) {
  const link = article.querySelector('.up-next')
  if (link) link.hidden = !is_over
}

// Links to times, in the description and next to the player.

article.addEventListener('click', event => {
  const link = event.target.closest('[data-seek]')
  const media = player()
  if (!link || !media || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  media.currentTime = Number(link.dataset.seek)
  media.play().catch(() => {})
  media.scrollIntoView({ block: 'nearest' })
})

// Keys.

const by = seconds => media => {
  media.currentTime = Math.max(0, media.currentTime + seconds)
}
const playing_keys = {
  ' ': media => (media.paused ? media.play().catch(() => {}) : media.pause()),
  j: by(-10),
  l: by(10),
  arrowleft: by(-5),
  arrowright: by(5),
  f: media => (document.fullscreenElement ? document.exitFullscreen() : media.requestFullscreen?.().catch(() => {})),
  m: media => {
    media.muted = !media.muted
  },
  c: media => {
    const tracks = [...media.textTracks]
    const is_shown = tracks.some(({ mode }) => mode === 'showing')
    for (const [index, track] of tracks.entries()) track.mode = !is_shown && index === 0 ? 'showing' : 'disabled'
  },
}
playing_keys.k = playing_keys[' ']
for (let tenth = 0; tenth <= 9; tenth++) {
  playing_keys[tenth] = media => {
    if (Number.isFinite(media.duration)) media.currentTime = (media.duration * tenth) / 10
  }
}
const page_keys = {
  s: () => article.querySelector('.mark button').click(),
  n: () => article.querySelector('a[rel=next]')?.click(),
  p: () => article.querySelector('a[rel=prev]')?.click(),
}

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || list_of_keys?.open) return
  if (event.target.closest('input, textarea, select, [contenteditable]')) return
  // The space bar presses the button or link that has the focus.
  if (event.key === ' ' && event.target.closest('button, a, summary')) return
  const key = event.key.toLowerCase()
  // Off in the settings: then only keys that type nothing, and the space bar, do something.
  if (document.documentElement.dataset.keys === 'off' && key.length === 1 && key !== ' ') return
  const media = player()
  const act = Object.hasOwn(page_keys, key)
    ? page_keys[key]
    : media && Object.hasOwn(playing_keys, key) && playing_keys[key]
  if (!act) return
  event.preventDefault()
  if (!event.repeat || key.startsWith('arrow') || key === 'j' || key === 'l') act(media)
})

// When the file appears or disappears while the page is open, the parts that depend on it are fetched again.

let is_fetching = false

new MutationObserver(async () => {
  const cell = document.getElementById(article.dataset.cell)
  const is_there = cell?.classList.contains('completed')
  if (!cell || is_there === Boolean(player()) || is_fetching) return
  is_fetching = true
  try {
    const page = partsOf(await (await fetch(location.pathname + location.search)).text())
    const agrees = is_there === Boolean(page.querySelector('.player'))
    for (const id of ['stage', 'known', 'file', 'about']) {
      const part = page.getElementById(id)
      if (part && agrees) put(document.getElementById(id), part)
    }
  } catch {
    // The page shows it when it is opened the next time.
  }
  is_fetching = false
}).observe(article, { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] })

const partsOf = html => new DOMParser().parseFromString(html, 'text/html')

function put(former, part) {
  former.replaceWith(part)
  window.htmx?.process(part)
}
