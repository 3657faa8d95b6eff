/** A list of channels that somebody brings along, and what became of each of its lines. */
import { z } from 'zod'

/** Where a list comes from, as far as its own text tells. */
export const ListKind = z.enum(['opml', 'takeout', 'newpipe', 'freetube', 'json', 'addresses'])
export type ListKind = z.infer<typeof ListKind>

/** Bytes of one list, and channels in it. */
export const most_list_bytes = 2 * 1024 * 1024
export const most_list_lines = 5000

/** Bytes of a file as it is brought. An archive may hold more than the list: Google's has the history of years. */
export const most_file_bytes = 16 * 1024 * 1024
export const file_too_large =
  'This file is larger than 16 MB. In Google Takeout choose only the subscriptions, or unpack it and bring the list inside.'

/** Types of a body that is a file. No form on a foreign page can send them without asking first. */
export const list_file_types = [
  'application/zip',
  'application/x-zip-compressed',
  'application/gzip',
  'application/octet-stream',
]

/** One channel as the list names it. Whether the address is one is found out by asking it. */
export const ListLine = z.object({
  address: z.string().min(1).max(2100),
  title: z.string().max(500).nullable(),
})
export type ListLine = z.infer<typeof ListLine>

export const LineOutcome = z.enum(['waiting', 'added', 'already', 'failed'])
export type LineOutcome = z.infer<typeof LineOutcome>

export const ImportLine = ListLine.extend({
  /** Counts from 0, as the list has them, without those it names twice. */
  position: z.number().int(),
  outcome: LineOutcome,
  /** Why it failed, as a sentence; `null` for every other outcome. */
  message: z.string().nullable(),
  /** `null`: it is not followed, or no longer. */
  channel_id: z.string().nullable(),
})
export type ImportLine = z.infer<typeof ImportLine>

export const Import = z.object({
  import_id: z.string(),
  kind: ListKind,
  created_at: z.date(),
  /** `null`: lines are still waiting. */
  finished_at: z.date().nullable(),
  /** Lines of the list that name no channel; none of them is among the others. */
  passed_over: z.number().int(),
  /** How many lines there are, and how many of each outcome. */
  total: z.number().int(),
  waiting: z.number().int(),
  added: z.number().int(),
  already: z.number().int(),
  failed: z.number().int(),
})
export type Import = z.infer<typeof Import>

/** What became of one line that was asked. */
export type LineResult = { outcome: 'added' | 'already'; channel_id: string } | { outcome: 'failed'; message: string }

/** A line that waits; its own wait is `null` where it may be asked as soon as its host may be. */
export type WaitingLine = ImportLine & { not_before: Date | null }

/** A host that asked to be left alone, and in which words we say so. */
export type FeedPause = { host: string; until: Date; reason: string }

export const ImportRequest = z.object({ text: z.string().min(1, 'Paste a list.') })
export const ImportStatus = Import.extend({ lines: z.array(ImportLine) })

/** The form: a file or a text, whichever is there. A browser sends an empty file where none was chosen. */
export const ImportForm = z.object({
  file: z
    .instanceof(File)
    .transform(file => (file.size > 0 ? file : undefined))
    .or(z.literal('').transform(() => undefined))
    .optional(),
  text: z.string().default(''),
})

/** What is followed, to take along. */
export const Export = z.object({
  channels: z.array(z.object({ title: z.string(), rss_url: z.string(), channel_id: z.string() })),
})
export type Export = z.infer<typeof Export>
