/** What the readers of the list formats give, and how a list is refused. */
import { DomainError } from '../../errors.ts'
import type { ListKind, ListLine } from '../../schema/import.ts'

/** One item as the list writes it, unchecked; `null`: a line that names no channel. */
export type RawLine = { address: string; title?: string | undefined } | null

export type RawList = {
  kind: ListKind
  lines: Iterable<RawLine>
  /** Whether the items themselves say which channels are followed. */
  says_followed?: boolean
}

/** `passed_over`: how many lines name no channel. */
export type List = { kind: ListKind; lines: ListLine[]; passed_over: number }

/** The sentence also appears at the field of the form. */
export const listRefusal = (message: string, code: 'invalid' | 'too_large' = 'invalid', cause?: unknown) =>
  new DomainError(code, message, { fields: { text: message }, cause })
