/**
 * Regular expressions that users write. RE2JS matches in linear time; JavaScript's engine can take years for `(a+)+$`, and the
 * process serves all users. The price: no look-arounds and no back-references.
 */
import { RE2JS } from 're2js'

/** Whether the expression matches anywhere in the text, ignoring case. */
export type Pattern = (text: string) => boolean

/** The longest pattern, in characters. */
const longest_pattern = 200
/** Steps of the compiled program, and characters of a text that are read. Their product limits a match to about 1 ms. */
const most_steps = 300
const longest_read = 300

/** `undefined` when the pattern is invalid or too expensive. */
export function patternOf(written: string): Pattern | undefined {
  if (written.length > longest_pattern) return undefined
  try {
    const program = RE2JS.compile(written, RE2JS.CASE_INSENSITIVE)
    if (program.programSize() > most_steps) return undefined
    return text => program.matcher(text.slice(0, longest_read)).find()
  } catch {
    return undefined
  }
}
