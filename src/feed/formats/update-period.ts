/** How often a feed wants to be fetched: `ttl` of RSS, and the `sy:` elements of RSS 1.0 that blogs still use. Pure. */
import type { Element } from '../markup/element.ts'
import { textAt } from '../markup/xml.ts'

/** The longer of the two, in minutes; undefined when there is neither. */
export function everyMinutesOf(channel: Element): number | undefined {
  const said = [wholeAt(channel, 'ttl') ?? 0, periodOf(channel)]
  const longest = Math.round(Math.max(...said))
  return longest > 0 ? Math.min(longest, minutes.yearly) : undefined
}

function periodOf(channel: Element): number {
  const period = textAt(channel, 'sy:updateperiod')?.trim().toLowerCase() ?? ''
  const times = wholeAt(channel, 'sy:updatefrequency') ?? 1
  return isPeriod(period) && times > 0 ? minutes[period] / times : 0
}

function wholeAt(element: Element, name: string): number | undefined {
  const text = textAt(element, name)?.trim() ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

const minutes = { hourly: 60, daily: 24 * 60, weekly: 7 * 24 * 60, monthly: 30 * 24 * 60, yearly: 365 * 24 * 60 }
const isPeriod = (word: string): word is keyof typeof minutes => Object.hasOwn(minutes, word)
