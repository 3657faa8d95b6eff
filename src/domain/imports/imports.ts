/** Begins imports of lists, histories and archives, and exports channels and the archive. `perform-import.ts` performs an import. */
import { type ArchiveList, type ArchivePage, archive_lists } from '../../db/imports/archive-pages.ts'
import type { Library } from '../../db/library.ts'
import { DomainError } from '../../errors.ts'
import type { ArchiveOptions } from '../../feed/lists/parse-file.ts'
import type { ListSource } from '../../feed/lists/read-list.ts'
import { loadedOnce } from '../../runtime/cache.ts'
import { turnsFor } from '../../runtime/turns.ts'
import type { Channel } from '../../schema/channels/channel.ts'
import { archive_format, archive_version } from '../../schema/imports/archive.ts'
import type { Export, Import, ImportLine } from '../../schema/imports/import.ts'
import { orThrow } from '../get.ts'

/** The formats of lists are loaded with the first list. */
const lists = loadedOnce(() => import('../../feed/lists/read-list.ts'))

/**
 * Reads the file at once, so that an error in the whole of it is reported at once. Its channels are followed later, and its marks and
 * videos are merged later.
 */
export async function beginImport(library: Library, given: ListSource, options: ArchiveOptions = {}): Promise<Import> {
  const { readInTurn } = await lists()
  const import_id = await readInTurn(given, { whose: library.user_id, ...options }, library.imports.begin)
  if (!import_id) {
    throw new DomainError('conflict', 'Five of your imports are still running. Wait until one has finished.')
  }
  return getImport(library, import_id)
}

export const getImport = async (library: Library, import_id: string): Promise<Import> =>
  orThrow(await library.imports.find(import_id), noSuchImport)

const noSuchImport = () => new DomainError('not_found', 'There is no such import. Old imports are deleted.')

/** The import with at most `limit` of its lines. Failed lines come first. */
export async function importWithLines(
  library: Library,
  import_id: string,
  limit: number,
): Promise<{ imported: Import; lines: ImportLine[] }> {
  const imported = await getImport(library, import_id)
  return { imported, lines: await library.imports.lines(import_id, limit) }
}

/** The followed channels that these lines have led to, by their ids. */
export async function channelsOfLines(library: Library, lines: ImportLine[]): Promise<Map<string, Channel>> {
  const channels = await library.channels.several(lines.flatMap(({ channel_id }) => channel_id ?? []))
  return new Map(channels.map(channel => [channel.channel_id, channel]))
}

/** Tries the failed lines again. */
export async function retryImport(library: Library, import_id: string): Promise<Import> {
  await getImport(library, import_id)
  await library.imports.retry(import_id)
  return getImport(library, import_id)
}

/** All followed channels, in a form that our own import can read. */
export async function exportChannels(library: Library): Promise<Export> {
  const channels = await library.channels.list()
  return {
    channels: channels.flatMap(({ title, rss_url, channel_id }) => (rss_url ? { title, rss_url, channel_id } : [])),
  }
}

/** The followed channels for OPML: those in groups, each group as a folder, and the others. */
export async function exportGrouped(library: Library) {
  const channels = (await library.channels.list()).flatMap(({ rss_url, ...channel }) =>
    rss_url ? [{ ...channel, rss_url }] : [],
  )
  const groups = (await library.groups.list()).map(({ group_id, name }) => ({
    name,
    channels: channels.filter(({ group_ids }) => group_ids.includes(group_id)),
  }))
  return { groups, others: channels.filter(({ group_ids }) => group_ids.length === 0) }
}

/** A person's exports read one page after another, however many they begin, and two pages are read at once over all people. */
const inTurn = turnsFor({ most: 2, of_one: 1 })

/**
 * The archive: one JSON document with everything that a person has, as a stream of text. Each item is in a line of its own, so that the
 * file can be compared and searched line by line.
 */
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
