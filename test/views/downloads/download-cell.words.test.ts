import { describe, expect, it } from 'vitest'
import { placeWords, transferWords } from '../../../src/views/downloads/download-cell.tsx'
import { half } from '../../support/app/scene.ts'

describe('placeWords', () => {
  it.each([
    [1, 'Up next'],
    [2, 'Queued, #2'],
    [10, 'Queued, #10'],
    [11, 'Queued'],
    [1203, 'Queued'],
  ])('calls place %d in the queue %s', (place, words) => expect(placeWords(place)).toBe(words))
})

describe('transferWords', () => {
  it.each([
    [{}, '310 of 738 MB · 6.1 MB/s'],
    [{ total_bytes: 1_200_000_000 }, '310 MB of 1.2 GB · 6.1 MB/s'],
    [{ total_bytes: null }, '310 MB · 6.1 MB/s'],
    [{ speed: null }, '310 of 738 MB'],
    [{ downloaded_bytes: null }, undefined],
    [{ phase: 'processing' as const }, undefined],
  ])('says what is received so far, without what is not known: %o', (changes, words) => {
    expect(transferWords({ ...half, ...changes })).toBe(words)
  })
})
