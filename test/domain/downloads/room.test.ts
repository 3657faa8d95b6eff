import { describe, expect, it } from 'vitest'
import type { Library } from '../../../src/db/library.ts'
import { lackOfRoom, no_limits } from '../../../src/domain/downloads/room.ts'
import { preparing } from '../../../src/domain/downloads/watch-run.ts'
import type { Files } from '../../../src/store/files.ts'

const kept = (bytes: number) =>
  ({
    videos: { bytesUsed: async () => bytes },
    space: { quota: async (service_bytes: number) => service_bytes || null },
  }) as unknown as Library
const free = (bytes: number) => ({ freeBytes: async () => bytes, requireWritable: async () => {} }) as unknown as Files
const fetching = (downloaded_bytes: number, total_bytes: number | null) => ({
  ...preparing,
  downloaded_bytes,
  total_bytes,
})
const plenty = 1e15

describe('the disk', () => {
  const limits = { ...no_limits, min_free_bytes: 1000 }
  it.each([
    ['has room at the floor', 1000, null, false],
    ['has none below it', 999, null, true],
    ['has none for what is still to come', 1500, fetching(100, 700), true],
    ['has room for what is still to come', 1600, fetching(100, 700), false],
    ['is judged by what is known', 1000, fetching(100, null), false],
  ])('%s', async (_, left, progress, lacking) => {
    const lack = await lackOfRoom({ library: kept(plenty), files: free(left), room: limits }, 'v1', progress)
    expect(lack?.kind).toBe(lacking ? 'local' : undefined)
    if (lack) expect(lack.sentence).toContain('not enough space left on the disk')
  })
})

describe('the space of one person', () => {
  const limits = { ...no_limits, quota_bytes: 2e9 }
  it.each([
    ['lets a download begin below it', 2e9 - 1, null, false],
    ['lets none begin at it', 2e9, null, true],
    ['lets one end exactly at it', 2e9 - 100, fetching(100, 100), false],
    ['stops one that goes over it', 2e9 - 100, fetching(101, null), true],
    ['stops one that would go over it', 1e9, fetching(0, 1e9 + 1), true],
  ])('%s', async (_, bytes, progress, lacking) => {
    const lack = await lackOfRoom({ library: kept(bytes), files: free(0), room: limits }, 'v1', progress)
    expect(lack?.sentence).toBe(
      lacking ? 'This would be more than the 2 GB you can keep here. Delete some videos, then try again.' : undefined,
    )
  })
})

it('the used space is not queried where nothing limits it', async () => {
  expect(await lackOfRoom({ library: kept(plenty), files: free(0), room: no_limits }, 'v1', null)).toBeUndefined()
})
