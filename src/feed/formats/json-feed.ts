/** JSON Feed 1.0 and 1.1. Pure. */
import { z } from 'zod'
import { DomainError } from '../../errors.ts'
import { jsonIn } from '../../runtime/json.ts'
import { descriptionOf, titleOf } from '../markup/html.ts'
import { type EntryClues, max_entries, pictureIn } from './entry.ts'
import type { FeedClues } from './rss.ts'

/** A value of the wrong type counts as missing. */
const text = z.string().optional().catch(undefined)
const listOf = <T extends z.ZodType>(item: T) => z.array(item.nullable().catch(null)).catch([])

/** JSON Feed 1.1: an `id` that is a number counts as its text. */
const name = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined)

const Attachment = z.object({
  url: text,
  mime_type: text,
  size_in_bytes: z.number().optional().catch(undefined),
  duration_in_seconds: z
    .union([z.number().transform(seconds => seconds.toFixed(3)), z.string()])
    .optional()
    .catch(undefined),
})
const Item = z.object({
  id: name,
  url: text,
  external_url: text,
  title: text,
  content_html: text,
  content_text: text,
  summary: text,
  image: text,
  banner_image: text,
  date_published: text,
  date_modified: text,
  // Some feeds have a single author, without a list.
  attachments: z.preprocess(given => (Array.isArray(given) ? given : [given]), listOf(Attachment)),
})
const JsonFeed = z.object({
  title: text,
  home_page_url: text,
  icon: text,
  favicon: text,
  items: z.array(z.unknown()),
})

/** Throws `not_a_feed`. */
export function readJsonFeed(document: string, url: string): FeedClues {
  const { title, home_page_url, icon, favicon, items } = parse(document)
  return {
    title: titleOf(title),
    channel: { entry_channels: [], links: home_page_url === undefined ? [] : [home_page_url] },
    entries: items.slice(0, max_entries).map(item => entryIn(Item.nullable().catch(null).parse(item), url)),
    all_entries: items.length,
    pictures: [icon, favicon],
    page: home_page_url,
    base: url,
  }
}

function parse(document: string) {
  const { data, error } = JsonFeed.safeParse(jsonIn(document))
  if (data) return data
  throw new DomainError('not_a_feed', 'This is not a feed: it is other data, or incomplete.', { cause: error })
}

/** `null`: the item has the wrong type. It has no address then, and is skipped. */
function entryIn(item: z.infer<typeof Item> | null, base: string): EntryClues {
  const attachments = item?.attachments.filter(attachment => attachment !== null) ?? []
  const id = item?.id
  return {
    base,
    links: [item?.url, item?.external_url, id && /^https?:/i.test(id) ? id : undefined],
    files: attachments.map(({ url, mime_type, size_in_bytes = 0 }) => ({
      url,
      type: mime_type,
      quality: size_in_bytes,
    })),
    guid: id,
    // The standard says plain text, but HTML is more common in titles than a literal `<`.
    title: titleOf(item?.title),
    description: descriptionOf(item?.content_text ?? item?.summary, 'text') ?? descriptionOf(item?.content_html),
    thumbnails: [item?.image, item?.banner_image, pictureIn(item?.content_html)],
    dates: [item?.date_published, item?.date_modified],
    durations: attachments.map(({ duration_in_seconds }) => duration_in_seconds),
  }
}
