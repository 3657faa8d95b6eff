/** Reads long lists and packed ones in a thread of their own, so that no other request waits for them. */
import { Worker } from 'node:worker_threads'
import { DomainError, type ErrorCode } from '../../errors.ts'
import { turnsFor } from '../../runtime/turns.ts'
import { kindOfFile } from './file-kind.ts'
import { parseFile } from './parse-file.ts'
import { type List, parseList, refusal } from './parse-list.ts'

/** A text that was pasted, or a file as it was saved. */
export type Given = string | Uint8Array
/** What the thread answers. */
export type Answer = { list: List } | { refused: { code: ErrorCode; message: string; fields: Record<string, string> } }

/** Up to this size the slowest list takes a few milliseconds. */
const most_inline_bytes = 64 * 1024
const timeout_ms = 10_000

/** Each may take a hundred megabytes for a moment. */
const sentence = 'Many lists are being read right now. Try again in a moment.'
const inTurn = turnsFor({ most: 2, of_one: 1, waiting: { most: 20, of_one: 5, sentence } })

/** Throws like `parseFile`, `too_large` for what takes too long, and `too_many` when others wait already. `whose`: who takes the turn. */
export async function readList(given: Given, whose = ''): Promise<List> {
  if (typeof given === 'string' && given.length <= most_inline_bytes) return parseList(given)
  if (typeof given !== 'string' && kindOfFile(given) === 'text' && given.length <= most_inline_bytes)
    return parseFile(given)
  const answer = await inTurn(whose, () => readApart(given))
  if ('list' in answer) return answer.list
  const { code, message, fields } = answer.refused
  throw new DomainError(code, message, { fields })
}

function readApart(given: Given): Promise<Answer> {
  const worker = new Worker(new URL('./read-list-thread.ts', import.meta.url), {
    workerData: given,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  return new Promise<Answer>((resolve, reject) => {
    const giveUp = (cause?: unknown) => reject(tooSlow(cause))
    const timer = setTimeout(giveUp, timeout_ms)
    worker.once('message', resolve)
    worker.once('error', giveUp)
    worker.once('exit', () => giveUp())
    worker.once('exit', () => clearTimeout(timer))
  }).finally(() => worker.terminate())
}

const tooSlow = (cause: unknown) =>
  Object.assign(
    refusal('This list takes too long to read. Split it, and bring one part after the other.', 'too_large'),
    {
      cause,
    },
  )
