/** When a run counts as slow, so that it yields its slot. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Library } from '../../../src/db/library.ts'
import { preparing, type WatchOptions, watchRun } from '../../../src/domain/downloads/watch-run.ts'
import type { Progress } from '../../../src/schema/downloads/download.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Whether a run counts as slow that fetches so many bytes a second, after these seconds. */
async function isSlow(
  bytes_s: number,
  share: number | undefined,
  { seconds = 70, more = {} as Partial<Progress> } = {},
) {
  const judged: boolean[] = []
  const options: WatchOptions = {
    library: { downloads: { beat: async () => true } } as unknown as Library,
    stopping: new AbortController().signal,
    lackOfRoom: async () => undefined,
    shareNow: () => share,
    yieldReasonOf: async (_, is_slow) => void judged.push(is_slow),
  }
  const watch = watchRun(options, { video_id: 'v1', claim: 'c1' } as Parameters<typeof watchRun>[1])
  for (let second = 0; second < seconds; second++) {
    watch.report({ ...preparing, phase: 'downloading', downloaded_bytes: bytes_s * second, ...more })
    await vi.advanceTimersByTimeAsync(1000)
  }
  watch.end()
  return judged.at(-1)
}

it('a run is slow below half of what our own rate leaves to it', async () => {
  expect(await isSlow(9000, 20_000)).toBe(true)
  expect(await isSlow(11_000, 20_000)).toBe(false)
})

it('a run is slow below 50 kB/s where its share is larger, or where there is no rate', async () => {
  for (const share of [1_000_000, undefined]) {
    expect(await isSlow(49_000, share)).toBe(true)
    expect(await isSlow(51_000, share)).toBe(false)
  }
})

it('no run is slow in its first minute, or while it does not report its bytes', async () => {
  expect(await isSlow(10, undefined, { seconds: 50 })).toBe(false)
  expect(await isSlow(10, undefined, { more: { downloaded_bytes: null } })).toBe(false)
})
