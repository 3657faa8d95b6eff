/** Feeds for tests of the database, written as their items, and saved as a person's channel. */
import { parseFeed } from '../../../src/feed/formats/parse.ts'
import { documentOf } from '../media/feeds.ts'
import type { Person } from './people.ts'

export const channel = { channel_id: 'kitchen', title: 'Slow Kitchen', rss_url: 'https://kitchen.example/feed' }

export type Item = { link: string; guid?: string; title?: string; date?: string; file?: string }
export const may = (day: number) => `2026-05-${String(day).padStart(2, '0')}T12:00:00Z`
export const rss = (items: Item[]) =>
  `<rss><channel><title>Slow Kitchen</title>${items
    .map(
      ({ link, guid, title = 'Bread', date = may(1), file }) =>
        `<item><link>${link}</link>${guid === undefined ? '' : `<guid isPermaLink="false">${guid}</guid>`}
         <title>${title}</title><pubDate>${date}</pubDate>
         ${file === undefined ? '' : `<enclosure url="${file}" type="video/mp4"/>`}</item>`,
    )
    .join('')}</channel></rss>`

export const say = ({ library }: Person, document: string) =>
  library.channels.save(channel, parseFeed(documentOf(document, { url: channel.rss_url })).entries)
export const saved = async (who: Person, items: Item[]) => (await say(who, rss(items))).saved
export const history = async ({ library }: Person) => (await library.videos.list({ limit: 100 })).entries
