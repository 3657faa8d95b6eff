/** Writes the archive: one JSON document with everything that a person has, as a stream of text. */
import { type ArchiveList, type ArchivePage, archive_lists } from '../../db/imports/archive-pages.ts'
import type { Library } from '../../db/library.ts'
import { turnsFor } from '../../runtime/turns.ts'
import { archive_format, archive_version } from '../../schema/imports/archive.ts'

/** A person's exports read one page after another, however many they begin, and two pages are read at once over all people. */
const inTurn = turnsFor({ most: 2, of_one: 1 })

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
    const from: string[] = after
    const page: ArchivePage = await inTurn(library.user_id, () => library.archive.page(list, from))
    if (page.items.length > 0) yield `${is_first ? '' : ','}\n${page.items.join(',\n')}`
    is_first = false
    after = page.after
  }
}
