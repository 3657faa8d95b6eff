/** Importing and exporting lists of channels. `perform-import.ts` works through the lines of an import. */
import type { Library } from '../../db/library.ts'
import { DomainError } from '../../errors.ts'
import type { Given } from '../../feed/lists/read-list.ts'
import { loadedOnce } from '../../runtime/lazily.ts'
import type { Export, Import, ImportLine } from '../../schema/imports/import.ts'

/** The formats of lists are loaded with the first list. */
const lists = loadedOnce(() => import('../../feed/lists/read-list.ts'))

export type ImportOptions = {
  /** Whether the downloads of an archive are requested again. */
  downloads?: boolean | undefined
  /** Whether nothing but an archive is accepted. */
  is_archive?: boolean
}

/**
 * Reads the file at once, so that an error in the whole of it is reported at once. Its channels are followed later, and its marks and
 * videos are merged later.
 */
export async function beginImport(
  library: Library,
  given: Given,
  { downloads = false, is_archive = false }: ImportOptions = {},
): Promise<Import> {
  const { readInTurn } = await lists()
  const options = { whose: library.user_id, downloads, is_archive }
  const import_id = await readInTurn(given, options, read => library.imports.take(read))
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
