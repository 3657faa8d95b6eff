/** A list of channels that a person imports or exports, and the outcome of each of its lines. */
import { z } from 'zod'
import { ChannelId, ImportId } from './ids.ts'

export const ListKind = z.enum(['opml', 'takeout', 'newpipe', 'freetube', 'json', 'addresses'])
export type ListKind = z.infer<typeof ListKind>

/** Limits of one list: its size in bytes, and its number of channels. */
export const max_list_bytes = 2 * 1024 * 1024
export const max_list_lines = 5000

/** The limit of an uploaded file, in bytes. An archive may be larger than its list: Google Takeout's includes the watch history. */
export const max_file_bytes = 16 * 1024 * 1024
export const file_too_large =
  'This file is larger than 16 MB. In Google Takeout, select only the subscriptions, or unpack the archive and upload the list in it.'

/** Media types of an uploaded file. A form on another site cannot send them without a CORS preflight. */
export const list_file_types = [
  'application/zip',
  'application/x-zip-compressed',
  'application/gzip',
  'application/octet-stream',
]

/** One channel of the list. Whether the address is valid is known only after it was fetched. */
export const ListLine = z.object({
  address: z.string().min(1).max(2100).describe('The address in the list.'),
  title: z.string().max(500).nullable().describe('The title in the list; null: the list has none.'),
})
export type ListLine = z.infer<typeof ListLine>

export const LineOutcome = z.enum(['waiting', 'added', 'already', 'failed'])
export type LineOutcome = z.infer<typeof LineOutcome>

export const ImportLine = ListLine.extend({
  position: z.number().int().describe('The place of the line in the list, from 0, without duplicates.'),
  outcome: LineOutcome.describe(
    '`waiting`: not fetched yet. `added`: now followed. `already`: was followed before. `failed`: see `message`.',
  ),
  message: z.string().nullable().describe('Why the line failed, as a sentence; null for every other outcome.'),
  channel_id: z
    .string()
    .nullable()
    .meta({
      ...z.globalRegistry.get(ChannelId),
      description: 'The followed channel; null: not followed, or unfollowed since.',
    }),
}).meta({ id: 'ImportLine' })
export type ImportLine = z.infer<typeof ImportLine>

export const Import = z
  .object({
    import_id: ImportId,
    kind: ListKind.describe('The format of the list, or the program that it comes from.'),
    created_at: z.date().describe('When the list was imported.'),
    finished_at: z.date().nullable().describe('When the last line was finished; null: some lines are waiting.'),
    passed_over: z.number().int().describe('How many lines of the list are not a channel. They are not in `total`.'),
    total: z.number().int().describe('How many channels the list has.'),
    waiting: z.number().int().describe('How many lines are waiting.'),
    added: z.number().int().describe('How many channels are now followed.'),
    already: z.number().int().describe('How many channels were followed before.'),
    failed: z.number().int().describe('How many lines failed.'),
  })
  .meta({ id: 'Import' })
export type Import = z.infer<typeof Import>

/** The result of fetching one line. */
export type LineResult = { outcome: 'added' | 'already'; channel_id: string } | { outcome: 'failed'; message: string }

/** `not_before`: when to try the line again; `null`: as soon as its host is not paused. */
export type WaitingLine = ImportLine & { not_before: Date | null }

/** A host whose feeds are paused; `reason` is a sentence for people. */
export type FeedPause = { host: string; until: Date; reason: string }

export const ImportRequest = z.object({
  text: z.string().min(1, 'Paste a list.').describe('The list: OPML, JSON, CSV, or one address on each line.'),
})
export const ImportStatus = Import.extend({ lines: z.array(ImportLine) })

/** The form takes a file or a text. Browsers send an empty file when none was chosen. */
export const ImportForm = z.object({
  file: z
    .instanceof(File)
    .transform(file => (file.size > 0 ? file : undefined))
    .or(z.literal('').transform(() => undefined))
    .optional(),
  text: z.string().default(''),
})

export const Export = z.object({
  channels: z.array(
    z.object({
      title: z.string().describe('The title of the channel.'),
      rss_url: z.string().describe('The address of the feed.'),
      channel_id: ChannelId,
    }),
  ),
})
export type Export = z.infer<typeof Export>
