/** Reads an archive of another Backlot, item by item, into parts of an import. An item that does not fit its schema is left out. */
import type { ZodType } from 'zod'
import { jsonIn } from '../../runtime/json.ts'
import {
  Archive,
  ArchiveChannel,
  ArchiveSettings,
  ArchiveVideo,
  ArchiveViewing,
  type ChannelWithRule,
  GivenPlaylist,
  max_archive,
  type RequestedVideo,
} from '../../schema/imports/archive.ts'
import type { ImportContent, Sink } from '../../schema/imports/import.ts'
import { jsonItemsIn } from './json-items.ts'
import { listRefusal, partsInto } from './parts.ts'

export const isArchive = (head: string): boolean => /^[\s\ufeff]*\{\s*"format"\s*:\s*"backlot-archive"/.test(head)

/** Throws `invalid` for another document, another version, and one that breaks off; `too_large` for too many items. */
export async function readArchive(
  chunks: AsyncIterable<Uint8Array>,
  sink: Sink,
  { downloads }: { downloads: boolean },
): Promise<Partial<ImportContent>> {
  const parts = partsInto(sink)
  const counts = { channels: 0, videos: 0, playlists: 0, viewings: 0, unknown: 0 }
  const wanted: RequestedVideo[] = []
  const rules: ChannelWithRule[] = []
  const fields = new Map<string, unknown>()

  const take = async <Item extends object>(
    list: keyof typeof max_archive,
    schema: ZodType<Item>,
    text: string | undefined,
    keyOf: (item: Item) => string,
  ) => {
    counts[list] += 1
    if (counts[list] > max_archive[list]) throw listRefusal('This archive is too large.', 'too_large')
    const item = schema.safeParse(parsed(text)).data
    if (item === undefined) counts.unknown += 1
    else await parts.add(list, item, keyOf(item))
    return item
  }

  for await (const { list, is_item, text } of jsonItemsIn(chunks)) {
    if (list === 'channels' && is_item) {
      const channel = await take(list, ArchiveChannel, text, ({ channel_id }) => channel_id)
      if (channel)
        rules.push({ channel_id: channel.channel_id, rule: channel.rule, rule_playlist: channel.rule_playlist })
    } else if (list === 'videos' && is_item) {
      const video = await take(list, ArchiveVideo, text, ({ video_id, channel_id }) => `${channel_id} ${video_id}`)
      if (downloads && video?.downloaded)
        wanted.push({ video_id: video.video_id, requested_by: video.requested_by ?? 'person' })
    } else if (list === 'playlists' && is_item) await take(list, GivenPlaylist, text, ({ name }) => name)
    else if (list === 'viewings' && is_item) await take(list, ArchiveViewing, text, ({ video_id }) => video_id)
    else if (!is_item && list in Archive.shape) fields.set(list, parsed(text))
  }
  requireOurs(fields)
  for (const channel of rules) await parts.add('rules', channel, channel.channel_id)
  const settings = ArchiveSettings.safeParse(fields.get('settings'))
  if (settings.success) await parts.add('settings', settings.data, '')
  for (const video of wanted) await parts.add('downloads', video, video.video_id)
  return { items: await parts.end(), unknown: counts.unknown }
}

export const notOurs = () =>
  listRefusal('This is not an archive of Backlot. Choose a file that "Export everything" made.')

function requireOurs(fields: Map<string, unknown>): void {
  if (!Archive.shape.format.safeParse(fields.get('format')).success) throw notOurs()
  if (!Archive.shape.version.safeParse(fields.get('version')).success)
    throw listRefusal('This archive was written by a newer Backlot. Update this one, then import it.')
}

const parsed = (text = ''): unknown => jsonIn(text, text.includes('\\u0000') ? withoutNul : undefined)

/** Postgres stores no NUL. */
const withoutNul = (_: string, value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '') : value)
