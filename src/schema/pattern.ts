/**
 * Regular expressions that strangers write. RE2JS walks through a title once, whatever the expression, where JavaScript's own
 * can take for ever over `(a+)+$`, and with it everybody's process. So there are no look-arounds and no back-references.
 */
import { RE2JS } from 're2js'

/** Whether it stands anywhere in the text, in any case. */
export type Pattern = (text: string) => boolean

/** Characters of a pattern. */
const most_written = 200
/** Steps of its program, and characters of a text that are looked at: their product bounds the work, at about 1 ms. */
const most_steps = 300
const most_read = 300

/** `undefined`: it cannot be read, or asks for too much. */
export function patternOf(written: string): Pattern | undefined {
  if (written.length > most_written) return undefined
  try {
    const program = RE2JS.compile(written, RE2JS.CASE_INSENSITIVE)
    if (program.programSize() > most_steps) return undefined
    return text => program.matcher(text.slice(0, most_read)).find()
  } catch {
    return undefined
  }
}
