/** Applies the parts of an import, one transaction each: marks, channels and videos from a file. */
import type { Library } from '../../db/library.ts'

type Options = {
  hasToStop(): boolean
  /** Called with each error of the database that left out an item. */
  onFault(fault: unknown): void
}

/** Applies parts until none is left or `hasToStop`. Returns whether some are left. */
export async function applyParts(
  library: Library,
  import_id: string,
  { hasToStop, onFault }: Options,
): Promise<boolean> {
  let room: number | undefined
  while (!hasToStop()) {
    const applied = await library.imports.applyNext(import_id, room)
    if (!applied) return false
    room = applied.room
    for (const refusal of applied.refusals.slice(0, most_logged)) onFault(refusal)
  }
  return true
}

/** The most errors that are logged for one part. A fault of ours may refuse all of its items. */
const most_logged = 3
