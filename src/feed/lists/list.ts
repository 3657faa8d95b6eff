/** What the readers of the list formats give. */
import type { ListKind, ListLine } from '../../schema/imports/import.ts'

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
