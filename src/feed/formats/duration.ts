/** Reads how long a video is from what a feed says about it. Pure. */
import { Facts } from '../../schema/sources/facts.ts'

/**
 * In whole seconds, rounded up; undefined for 0 and for anything else that is no length. Forms: `1:02:03`, `62:03`, `3723`,
 * `3723.5` and ISO 8601 (`PT1H2M3S`).
 */
export function durationOf(text: string | undefined): number | undefined {
  const given = text?.trim() ?? ''
  const seconds = secondsByClock(given) ?? secondsByPeriod(given)
  const whole = Math.ceil(seconds ?? 0)
  return whole > 0 && Facts.shape.duration_seconds.safeParse(whole).success ? whole : undefined
}

function secondsByClock(text: string): number | undefined {
  if (!/^\d{1,9}(?::\d{1,2}){0,2}(?:[.,]\d{1,6})?$/.test(text)) return undefined
  return text
    .replace(',', '.')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0)
}

function secondsByPeriod(text: string): number | undefined {
  const found = /^P(?:(\d{1,4})D)?T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8}(?:\.\d{1,6})?)S)?$/i.exec(text)
  if (!found) return undefined
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map(part => Number(part ?? 0))
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
}
