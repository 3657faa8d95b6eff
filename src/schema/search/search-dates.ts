/** Reads the dates and times ago in a search, and says them in words. Pure; `undefined`: it is neither. */

export type Time = {
  at: Date
  /** "Before April 2025", "Older than 7 days". */
  before: string
  /** At that time or later: "Since April 2025", "In the last 7 days". */
  after: string
}

/** `7d`, `2w`, `3m`, `1y`: before now. */
export function timeAgo(value: string, now: Date): Time | undefined {
  const [, digits, unit] = /^(\d{1,3})([dwmy])$/i.exec(value) ?? []
  const [word, days, months] = units[unit?.toLowerCase() ?? ''] ?? []
  if (!word || days === undefined || months === undefined) return undefined
  const count = Number(digits)
  const at = new Date(now.getTime() - count * days * 86_400_000)
  at.setUTCMonth(at.getUTCMonth() - count * months)
  // One month before 31 March is the last day of February.
  if (months > 0 && at.getUTCDate() !== now.getUTCDate()) at.setUTCDate(0)
  const span = `${count} ${word}${count === 1 ? '' : 's'}`
  return { at, before: `Older than ${span}`, after: `In the last ${span}` }
}

/** The word, and how many days and months one of them is. */
const units: Record<string, [string, number, number]> = {
  d: ['day', 1, 0],
  w: ['week', 7, 0],
  m: ['month', 0, 1],
  y: ['year', 0, 12],
}

/** The beginning of a year, a month or a day, in UTC: `2025`, `2025-04`, `2025-04-30`. */
export function dayOf(value: string): Time | undefined {
  const [, year, month, date] = /^([1-9]\d{3})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(value) ?? []
  const at = new Date(Date.UTC(Number(year), Number(month ?? 1) - 1, Number(date ?? 1)))
  // `Date.UTC` takes 30 February for 2 March.
  const is_real = at.getUTCMonth() + 1 === Number(month ?? 1) && at.getUTCDate() === Number(date ?? 1)
  if (!is_real) return undefined
  const words = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    year: 'numeric',
    ...(month && { month: 'long' }),
    ...(date && { day: 'numeric' }),
  }).format(at)
  return { at, before: `Before ${words}`, after: `Since ${words}` }
}
