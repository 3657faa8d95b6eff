// The keys of the watch page. `keys.js` has those of every page.

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
