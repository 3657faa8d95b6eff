/** Reads long and packed lists in a worker thread, so that no other request waits for them. */
import { DomainError, type ErrorCode } from '../../errors.ts'
import { turnsFor } from '../../runtime/turns.ts'
import { inThread, type Settle } from '../thread.ts'
import { kindOfFile } from './file-kind.ts'
import { type List, listRefusal } from './list.ts'
import { parseFile } from './parse-file.ts'
import { parseList } from './parse-list.ts'

/** A pasted text, or the bytes of a file. */
export type Given = string | Uint8Array

/** What the thread sends, once. */
export type ListMessage =
  | { list: List }
  | { refusal: { code: ErrorCode; message: string; fields: Record<string, string> } }

/** Up to this size even the slowest list takes only a few milliseconds. */
const max_inline_bytes = 64 * 1024

/** Only two at once: a list can take a hundred megabytes for a moment. */
const inTurn = turnsFor({
  most: 2,
  of_one: 1,
  waiting: { most: 20, of_one: 5, sentence: 'Many lists are being read right now. Try again in a moment.' },
})

/**
 * Throws like `parseFile`; also `too_large` for a list that takes too long, and `too_many` when too many lists wait already.
 * `whose`: the person whose turn it takes.
 */
export async function readList(given: Given, whose = ''): Promise<List> {
  if (typeof given === 'string' && given.length <= max_inline_bytes) return parseList(given)
  if (typeof given !== 'string' && kindOfFile(given) === 'text' && given.length <= max_inline_bytes)
    return parseFile(given)
  const work = {
    file: new URL('./read-list-thread.ts', import.meta.url),
    data: given,
    limits: { memory_mb: 256, timeout_ms: 10_000 },
    onMessage: settleOnce,
    failure: tooSlow,
  }
  return inTurn(whose, () => inThread(work))
}

const settleOnce =
  ({ resolve, reject }: Settle<List>) =>
  (message: ListMessage) => {
    if ('list' in message) return resolve(message.list)
    const { code, message: sentence, fields } = message.refusal
    reject(new DomainError(code, sentence, { fields }))
  }

const tooSlow = (cause?: unknown) =>
  listRefusal('This list takes too long to read. Split it and import one part at a time.', 'too_large', cause)
