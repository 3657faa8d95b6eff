/**
 * The answers that this process still sends, and the uploads that it still reads, by person or by link. They end within seconds after an
 * administrator locks or deletes the person, or the link is revoked, whichever process did that: every two seconds one query asks about all
 * that have something open.
 */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { type Connection, runtime } from '../../runtime/serve.ts'
import type { Env } from './context.ts'

type Answer = NonNullable<Connection['answer']>
export type OpenAnswers = ReturnType<typeof openAnswers>

/** Returns those of these people or links that may still be answered. */
type StillIn = (ids: string[]) => Promise<Set<string>>

/** Milliseconds between two checks while an answer is open. */
const check_ms = 2000

export function openAnswers(stillIn: StillIn) {
  const open = new Map<string, Set<Answer>>()
  let timer: NodeJS.Timeout | undefined

  const check = async () => {
    const asked = [...open.keys()]
    const still_in = await stillIn(asked)
    for (const id of asked) if (!still_in.has(id)) cut(id)
  }
  const cut = (id: string) => {
    for (const answer of open.get(id) ?? []) if (isMoving(answer)) answer.destroy()
  }
  const checkUntilNoneIsOpen = () => {
    timer = setTimeout(async () => {
      timer = undefined
      // Without the database nothing is known, and nothing is cut.
      if (open.size > 0) await check().catch(() => {})
      if (open.size > 0) checkUntilNoneIsOpen()
    }, check_ms)
    timer.unref()
  }

  return {
    record(id: string, answer: Answer): void {
      const all = open.get(id) ?? new Set()
      open.set(id, all.add(answer))
      answer.once('close', () => {
        all.delete(answer)
        if (all.size === 0 && open.get(id) === all) open.delete(id)
      })
      if (timer === undefined) checkUntilNoneIsOpen()
    },

    count: () => [...open.values()].reduce((sum, { size }) => sum + size, 0),

    /** Bytes of this person's or link's answers that wait in memory. */
    unread(id: string): number {
      let unread = 0
      for (const { writableLength } of open.get(id) ?? []) unread += writableLength
      return unread
    },
  }
}

/**
 * Whether an upload is being read or a file is being sent. An answer that is still being made is short, and may be the one that tells
 * people that they have deleted their account.
 */
const isMoving = ({ headersSent, writableEnded, req }: Answer) => !req.complete || (headersSent && !writableEnded)

/** Records the answer of each request, for the person who is signed in or for what `idOf` returns. */
export const recordAnswers = ({ record }: OpenAnswers, idOf = (c: Context<Env>): string => c.get('library').user_id) =>
  createMiddleware<Env>(async (c, next) => {
    const id = idOf(c)
    const answer = c.env?.answer
    if (answer) record(id, answer)
    await next()
    // Deno shows no connection, so there the bodies of files are recorded.
    if (runtime.name === 'deno' && c.res.body && c.res.headers.has('Accept-Ranges')) {
      const { body, answer } = cuttable(c.res.body)
      record(id, answer)
      c.res = new Response(body, c.res)
    }
  })

function cuttable(source: ReadableStream<Uint8Array>): { body: ReadableStream<Uint8Array>; answer: Answer } {
  const cutting = new AbortController()
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const sending = source.pipeTo(writable, { signal: cutting.signal }).catch(() => {})
  const answer = {
    headersSent: true,
    writableEnded: false,
    req: { complete: true },
    writableLength: 0,
    once: (_: 'close', listener: () => void) => void sending.finally(listener),
    destroy: () => cutting.abort(),
  }
  return { body: readable, answer }
}
