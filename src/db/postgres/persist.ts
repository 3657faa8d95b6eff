/** Writes what must not be lost while the database is away. */
import { setTimeout } from 'node:timers/promises'
import { isAway } from './client.ts'

const max_tries = 600

/** The end of a run must be recorded, so this keeps trying for ten minutes while the database is away. */
export async function persist<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await write()
    } catch (cause) {
      if (!isAway(cause) || tries >= max_tries) throw cause
      await setTimeout(1000)
    }
  }
}
