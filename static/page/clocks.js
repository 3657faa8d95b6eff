// Clock times. Only the browser knows the reader's time zone: `data-clock` asks for "since yesterday 21:10", "tomorrow at 8:10" or a date.

import { base } from './site.js'

/** @typedef {(date: Date) => string} Words */

// The server groups videos by the reader's days.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
if (timeZone && !document.cookie.includes(`time_zone=${encodeURIComponent(timeZone)}`))
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing without https.
  document.cookie = `time_zone=${encodeURIComponent(timeZone)}; path=${base}/; max-age=31536000; samesite=lax`

/** @type {Words} */
const clockWords = date => date.toLocaleTimeString([], { timeStyle: 'short' })

/** The day of a time, or nothing for today. @type {Words} */
const dayWords = date => {
  const midnight = (/** @type {Date} */ time) => new Date(time).setHours(0, 0, 0, 0)
  const days = Math.round((midnight(date) - midnight(new Date())) / 86_400_000)
  if (Math.abs(days) < 2) return ['yesterday', '', 'tomorrow'][days + 1]
  return date.toLocaleDateString('en', Math.abs(days) < 7 ? { weekday: 'long' } : { dateStyle: 'long' })
}

/** @type {Record<string, Words>} */
const clocks = {
  since: date => `since ${[dayWords(date), clockWords(date)].filter(Boolean).join(' ')}`,
  at: date => {
    const day = dayWords(date)
    const on = day && !['yesterday', 'tomorrow'].includes(day) ? 'on' : ''
    return [on, day, `at ${clockWords(date)}`].filter(Boolean).join(' ')
  },
  on: date => date.toLocaleDateString('en-GB', { dateStyle: 'long' }),
}

function showClocks() {
  /** @type {NodeListOf<HTMLTimeElement>} */
  const times = document.querySelectorAll('time[data-clock]')
  for (const time of times) {
    const date = new Date(time.dateTime)
    const words = clocks[time.dataset.clock ?? ''](date)
    if (time.textContent !== words) time.textContent = words
    time.title = date.toLocaleString()
  }
}
showClocks()
// A swap brings the words of the server, which are written again.
document.addEventListener('htmx:after:swap', showClocks)
