/** In this process, without a network: imports whose addresses all have a feed, except those that contain `gone`. */
import type { FeedFinder } from '../../../src/domain/channels/discovery.ts'
import { performImport } from '../../../src/domain/imports/perform-import.ts'
import { DomainError } from '../../../src/errors.ts'
import type { ListLine } from '../../../src/schema/imports/import.ts'
import { entry, type Person } from './people.ts'

const findFeed: FeedFinder = async address => {
  if (address.includes('gone')) throw new DomainError('feed_failed', 'The site answered 404. Check the address.')
  const channel_id = new URL(address).pathname.slice(1)
  return { rss_url: address, feed: { channel_id, title: channel_id, entries: [entry(channel_id)], skipped: 0 } }
}

/** Begins the import of a list that is read. */
export const beginList = async ({ library }: Pick<Person, 'library'>, lines: ListLine[]): Promise<string> =>
  (await library.imports.begin(async () => ({ kind: 'addresses', lines, passed_over: 0, content: null }))) ?? ''

export const workThrough = ({ library }: Person, import_id: string) =>
  performImport({ library, findFeed, stopping: new AbortController().signal }, import_id)
