// The end of a video: the next one plays after a countdown, unless the person stays or has turned that off.

const countdown_s = 8
let counting

const upNext = () => article.querySelector('.up-next')
const playsOn = () => remembered.get('autoplay') !== 'false'
const nextLink = () => upNext()?.querySelector('a[data-plays]')

function showNext(is_over) {
  clearInterval(counting)
  if (!upNext()) return
  upNext().hidden = !is_over
  if (is_over && nextLink() && playsOn()) countDown(countdown_s)
  else showCount('')
}

function countDown(left) {
  showCount(`Plays in ${left} s`)
  counting = setInterval(() => {
    left -= 1
    showCount(`Plays in ${left} s`)
    if (left <= 0) acts.playnext()
  }, 1000)
}

function showCount(words) {
  const count = upNext()?.querySelector('.count')
  if (count) count.textContent = words
}

on('ended', () => showNext(true))
for (const name of ['play', 'seeking']) on(name, () => showNext(false))
document.addEventListener('keydown', event => event.key === 'Escape' && acts.stay())

// The next page plays at once where the browser allows it.
const goes_on = 'player-goes-on'
Object.assign(acts, {
  playnext: () => {
    clearInterval(counting)
    sessionStorage.setItem(goes_on, nextLink().getAttribute('href'))
    nextLink().click()
  },
  stay: () => {
    clearInterval(counting)
    going?.abort()
    showCount('')
  },
  autoplay: () => {
    remembered.set('autoplay', !playsOn())
    press('autoplay', playsOn())
    if (!playsOn()) acts.stay()
  },
})
if (sessionStorage.getItem(goes_on) === pageAddress() && player()) play(player())
sessionStorage.removeItem(goes_on)

onPlayer(() => press('autoplay', playsOn()))
