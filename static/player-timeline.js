// The line beneath the player: the position, what is loaded, marks, and the time under the pointer. Every seek passes here.

const timeline = () => article.querySelector('.timeline')
const lengthOf = media => (Number.isFinite(media.duration) ? media.duration : Number(media.dataset.length) || 0)

const clock = seconds => {
  const whole = Math.max(0, Math.floor(seconds))
  const two = part => String(part).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

// While a video is downloaded, `data-arrived` says how many of its seconds are here.
const arrivedOf = media => Math.min(lengthOf(media), Number(media.dataset.arrived ?? Number.POSITIVE_INFINITY))
// There is no picture at the very end.
const before_end_s = 0.5

// Before the file begins to load, where it will start.
const placeOf = media =>
  media.currentTime || (media.readyState === HTMLMediaElement.HAVE_NOTHING && Number(media.dataset.start)) || 0

const skipBy = (media, seconds) => seek(media, placeOf(media) + seconds)

function seek(media, seconds) {
  const arrived = arrivedOf(media)
  const is_beyond = seconds > arrived && arrived < lengthOf(media)
  if (is_beyond) sayOnStage(`Arrived to ${clock(arrived)} so far.`)
  const last = is_beyond ? arrived - before_end_s : lengthOf(media) || seconds
  media.currentTime = Math.max(0, Math.min(seconds, last))
}

// A short message over the picture, with one thing to do at most: `[words, act]`.
let silence
function sayOnStage(words, todo) {
  const place = article.querySelector('.said')
  if (!place) return
  place.textContent = words
  if (todo) {
    const button = document.createElement('button')
    button.textContent = todo[0]
    button.type = 'button'
    button.addEventListener('click', ({ detail }) => {
      // A key pressed it: the focus must not be lost with the button.
      if (detail === 0) stage().querySelector('[data-act=play]')?.focus()
      place.textContent = ''
      todo[1]()
    })
    place.append(' ', button)
  }
  clearTimeout(silence)
  const clear = () => {
    if (place.contains(document.activeElement)) silence = setTimeout(clear, 1000)
    else place.replaceChildren()
  }
  silence = setTimeout(clear, todo ? 8000 : 4000)
}

// The position.

let is_dragging = false

const spoken = seconds => {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const parts = [
    [hours, 'hour'],
    [minutes, 'minute'],
    [Math.floor(seconds) % 60, 'second'],
  ]
  const said = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`)
  return said.join(' ') || 'Start'
}

function showTime(media) {
  const line = timeline()
  if (!line) return
  const [field, length] = [line.querySelector('input'), lengthOf(media)]
  if (Number(field.max) !== length) field.max = length
  if (!is_dragging) field.value = media.currentTime
  const time = Number(field.value)
  field.setAttribute('aria-valuetext', spoken(time))
  article.querySelector('.bar .time').textContent = `${clock(time)} / ${clock(length)}`
  const shares = { played: time, buffered: bufferedAt(media, time), arrived: arrivedOf(media) }
  for (const [name, seconds] of Object.entries(shares))
    line.style.setProperty(`--${name}`, length > 0 ? Math.min(1, seconds / length) : 0)
  line.classList.toggle('arriving', arrivedOf(media) < length)
}

function bufferedAt({ buffered }, time) {
  for (let index = 0; index < buffered.length; index++)
    if (buffered.start(index) <= time + 1 && buffered.end(index) >= time) return buffered.end(index)
  return 0
}

onPlayer(showTime)
for (const name of ['timeupdate', 'progress', 'durationchange', 'seeking', 'arrived']) on(name, showTime)

article.addEventListener('input', ({ target }) => {
  if (target.dataset.sets !== 'time') return
  is_dragging = true
  showTime(player())
})
article.addEventListener('change', ({ target }) => {
  if (target.dataset.sets !== 'time') return
  is_dragging = false
  seek(player(), Number(target.value))
})

// The time under the pointer, and the name of what is marked there.

article.addEventListener('pointermove', event => {
  const line = event.target.closest('.timeline')
  if (!line) return
  const { left, width } = line.querySelector('.marks').getBoundingClientRect()
  const share = Math.max(0, Math.min(1, (event.clientX - left) / width))
  const seconds = share * lengthOf(player())
  line.style.setProperty('--pointed', share)
  line.querySelector('.tip').textContent = [clock(seconds), nameAt(seconds)].filter(Boolean).join(' · ')
})

function nameAt(seconds) {
  const marks = [...article.querySelectorAll('.marks > [data-name]')]
  return marks
    .filter(({ dataset }) => Number(dataset.from) <= seconds && seconds < Number(dataset.to))
    .map(({ dataset }) => dataset.name)
    .join(' · ')
}

// A mark of a stretch, such as a chapter. `kind` is its class.
function stretchOf(kind, name, from, to) {
  const [stretch, length] = [document.createElement('span'), lengthOf(player())]
  stretch.className = kind
  Object.assign(stretch.dataset, { name, from, to })
  stretch.style.setProperty('--from', length > 0 ? from / length : 0)
  stretch.style.setProperty('--to', length > 0 ? Math.min(1, to / length) : 0)
  return stretch
}
