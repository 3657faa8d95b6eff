/** The warning for a feed that was read in part. Pure. */
import { max_entries } from '../../schema/values/stored.ts'

/** Why an entry is left out. */
export type Reason = 'no_address' | 'cut' | 'too_many'

/** `read`: how many entries were read. `reasons`: one for each entry left out. Undefined when everything was read. */
export function warningOf(read: number, reasons: Reason[]): string | undefined {
  const count = reasons.length
  if (count === 0) return read === 0 ? 'This feed no longer lists any entries.' : undefined
  const which =
    read > 0
      ? `${count} ${count === 1 ? 'entry' : 'entries'} of this feed`
      : count === 1
        ? 'The only entry of this feed'
        : `All ${count} entries of this feed`
  return `${which} could not be read: ${becauseOf(reasons)}.`
}

/** The most common reason. */
function becauseOf(reasons: Reason[]): string {
  const counts = (['no_address', 'cut', 'too_many'] as const).map(reason => ({
    reason,
    count: reasons.filter(other => other === reason).length,
  }))
  const [{ reason, count } = { reason: 'no_address' as const, count: 0 }] = counts.toSorted((a, b) => b.count - a.count)
  const words = reason === 'no_address' && reasons.length === 1 ? 'it has no address' : sentences[reason]
  return count === reasons.length ? words : `mostly because ${words}`
}

const sentences: Record<Reason, string> = {
  no_address: 'they have no address',
  cut: 'the feed breaks off',
  too_many: `only the first ${max_entries.toLocaleString('en')} of a feed are`,
}
