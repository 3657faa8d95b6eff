// The keys of the watch page. `keys.js` has those of every page.

const by = seconds => media => skipBy(media, seconds)
const louder = step => media => {
  media.volume = Math.max(0, Math.min(1, media.volume + step))
  media.muted = false
}
const playing_keys = {
  ' ': acts.play,
  k: acts.play,
  j: acts.back,
  l: acts.forward,
  arrowleft: by(-5),
  arrowright: by(5),
  f: acts.full,
  t: acts.theatre,
  i: acts.float,
  m: acts.mute,
  c: acts.subtitles,
  '<': acts.slower,
  '>': acts.faster,
}
for (let tenth = 0; tenth <= 9; tenth++) playing_keys[tenth] = media => seek(media, (lengthOf(media) * tenth) / 10)

// Otherwise these keys scroll the page.
const full_screen_keys = { arrowup: louder(0.1), arrowdown: louder(-0.1) }

const page_keys = {
  s: () => article.querySelector('.mark button').click(),
  n: () => article.querySelector('a[rel=next]')?.click(),
  p: () => article.querySelector('a[rel=prev]')?.click(),
}

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || list_of_keys?.open) return
  if (event.target.closest('input:not(.bar [type=range]), textarea, select, [contenteditable]')) return
  // The line of the volume moves by its own arrows.
  if (event.target.matches('[data-sets="volume"]') && event.key.startsWith('Arrow')) return
  // An open menu has the arrows.
  if (event.target.closest('details.menu[open]') && event.key.startsWith('Arrow')) return
  // The space bar presses the button or link that has the focus.
  if (event.key === ' ' && event.target.closest('button, a, summary')) return
  const key = event.key.toLowerCase()
  // Off in the settings: then only keys that type nothing, and the space bar, do something.
  if (document.documentElement.dataset.keys === 'off' && key.length === 1 && key !== ' ') return
  const media = player()
  const keys = { ...page_keys, ...(media && playing_keys), ...(media && fullElement() && full_screen_keys) }
  const act = Object.hasOwn(keys, key) && keys[key]
  if (!act) return
  event.preventDefault()
  if (!event.repeat || key.startsWith('arrow') || key === 'j' || key === 'l') act(media)
})
