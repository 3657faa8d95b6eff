// Skips the parts of a video that the person does not want, and marks them. The file stays whole, and each skip can be undone.

import { article, on, onPlayer, player, sayOnStage } from './player.js'
import { clock, lengthOf, seek, stretchOf, timeline } from './timeline.js'

/** @typedef {{ start_seconds: number, end_seconds: number, category: string }} Segment */

/** The parts of the video that is shown. @type {Segment[]} */
let segments = []
let last_time = -1
/** @type {Set<Segment>} */
const played_anyway = new Set()
const asked_for = new WeakSet()

onPlayer(async media => {
  if (asked_for.has(media)) return
  asked_for.add(media)
  ;[segments, last_time] = [[], -1]
  const words = article.querySelector('.segments')
  if (!media.dataset.segments || !words) return
  const wanted = new Set([...words.querySelectorAll('[data-category]')].map(({ dataset }) => dataset.category))
  const found = await segmentsAt(media.dataset.segments)
  // Another video may be shown by now.
  if (media !== player()) return
  segments = found.filter(({ category }) => wanted.has(category))
  showSegments(words)
  markSegments(media)
})

/** Without the service, the video plays whole. @param {string} address @returns {Promise<Segment[]>} */
async function segmentsAt(address) {
  try {
    const answer = await fetch(address)
    return answer.ok ? (await answer.json()).segments : []
  } catch {
    return []
  }
}

/** @param {HTMLElement} words */
function showSegments(words) {
  for (const one of [words, article.querySelector('.credit')]) if (one) one.hidden = segments.length === 0
  for (const kind of words.querySelectorAll('[data-category]')) {
    const own = segments.filter(({ category }) => category === kind.dataset.category)
    kind.hidden = own.length === 0
    const times = own.map(({ start_seconds, end_seconds }) => `${clock(start_seconds)}–${clock(end_seconds)}`)
    const place = kind.querySelector('.times')
    if (place) place.textContent = times.join(', ')
  }
}

/** @param {Player} media */
function markSegments(media) {
  const marks = timeline()?.querySelector('.marks')
  if (!marks || !(lengthOf(media) > 0)) return
  for (const former of marks.querySelectorAll('.segment')) former.remove()
  for (const { start_seconds, end_seconds, category } of segments) {
    const kind = article.querySelector(`.segments [data-category="${category}"]`)
    const name = kind?.querySelector('.name')?.textContent ?? ''
    marks.append(stretchOf(media, `segment ${category}`, name, start_seconds, end_seconds))
  }
}
on('durationchange', markSegments)

// A part is skipped when playing reaches its start. A person who seeks into the middle of a part wants to see it.
on('seeking', media => {
  last_time = media.currentTime
})
on('timeupdate', media => {
  const { currentTime: now, paused, seeking } = media
  if (paused || seeking) return
  const reached = segments.find(
    segment =>
      !played_anyway.has(segment) &&
      segment.start_seconds >= last_time &&
      segment.start_seconds <= now &&
      now < segment.end_seconds,
  )
  last_time = now
  if (reached) skip(media, reached)
})

/** Parts that overlap are skipped together. @param {Player} media @param {Segment} segment */
function skip(media, segment) {
  const { start_seconds } = segment
  const skipped = [segment]
  let { end_seconds } = segment
  for (const next of segments.toSorted((one, other) => one.start_seconds - other.start_seconds))
    if (!played_anyway.has(next) && next.start_seconds >= start_seconds && next.start_seconds <= end_seconds) {
      skipped.push(next)
      end_seconds = Math.max(end_seconds, next.end_seconds)
    }
  seek(media, end_seconds)
  const undo = () => {
    for (const one of skipped) played_anyway.add(one)
    const shown = player()
    if (shown) seek(shown, start_seconds)
  }
  sayOnStage(`Skipped ${clock(end_seconds - start_seconds)} ·`, ['Undo', undo])
}
