// Shows pictures that are stored after a page was sent, and larger ones where that pays. Every page works without it.

import { base } from './site.js'

// Pictures that are not stored yet: the server fetches them within seconds, and this script shows them without
// a reload. One request asks for all that are missing, at most `pauses_ms.length` times. A page that misses no picture sends no request.

const pauses_ms = [1000, 1500, 2500, 4000, 8000, 15_000]
// Each id is part of the address of the request.
const max_query_characters = 6000

let tries = 0
let timer = 0
/** Ids of pictures. @type {Set<string>} */
const asked = new Set()

const awaiting = () => [...document.querySelectorAll('[data-awaits]')].filter(place => !place.querySelector('img'))
const awaitedIds = () => awaiting().map(place => place.dataset.awaits ?? '')

function look() {
  const ids = new Set(awaitedIds())
  // The count begins again when a list grew, because the tries so far were for other pictures.
  if ([...ids].some(id => !asked.has(id))) tries = 0
  for (const id of ids) asked.add(id)
  clearTimeout(timer)
  if (ids.size > 0 && tries < pauses_ms.length) timer = setTimeout(ask, pauses_ms[tries])
}

async function ask() {
  if (document.hidden) return document.addEventListener('visibilitychange', ask, { once: true })
  tries += 1
  const { stored, is_coming } = await storedOf(awaitedIds())
  for (const { kind, id, picture_url } of stored) show(`${kind} ${id}`, picture_url)
  if (is_coming) look()
}

/**
 * @param {string[]} awaited
 * @returns {Promise<{ stored: { kind: string, id: string, picture_url: string }[], is_coming: boolean }>}
 */
async function storedOf(awaited) {
  const query = new URLSearchParams()
  for (const id of new Set(awaited)) {
    const [kind, ...rest] = id.split(' ')
    if (query.toString().length < max_query_characters) query.append(`${kind}_id`, rest.join(' '))
  }
  const answer = await fetch(`${base}/pictures?${query}`, { headers: { Accept: 'application/json' } }).catch(
    () => undefined,
  )
  // While the server is away, `page/polling.js` alone asks for it. The next list or page looks for pictures again.
  return answer?.ok ? answer.json() : { stored: [], is_coming: false }
}

/** @param {string} id @param {string} picture_url */
function show(id, picture_url) {
  for (const place of awaiting().filter(({ dataset }) => dataset.awaits === id))
    add(place, place.dataset.size === 'large' ? picture_url : picture_url.replace(/large$/, 'small'))
}

/** @param {HTMLElement} place @param {string} src */
function add(place, src) {
  const picture = new Image()
  picture.alt = ''
  picture.decoding = 'async'
  picture.loading = 'lazy'
  picture.src = src
  place.append(picture)
  return picture
}

// Browsers load lazy pictures of several screens ahead, and even more on slow lines. So cards far down only name their picture, and it is
// loaded here when it is near the window. Without a script, the browser loads it.

/** @type {IntersectionObserver | undefined} */
let near

function loadNear() {
  near ??= new IntersectionObserver(seen => seen.forEach(bring), { rootMargin: isQuick() ? '100% 0%' : '10% 0%' })
  for (const place of document.querySelectorAll('[data-later]')) near.observe(place)
}

/** @param {IntersectionObserverEntry} entry */
function bring({ isIntersecting, target }) {
  if (!isIntersecting || !(target instanceof HTMLElement)) return
  near?.unobserve(target)
  add(target, target.dataset.later ?? '').className = 'sharpens'
  target.removeAttribute('data-later')
  sharpenSoon()
}

// Cards come with small pictures. Where these have fewer pixels than the screen shows, and the page was there quickly, large ones
// replace them when they are in sight. The browser shows the small picture until the large one has arrived.

const quick_ms = 1000
const in_sight = new IntersectionObserver(seen => {
  for (const { isIntersecting, target } of seen)
    if (isIntersecting && target instanceof HTMLImageElement) sharpen(target)
})

/** @param {HTMLImageElement} picture */
function sharpen(picture) {
  in_sight.unobserve(picture)
  if (picture.clientWidth * devicePixelRatio > picture.naturalWidth * 1.25)
    picture.src = picture.src.replace(/small$/, 'large')
}

function isQuick() {
  // Only some browsers know the connection.
  const { effectiveType = '4g', saveData = false } = navigator.connection ?? {}
  return loadTime() <= quick_ms && effectiveType === '4g' && !saveData
}

/** Milliseconds; zero until the page is loaded. */
function loadTime() {
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'))
  return visit?.loadEventEnd ?? 0
}

function sharpenSoon() {
  if (!isQuick()) return
  /** @type {NodeListOf<HTMLImageElement>} */
  const pictures = document.querySelectorAll('img.sharpens[src$=small]')
  for (const picture of pictures)
    if (picture.complete && picture.naturalWidth > 0) in_sight.observe(picture)
    else picture.addEventListener('load', () => in_sight.observe(picture), { once: true })
}

function afterLoad() {
  if (loadTime() === 0) return
  sharpenSoon()
  loadNear()
}

look()
// The time at which `load` ended is known only after the event.
window.addEventListener('load', () => setTimeout(afterLoad))
document.addEventListener('htmx:after:swap', look)
document.addEventListener('htmx:after:swap', afterLoad)

// A picture that cannot be loaded is removed, which reveals the initial below it.

/** @param {HTMLImageElement} picture */
const dropBroken = picture => picture.closest('.avatar, .thumbnail') && picture.remove()
document.addEventListener('error', event => event.target instanceof HTMLImageElement && dropBroken(event.target), true)
/** @type {NodeListOf<HTMLImageElement>} */
const first_pictures = document.querySelectorAll('.avatar img, .thumbnail img')
for (const picture of first_pictures)
  if (picture.complete && picture.naturalWidth === 0 && picture.currentSrc) dropBroken(picture)
