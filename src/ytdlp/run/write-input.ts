/** Writes to a pipe of a tool as fast as the tool reads. */
import { once } from 'node:events'
import { Writable } from 'node:stream'

/** Ends when the tool does: `signal` is then aborted. Rejects only with what `input` throws. */
export async function writeInput(input: AsyncIterable<Uint8Array>, pipe: unknown, signal: AbortSignal): Promise<void> {
  if (!(pipe instanceof Writable)) return
  // The tool closed it, and ends.
  pipe.on('error', () => {})
  try {
    for await (const chunk of input) {
      if (signal.aborted || !pipe.writable) return
      if (!pipe.write(chunk)) await once(pipe, 'drain', { signal }).catch(() => {})
    }
  } finally {
    // Not `end`: nothing reads what the tool might send.
    if (signal.aborted) pipe.destroy()
    else pipe.end()
  }
}
