/** A list on the disk, so that an import of 100,000 files needs little memory: one line of JSON for each item. */
import { open } from 'node:fs/promises'

export type Spool<Item> = {
  add(item: Item): Promise<void>
  /** All items so far, in their order. */
  items(): AsyncGenerator<Item>
  close(): Promise<void>
}

/** Characters that are held until they are written. */
const held_characters = 64 * 1024

export async function openSpool<Item>(path: string): Promise<Spool<Item>> {
  const handle = await open(path, 'wx+', 0o600)
  let held = ''
  const flush = async () => {
    const text = held
    held = ''
    if (text !== '') await handle.appendFile(text)
  }
  return {
    async add(item) {
      held += `${JSON.stringify(item)}\n`
      if (held.length > held_characters) await flush()
    },
    async *items() {
      await flush()
      const reading = await open(path, 'r')
      try {
        for await (const line of reading.readLines()) yield JSON.parse(line) as Item
      } finally {
        await reading.close().catch(() => {})
      }
    },
    close: () => handle.close(),
  }
}
