import { describe, expect, it } from 'vitest'
import { summary } from '../../../src/views/pages/downloads.tsx'

describe('DownloadsPage', () => {
  it('sums up the shelves without the empty ones', () => {
    const none = { running: 0, waiting: 0, failed: 0, done: 0, on_disk_bytes: 0 }
    const on_disk = { ...none, done: 1, on_disk_bytes: 9_400_000_000 }

    expect(summary({ tally: on_disk, quota_bytes: null })).toBe('1 on disk, 9.4 GB')
    expect(summary({ tally: on_disk, quota_bytes: 50e9 })).toBe('1 on disk, 9.4 GB of 50 GB')
    expect(summary({ tally: { ...none, running: 1, waiting: 2, failed: 1 }, quota_bytes: 50e9 })).toBe(
      '1 running · 2 queued · 1 failed',
    )
  })
})
