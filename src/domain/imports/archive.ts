/** Writes the archive: one JSON document with everything that a person has, as a stream of text. */
import { type ArchiveList, archive_lists } from '../../db/library/archive-pages.ts'
import type { Library } from '../../db/library/library.ts'
import { archive_format, archive_version } from '../../schema/archive.ts'

/** One item in a line, so that the file can be compared and searched line by line. */
export async function* archiveOf(library: Library, now: Date): AsyncGenerator<string> {
  const head = { format: archive_format, version: archive_version, exported_at: now }
  yield `${JSON.stringify(head).slice(0, -1)},\n"settings":${await library.archive.settings()}`
  for (const list of archive_lists) {
    yield `,\n"${list}":[`
    yield* itemsOf(library, list)
    yield '\n]'
  }
  yield '}\n'
}

async function* itemsOf(library: Library, list: ArchiveList): AsyncGenerator<string> {
  let is_first = true
  for (let after: string[] | null = []; after !== null; ) {
    const page = await library.archive.page(list, after)
    if (page.items.length > 0) yield `${is_first ? '' : ','}\n${page.items.join(',\n')}`
    is_first = false
    after = page.after
  }
}
