/** Importing and exporting lists of channels. `perform-import.ts` works through the lines of an import. */
import type { Library } from '../../db/library/library.ts'
import { DomainError } from '../../errors.ts'
import type { Given } from '../../feed/lists/read-list.ts'
import { lazily } from '../../runtime/lazily.ts'
import type { Export, Import, ImportLine } from '../../schema/import.ts'

/** The formats of lists are loaded with the first list. */
const readList = lazily(async () => (await import('../../feed/lists/read-list.ts')).readList)

/** Reads the list at once, so that an error in the whole list is reported at once. Its channels are followed later. */
export async function beginImport(library: Library, given: Given): Promise<Import> {
  const { kind, lines, passed_over } = await readList(given, library.user_id)
  const import_id = await library.imports.begin(kind, lines, passed_over)
  if (!import_id) {
    throw new DomainError('conflict', 'Five of your imports are still running. Wait until one has finished.')
  }
  return getImport(library, import_id)
}

export async function getImport(library: Library, import_id: string): Promise<Import> {
  const found = await library.imports.find(import_id)
  if (!found) throw new DomainError('not_found', 'There is no such import. Old imports are deleted.')
  return found
}

/** With at most `limit` of its lines, the failed ones first. */
export async function importWithLines(
  library: Library,
  import_id: string,
  limit: number,
): Promise<{ imported: Import; lines: ImportLine[] }> {
  const imported = await getImport(library, import_id)
  return { imported, lines: await library.imports.lines(import_id, limit) }
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
