/**
 * Reads big documents in a thread of their own, so that they hold up nothing else. People take turns, and each has one
 * thread at a time: one person's hundred hard documents do not delay another's feed.
 */
import { Worker } from 'node:worker_threads'
import { DomainError, type ErrorCode } from '../../errors.ts'
import { turnsFor } from '../../runtime/turns.ts'
import type { Choice } from '../../schema/discovery.ts'
import type { Feed, FeedEntry } from '../../schema/feed.ts'
import { parseFeed } from '../formats/parse.ts'
import { choicesOn, isPage } from '../pages/page-choices.ts'
import type { FetchedDocument } from './answer.ts'

/** What the thread is given: `address` for a feed, none for a page. */
export type ParseTask = { document: FetchedDocument; address?: string }

/** What it says: once what it found, then `entries` for each `next` that it is told, until none are left. */
export type ParseNews =
  | { refusal: { code: ErrorCode; message: string } }
  | { choices: Choice[] }
  | { feed: Omit<Feed, 'entries'>; left: number }
  | { entries: FeedEntry[]; left: number }

export type ParseOptions = {
  /** For whom it is read; not given: for nobody in particular, which takes its turn like a person. */
  whose?: string | undefined
  /** Gives up a turn that is still waited for. */
  signal?: AbortSignal | undefined
  /** Bytes of what is read without a thread, unless it has too many elements. */
  inline_bytes?: number
  /** Of the processor, the start of the thread included. */
  processor_ms?: number
  /** From the start of the thread: for a machine that has no processor to give, and runtimes that do not count its time. */
  timeout_ms?: number
}

/** Deno does not say how much of the processor a thread has used. */
const counts_processor_time = 'cpuUsage' in Worker.prototype
const usual = { inline_bytes: 64 * 1024, processor_ms: 5000, timeout_ms: counts_processor_time ? 30_000 : 10_000 }

/** Elements and values of a small document. With more of them 64 kB can take 100 ms; a channel's fifteen videos have 500. */
const most_small_parts = 2500

/** Whether the worst that can be made of it takes a few milliseconds. */
function isSmall({ body }: FetchedDocument, { inline_bytes = usual.inline_bytes }: ParseOptions): boolean {
  if (body.length > inline_bytes) return false
  let parts = 0
  // `<` in XML, `{` in JSON.
  for (const byte of body) if (byte === 0x3c || byte === 0x7b) parts += 1
  return parts <= most_small_parts
}

/** Each may take a hundred times the memory of its document. */
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

/** The feeds that a web page names; undefined when the document is none. */
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

type Found = { feed: Feed } | { choices: Choice[] }

const read = (task: ParseTask, options: ParseOptions): Promise<Found> =>
  inTurn(options.whose ?? '', () => inThread(task, { ...usual, ...options }), options.signal)

function inThread(task: ParseTask, { processor_ms, timeout_ms }: { processor_ms: number; timeout_ms: number }) {
  const worker = new Worker(new URL('./parse-thread.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  let watch: NodeJS.Timeout | undefined
  let limit: NodeJS.Timeout | undefined
  return new Promise<Found>((resolve, reject) => {
    const giveUp = (cause?: unknown) => reject(tooMuch(cause))
    watch = setInterval(() => void usedBy(worker).then(used_ms => used_ms > processor_ms && giveUp()), 100)
    limit = setTimeout(giveUp, timeout_ms)
    worker.on('message', gathering(worker, resolve, reject))
    worker.once('error', giveUp)
    worker.once('exit', () => giveUp())
  }).finally(() => {
    clearInterval(watch)
    // It would keep the whole feed in memory until it is due.
    clearTimeout(limit)
    return worker.terminate()
  })
}

/** Milliseconds of the processor; 0 where nobody counts, and once the thread has ended. */
async function usedBy(worker: Worker): Promise<number> {
  if (!counts_processor_time) return 0
  const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }))
  return (user + system) / 1000
}

/** Takes the entries in pieces, with room between them: 5 MB at once would hold up everything else while they arrive. */
function gathering(worker: Worker, resolve: (found: Found) => void, reject: (refusal: DomainError) => void) {
  let feed: Feed | undefined
  return (news: ParseNews) => {
    if ('refusal' in news) return reject(new DomainError(news.refusal.code, news.refusal.message))
    if ('choices' in news) return resolve(news)
    if ('feed' in news) feed = { ...news.feed, entries: [] }
    else feed?.entries.push(...news.entries)
    if (news.left > 0) setImmediate(() => worker.postMessage('next'))
    else if (feed) resolve({ feed })
  }
}

const tooMuch = (cause: unknown) =>
  new DomainError('not_a_feed', 'The feed at this address is too large or too tangled to read.', { cause })
