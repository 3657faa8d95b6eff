/**
 * Sends one POST to an address that a person entered, or to a hub: only to what the policy allows, without redirects, within ten seconds.
 * The answer is read up to a limit and thrown away, so that nothing of it can be shown: only its status decides.
 */
import type { IncomingMessage } from 'node:http'
import manifest from '../../package.json' with { type: 'json' }
import { DomainError } from '../errors.ts'
import type { AddressPolicy } from '../net/addresses.ts'
import { faultWords, sendJudged } from '../net/judged.ts'
import type { Delivery } from '../schema/notifications/message.ts'

type Outgoing = { headers: Record<string, string>; body: string | Uint8Array }

/** The status of the answer, or why there is none: in our words, without text of the receiver. */
type Answer = { status: number } | { fault: string }
export type Post = (address: string, outgoing: Outgoing, signal?: AbortSignal) => Promise<Answer>

const limits = { timeout_ms: 10_000, max_answer_bytes: 64 * 1024 }

/** `timeout_ms`: for the connection, the request and the answer together. When `signal` is aborted, its reason is thrown. */
export const createPost =
  ({ policy, timeout_ms = limits.timeout_ms }: { policy: AddressPolicy; timeout_ms?: number }): Post =>
  async (address, { headers, body }, signal) => {
    const url = new URL(address)
    const deadline = AbortSignal.timeout(timeout_ms)
    const stop = signal ? AbortSignal.any([signal, deadline]) : deadline
    try {
      const own = { 'user-agent': user_agent, 'content-length': Buffer.byteLength(body) }
      const answer = await sendJudged(
        policy,
        url,
        { method: 'POST', signal: stop, headers: { ...own, ...headers } },
        body,
      )
      await throwAway(answer)
      return { status: answer.statusCode ?? 0 }
    } catch (fault) {
      signal?.throwIfAborted()
      return { fault: deadline.aborted ? tooSlow(timeout_ms) : sentenceOf(fault) }
    }
  }

const user_agent = `Backlot/${manifest.version} (notifications)`

/** Reads the answer to its end or limit. Its status is known by now, so cutting it off is no fault. */
async function throwAway(answer: IncomingMessage): Promise<void> {
  let size = 0
  try {
    for await (const piece of answer as AsyncIterable<Buffer>) {
      size += piece.length
      // Leaving the loop closes the connection.
      if (size > limits.max_answer_bytes) return
    }
  } catch {
    // It broke off, or took too long.
  }
}

const tooSlow = (timeout_ms: number) => `The receiver did not answer within ${timeout_ms / 1000} seconds.`

const sentenceOf = (fault: unknown): string =>
  fault instanceof DomainError ? fault.message : faultWords(fault, 'receiver')

/** What an answer means, for a status to which the kind of target gives no other meaning. */
export function deliveryOf(answer: Answer): Delivery {
  if ('fault' in answer) return { delivered: false, detail: answer.fault, retry: true }
  const { status } = answer
  if (status >= 200 && status < 300) return { delivered: true }
  if (status >= 300 && status < 400)
    return {
      delivered: false,
      retry: false,
      detail: `The receiver answered with a redirect (${status}), which is not followed. Enter its new address.`,
    }
  const detail = `The receiver answered with status ${status}.`
  return { delivered: false, detail, retry: !final_statuses.includes(status) }
}

/** After these statuses, another attempt would fail too. */
const final_statuses = [400, 405, 406, 410, 411, 413, 414, 415, 422]
