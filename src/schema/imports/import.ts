/** A list of channels that a person imports or exports, and the outcome of each of its lines. */
import { z } from 'zod'
import { ChannelId, ImportId } from '../values/fields.ts'

export const ListKind = z.enum(['opml', 'takeout', 'newpipe', 'freetube', 'json', 'addresses', 'history', 'archive'])
export type ListKind = z.infer<typeof ListKind>

/** Limits of one list: its size in bytes, and its number of channels. */
export const max_list_bytes = 2 * 1024 * 1024
export const max_list_lines = 5000

/** The limit of an uploaded file, in bytes. It is stored on disk while it is read. */
export const max_file_bytes = 512 * 1024 * 1024
export const file_too_large =
  'This file is larger than 512 MB. In Google Takeout, select only the history and the subscriptions, or unpack the archive and upload the list in it.'
/** Bytes of all files in an archive that are read, unpacked. They are read as a stream. */
export const max_unpacked_bytes = 2 * 1024 * 1024 * 1024
/** How many videos of a watch history are taken, the newest. */
export const max_marks = 100_000

/** Media types of an uploaded file. A form on another site cannot send them without a CORS preflight. */
export const list_file_types = [
  'application/zip',
  'application/x-zip-compressed',
  'application/gzip',
  'application/octet-stream',
]
/** The media type of an archive that is sent as it was downloaded. */
export const archive_type = 'application/json'

/** One channel of the list. Whether the address is valid is known only after it was fetched. */
export const ListLine = z.object({
  address: z.string().min(1).max(2100).describe('The address in the list.'),
  title: z.string().max(500).nullable().describe('The title in the list; null: the list has none.'),
})
export type ListLine = z.infer<typeof ListLine>

export const LineOutcome = z.enum(['waiting', 'added', 'already', 'failed'])
export type LineOutcome = z.infer<typeof LineOutcome>

export const ImportLine = ListLine.extend({
  position: z.int().describe('The place of the line in the list, from 0, without duplicates.'),
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

const count = (what: string) => z.int().default(0).describe(what)
/** What an import brought besides lines, and what it left out. */
export const ImportContent = z
  .object({
    items: count('How many marks, channels, videos, rules and playlists the file has.'),
    done: count('How many of them are finished.'),
    marked: count('How many videos became watched.'),
    marked_here: count('How many of these are in your library; the others are watched when they appear.'),
    positions: count('How many playback positions were taken.'),
    channels_added: count('How many channels are now followed.'),
    channels_left_out: count('How many channels exceed the number that one person may follow.'),
    videos_added: count('How many videos are new in your library.'),
    videos_left_out: count('How many videos exceed the number that one person may have, or have no channel here.'),
    pinned: count('How many videos became pinned.'),
    playlists: count('How many playlists are new, or have got videos.'),
    playlists_left_out: count('How many playlists exceed the number that one person may have.'),
    playlist_videos_left_out: count(
      'How many videos of playlists are not in your library, or exceed the number that a playlist may have.',
    ),
    playlists_unread: count('How many playlists of other apps were left out.'),
    pages_unread: count('How many pages without a feed were left out, of which another app makes a feed.'),
    queued: count('How many downloads were requested.'),
    failed: count('How many items could not be saved, by a fault of this server.'),
    no_room: count('How many marks exceed the number of videos that one person may have.'),
    ads: count('How many entries were left out because they are advertisements.'),
    music: count('How many entries of YouTube Music were left out.'),
    removed: count('How many entries were left out because they name no video: it was removed.'),
    unknown: count('How many entries were left out because they could not be read, or are not videos.'),
    older: count('How many older videos were left out of a history with more than 100,000.'),
    undated: count('How many entries have a date that could not be read. Their marks have the time of the import.'),
  })
  .meta({ id: 'ImportContent' })
export type ImportContent = z.infer<typeof ImportContent>
export const no_content: ImportContent = ImportContent.parse({})

export function sumOf(a: Partial<ImportContent> = {}, b: Partial<ImportContent> = {}): Partial<ImportContent> {
  const names = Object.keys({ ...a, ...b }) as (keyof ImportContent)[]
  return Object.fromEntries(names.map(name => [name, (a[name] ?? 0) + (b[name] ?? 0)]))
}

/** In the order in which they are applied: channels come before their videos, and rules and playlists after these. */
export const part_kinds = ['channels', 'videos', 'playlists', 'viewings', 'rules', 'settings', 'downloads'] as const
export type PartKind = (typeof part_kinds)[number]
/** Items of an import that are stored until a job applies them. */
export type ImportPart = { kind: PartKind; items: unknown[] }
/** Takes the parts of an import. Resolves when the part is stored, so that the next one may be sent. */
export type Sink = (part: ImportPart) => Promise<void>

/** A group of the list, and the places of its channels among the lines. */
export type ListedGroup = { name: string; positions: number[] }

/** A file or a text that was read. `passed_over`: how many lines name no channel. `content`: null: it is a list of channels only. */
export type ListRead = {
  kind: ListKind
  lines: ListLine[]
  passed_over: number
  content: ImportContent | null
  groups?: ListedGroup[]
}

export const Import = z
  .object({
    import_id: ImportId,
    kind: ListKind.describe('The format of the list, or the program that it comes from.'),
    created_at: z.date().describe('When the list was imported.'),
    finished_at: z.date().nullable().describe('When the last line was finished; null: some lines are waiting.'),
    passed_over: z.int().describe('How many lines of the list are not a channel. They are not in `total`.'),
    total: z.int().describe('How many channels the list has.'),
    waiting: z.int().describe('How many lines are waiting.'),
    added: z.int().describe('How many channels are now followed.'),
    already: z.int().describe('How many channels were followed before.'),
    failed: z.int().describe('How many lines failed.'),
    content: ImportContent.nullable().describe('What else is in the file; null: it is only a list of channels.'),
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
