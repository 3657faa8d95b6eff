/** A database that is read-only, as a standby is: what it refuses, and what its readers lose nothing by. */

/** Whether the database takes no changes. */
export const isReadOnly = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '25006'

/** Awaits a note of what was read, such as its time. A read-only database takes no notes, and what was read is right without them. */
export async function unlessReadOnly(note: PromiseLike<unknown>): Promise<void> {
  try {
    await note
  } catch (error) {
    if (!isReadOnly(error)) throw error
  }
}
