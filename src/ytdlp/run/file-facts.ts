/** What a file says about its video: its length and its chapters. Pure. */
import { Facts, type FileFacts } from '../../schema/sources/facts.ts'
import { chaptersIn } from './info-file.ts'
import type { Probe } from './probe-file.ts'

/** One chapter divides nothing. */
const fewest_chapters = 2

export function factsIn({ format, chapters }: Probe): FileFacts {
  const seconds = format.duration ? Math.max(1, Math.round(format.duration)) : null
  const found = chaptersIn({ chapters })
  return {
    duration_seconds: Facts.shape.duration_seconds.safeParse(seconds).data ?? null,
    chapters: found && found.length >= fewest_chapters ? found : undefined,
  }
}
