// What fingers do on the picture: a tap plays or pauses, two at a side skip, and turning the phone fills the screen. Each has a button too.

const second_tap_ms = 300
let tapped = { at: 0, side: 0 }
let single_tap
let was_resting = false

// Before the tap brings back the controls.
document.addEventListener('pointerdown', () => (was_resting = stage()?.classList.contains('resting')), true)

article.addEventListener('pointerup', event => {
  if (event.pointerType !== 'touch' || !event.target.matches('video.player, .instead')) return
  const { left, width } = event.target.getBoundingClientRect()
  const share = (event.clientX - left) / width
  const side = share < 1 / 3 ? -1 : share > 2 / 3 ? 1 : 0
  const is_second = event.timeStamp - tapped.at < second_tap_ms && side === tapped.side
  tapped = { at: event.timeStamp, side }
  clearTimeout(single_tap)
  if (is_second && side !== 0) return skipTo(side)
  if (!was_resting) single_tap = setTimeout(() => acts.play(player()), second_tap_ms)
})

function skipTo(side) {
  acts[side < 0 ? 'back' : 'forward'](player())
  const sign = document.createElement('span')
  sign.className = side < 0 ? 'sign' : 'sign right'
  sign.textContent = side < 0 ? '−10 s' : '+10 s'
  stage().querySelector('.sign')?.remove()
  stage().append(sign)
  setTimeout(() => sign.remove(), 600)
}

// Only what was entered by turning the phone is left by turning it back.
let is_turned = false
screen.orientation?.addEventListener('change', () => {
  const is_wide = screen.orientation.type.startsWith('landscape')
  const media = player()
  if (!matchMedia('(pointer: coarse)').matches || !media?.matches('video')) return
  if (is_wide && !media.paused && !fullElement()) {
    is_turned = true
    acts.full(media)
  } else if (!is_wide && is_turned && fullElement()) {
    is_turned = false
    acts.full(media)
  }
})
