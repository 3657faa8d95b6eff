/** Groups the items of an import into parts that one transaction applies quickly, and refuses what cannot be imported. */
import { DomainError } from '../../errors.ts'
import type { PartKind, Sink } from '../../schema/imports/import.ts'

const max_items_of_part: Record<PartKind, number> = {
  channels: 100,
  videos: 200,
  playlists: 1,
  viewings: 1000,
  rules: 100,
  settings: 1,
  downloads: 200,
}
/** Characters of texts in one part. */
const max_characters_of_part = 1_000_000

export function partsInto(sink: Sink) {
  const open = new Map<PartKind, { items: Map<string, unknown>; characters: number }>()
  let items = 0
  const send = async (kind: PartKind) => {
    const part = open.get(kind)
    open.delete(kind)
    if (!part) return
    items += part.items.size
    await sink({ kind, items: [...part.items.values()] })
  }
  return {
    /** If one part has several items with the same key, the last one counts. */
    async add(kind: PartKind, item: object, key: string): Promise<void> {
      const part = open.get(kind) ?? { items: new Map<string, unknown>(), characters: 0 }
      open.set(kind, part)
      part.items.set(key, item)
      part.characters += sizeOf(item)
      if (part.items.size >= max_items_of_part[kind] || part.characters >= max_characters_of_part) await send(kind)
    },
    /** Sends what is left. Returns how many items were sent. */
    async end(): Promise<number> {
      for (const kind of [...open.keys()]) await send(kind)
      return items
    },
  }
}

const sizeOf = (item: object): number =>
  Object.values(item).reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 0), 0)

/** The refusal of a list, a history or an archive. The sentence also appears at the field of the form. */
export const listRefusal = (message: string, code: 'invalid' | 'too_large' = 'invalid', cause?: unknown) =>
  new DomainError(code, message, { fields: { text: message }, cause })
