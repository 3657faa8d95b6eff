/** What to do about faults of the machine that a test's set-up meets, whose own words do not say it. */
import { tmpdir } from 'node:os'

const advice: [fault: RegExp, what_to_do: string][] = [
  [
    /ENOSPC|no space left on device/i,
    `The disk of ${tmpdir()} is full. Free some space there, or name another folder in TMPDIR.`,
  ],
  [
    /EADDRINUSE|address already in use/i,
    'A program took a port in the moment after a test had found it free. Run the tests again.',
  ],
  [
    /expected previous hash|no correctly ordered previous migration/,
    'Two migrations have one number, or a committed one was changed. `npm run check` names those of one number.',
  ],
  [/EMFILE|too many open files/i, 'The tests may open too few files. Allow more: ulimit -n 4096.'],
]

/** The sentences that fit these messages of faults, each once. */
export const adviceFor = (messages: string[]): string[] =>
  advice.flatMap(([fault, what_to_do]) => (messages.some(message => fault.test(message)) ? [what_to_do] : []))
