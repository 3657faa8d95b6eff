/**
 * Reads big documents in a worker thread, so that no other request waits for them. Each person has one thread at a time, and
 * people take turns: a hundred slow documents of one person do not delay another person's feed.
 */
import { DomainError, type ErrorCode } from '../../errors.ts'
import { turnsFor } from '../../runtime/turns.ts'
import type { Choice } from '../../schema/sources/discovery.ts'
import type { Feed, FeedEntry } from '../../schema/sources/feed.ts'
import { type FetchedDocument, parseFeed } from '../formats/parse.ts'
import { choicesOn, isPage } from '../pages/page-feeds.ts'
import { counts_processor_time, inThread, type Settle } from '../thread.ts'

/** `address`: the document is read as the feed of this address; absent: as a web page. */
export type ParseTask = { document: FetchedDocument; address?: string }

/** What the thread sends: the result first, then a piece of the entries for each `next` it receives. `left`: pieces to come. */
export type ParseMessage =
  | { refusal: { code: ErrorCode; message: string } }
  | { choices: Choice[] }
  | { feed: Omit<Feed, 'entries'>; left: number }
  | { entries: FeedEntry[]; left: number }

export type ParseOptions = {
  /** The person whose turn it takes; not given: it takes turns as one more person would. */
  whose?: string | undefined
  /** Gives up a turn that is still waited for. */
  signal?: AbortSignal | undefined
  /** Smaller documents are read without a thread, unless they have too many elements. */
  inline_bytes?: number
  processor_ms?: number
  timeout_ms?: number
}

const usual = { inline_bytes: 64 * 1024, processor_ms: 5000, timeout_ms: counts_processor_time ? 30_000 : 10_000 }

/** Elements and values of a document. With more of them 64 kB can take 100 ms; a feed of fifteen videos has 500. */
const max_inline_parts = 2500

/** Whether even the slowest document of this size takes only a few milliseconds. */
function isSmall({ body }: FetchedDocument, { inline_bytes = usual.inline_bytes }: ParseOptions): boolean {
  if (body.length > inline_bytes) return false
  let parts = 0
  // `<` in XML, `{` in JSON.
  // A `for…of` over bytes takes five times as long.
  for (let at = 0; at < body.length; at++) if (body[at] === 0x3c || body[at] === 0x7b) parts += 1
  return parts <= max_inline_parts
}

/** Only two at once: a document can take a hundred times its size in memory. */
const inTurn = turnsFor({ most: 2, of_one: 1 })

/** Like `parseFeed`, with its refusals. */
export async function parseApart(
  document: FetchedDocument,
  address: string,
  options: ParseOptions = {},
): Promise<Feed> {
  if (isSmall(document, options)) return parseFeed(document, address)
  const found = await read({ document, address }, options)
  if ('feed' in found) return found.feed
  throw new Error('a document that is read as a feed has no choices')
}

/** The feeds that a web page names; undefined when the document is not a web page. */
export async function choicesApart(
  document: FetchedDocument,
  options: ParseOptions = {},
): Promise<Choice[] | undefined> {
  if (!isPage(document)) return undefined
  if (isSmall(document, options)) return choicesOn(document)
  const found = await read({ document }, options)
  if ('choices' in found) return found.choices
  throw new Error('a document that is read as a page is no feed')
}

type ReadDocument = { feed: Feed } | { choices: Choice[] }

function read(task: ParseTask, options: ParseOptions): Promise<ReadDocument> {
  const { processor_ms, timeout_ms } = { ...usual, ...options }
  const work = {
    file: new URL('./parse-thread.ts', import.meta.url),
    data: task,
    limits: { memory_mb: 512, processor_ms, timeout_ms },
    onMessage: collectEntries,
    failure: tooMuch,
  }
  return inTurn(options.whose ?? '', () => inThread(work), options.signal)
}

/** Asks for the entries piece by piece: receiving 5 MB at once would block this process. */
function collectEntries({ resolve, reject, reply }: Settle<ReadDocument>) {
  let feed: Feed | undefined
  return (message: ParseMessage) => {
    if ('refusal' in message) return reject(new DomainError(message.refusal.code, message.refusal.message))
    if ('choices' in message) return resolve(message)
    if ('feed' in message) feed = { ...message.feed, entries: [] }
    else feed?.entries.push(...message.entries)
    if (message.left > 0) setImmediate(() => reply('next'))
    else if (feed) resolve({ feed })
  }
}

const tooMuch = (cause?: unknown) =>
  new DomainError('not_a_feed', 'The feed at this address is too large or too complex to read.', { cause })
