/** Parses big documents in a thread of their own, so that nobody's page waits for somebody's feed. */
import { Worker } from 'node:worker_threads'
import { DomainError, type ErrorCode } from '../errors.ts'
import type { Feed } from '../schema/feed.ts'
import { turnsFor } from '../turns.ts'
import type { FetchedDocument } from './fetch.ts'
import { parseFeed } from './parse.ts'

/** What the thread is given, and what it answers. */
export type ParseTask = { document: FetchedDocument; address: string }
export type ParseAnswer = { feed: Feed } | { refusal: { code: ErrorCode; message: string } }

export type ParseLimits = {
  /** Up to this size the worst that can be made takes less time than anybody notices. */
  inline_bytes: number
  /** From the start of the thread. */
  timeout_ms: number
}
const default_limits: ParseLimits = { inline_bytes: 64 * 1024, timeout_ms: 10_000 }

/** Each may take a hundred times the memory of its document. Whoever waits for a turn is not yet being timed. */
const inTurn = turnsFor(2)

/** Like `parseFeed`, with its refusals. */
export async function parseApart(
  document: FetchedDocument,
  address: string,
  limits: Partial<ParseLimits> = {},
): Promise<Feed> {
  const { inline_bytes, timeout_ms } = { ...default_limits, ...limits }
  if (document.body.length <= inline_bytes) return parseFeed(document, address)
  const answer = await inTurn(() => answerOf({ document, address }, timeout_ms))
  if ('feed' in answer) return answer.feed
  throw new DomainError(answer.refusal.code, answer.refusal.message)
}

function answerOf(task: ParseTask, timeout_ms: number): Promise<ParseAnswer> {
  const worker = new Worker(new URL('./parse-thread.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  return new Promise<ParseAnswer>((resolve, reject) => {
    const giveUp = (cause?: unknown) => reject(tooMuch(cause))
    const timer = setTimeout(giveUp, timeout_ms)
    worker.once('message', resolve)
    worker.once('error', giveUp)
    worker.once('exit', () => giveUp())
    worker.once('exit', () => clearTimeout(timer))
  }).finally(() => worker.terminate())
}

const tooMuch = (cause: unknown) =>
  new DomainError('not_a_feed', 'The feed at this address is too large or too tangled to read.', { cause })
