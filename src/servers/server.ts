/**
 * What a media server can do for us, and how it is asked: only at addresses that the policy allows, without redirects, in bounded time, for
 * bounded answers. A fault is told in our words, because the text of a server may contain anything, the key included.
 */
import type { ZodType } from 'zod'
import { DomainError } from '../errors.ts'
import type { AddressPolicy } from '../net/addresses.ts'
import { bytesOf, faultWords, portOf, sendJudged } from '../net/judged.ts'
import type { Watching } from '../schema/media/media-server.ts'

/** A video on the server. `kept`: what goes back unchanged with a mark. */
export type ServerItem = Watching & {
  item_id: string
  path: string
  duration_seconds: number | null
  kept?: Record<string, unknown>
}

/** All of them throw `ServerFault`. `folder`: the name of the person's folder in MEDIA_DIR. */
export type Server = {
  /** Returns whose watching is exchanged; `undefined`: that of the person to whom the key belongs. */
  check(): Promise<string | undefined>
  /** Reads the libraries again that have the folder, or all. */
  readAgain(folder: string): Promise<void>
  /** Everything in these libraries, in pages. */
  items(folder: string): AsyncIterable<ServerItem[]>
  /** These items as they are now. */
  itemsOf(item_ids: string[]): Promise<ServerItem[]>
  mark(item: ServerItem, to: Watching): Promise<void>
}

/** `needs_change`: it fails until the person changes something, so it is not tried again. */
export class ServerFault extends Error {
  readonly needs_change: boolean

  constructor(sentence: string, needs_change = false) {
    super(sentence)
    this.name = 'ServerFault'
    this.needs_change = needs_change
  }
}

export const limits = { timeout_ms: 30_000, max_bytes: 16 * 1024 * 1024, page: 500, max_pages: 200 }

export type Asker = { policy: AddressPolicy; timeout_ms?: number }
type Question = { method?: 'GET' | 'POST' | 'DELETE'; query?: Record<string, string | number>; body?: unknown }

/** Returns the answer in the form that is asked for. Without a form, only the status counts. */
export type Ask = {
  <T>(path: string, form: ZodType<T>, question?: Question): Promise<T>
  (path: string, form: undefined, question?: Question): Promise<undefined>
}

/** `name`: of the kind of server. When `signal` is aborted, its reason is thrown. */
export function askerOf(
  { policy, timeout_ms = limits.timeout_ms }: Asker,
  { address, name }: { address: string; name: string },
  headers: Record<string, string>,
  signal?: AbortSignal,
): Ask {
  return async <T>(path: string, form: ZodType<T> | undefined, { method = 'GET', query = {}, body }: Question = {}) => {
    const url = new URL(address + path)
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, String(value))
    const deadline = AbortSignal.timeout(timeout_ms)
    const stop = signal ? AbortSignal.any([signal, deadline]) : deadline
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const all = { accept: 'application/json', ...headers, ...(sent && { 'content-type': 'application/json' }) }
    try {
      const answer = await sendJudged(policy, url, { method, headers: all, signal: stop }, sent)
      const bytes = await bytesOf(answer, limits.max_bytes, tooMuch)
      requireSuccess(answer.statusCode ?? 0)
      if (!form) return undefined
      const read = form.safeParse(jsonIn(bytes))
      if (!read.success) throw new ServerFault(`The answer is none of ${name}. Check the kind and the address.`)
      return read.data
    } catch (fault) {
      signal?.throwIfAborted()
      if (fault instanceof ServerFault) throw fault
      if (deadline.aborted) throw new ServerFault(`The server did not answer within ${timeout_ms / 1000} seconds.`)
      throw new ServerFault(fault instanceof DomainError ? notAllowed(url) : faultWords(fault, 'server'))
    }
  }
}

const tooMuch = () => new ServerFault('The answer of the server is too large. Check the kind and the address.')

/** An address in the house, and a name that no resolver knows: they get one answer, so that it tells no one which names exist. */
const notAllowed = (url: URL) =>
  `The address leads to no public server: if yours is in the house, ask the operator of Backlot to add ${url.hostname}:${portOf(url)} to ALLOWED_ADDRESSES.`

function requireSuccess(status: number): void {
  if (status >= 200 && status < 300) return
  if (status === 401 || status === 403) throw new ServerFault('The server refuses the key. Enter a new one.', true)
  if (status >= 300 && status < 400)
    throw new ServerFault(
      `The server answered with a redirect (${status}), which is not followed. Enter its new address.`,
    )
  throw new ServerFault(`The server answered with status ${status}.`)
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Whether the last part of a path is this folder. Windows separates parts by `\` and ignores case. */
export const endsIn = (path: string, folder: string): boolean =>
  keyOf(path)
    .split(/[/\\]/)
    .findLast(part => part !== '') === keyOf(folder)
const keyOf = (text: string) => text.normalize('NFC').toLowerCase()

/** A time that a server sends; null: it is none. */
export const timeOf = (given: string | number | null | undefined): Date | null => {
  const time = new Date(given ?? Number.NaN)
  return Number.isNaN(time.getTime()) ? null : time
}

/** Asks for one page after the other, until one is not full. */
export async function* pagesOf(read: (start: number) => Promise<{ items: ServerItem[]; count: number }>) {
  for (let page = 0; page < limits.max_pages; page++) {
    const { items, count } = await read(page * limits.page)
    yield items
    if (count < limits.page) return
  }
}
