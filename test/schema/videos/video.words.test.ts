import { expect, it } from 'vitest'
import { type FileWords, wordsHash } from '../../../src/schema/videos/video.ts'

const words: FileWords = {
  title: 'Bread',
  channel_title: 'Kitchen',
  published_at: new Date('2026-11-20T09:00:00Z'),
  description: 'How to bake.',
  video_url: 'https://kitchen.example/bread.mp4',
  thumbnail_url: 'https://kitchen.example/bread.jpg',
}

it('entries with the same words have the same digest', () => {
  expect(wordsHash({ ...words, published_at: new Date('2026-11-20T09:00:00Z') })).toBe(wordsHash(words))
  expect(wordsHash(words)).toMatch(/^[\w-]{43}$/)
})

it('a change of any word changes the digest', () => {
  const changes: Partial<FileWords>[] = [
    { title: 'Cake' },
    { channel_title: 'Bakery' },
    { published_at: new Date('2026-11-21T09:00:00Z') },
    { published_at: null },
    { description: null },
    { description: '' },
    { video_url: 'https://kitchen.example/cake.mp4' },
    { thumbnail_url: null },
    // The same text at another place.
    { title: 'Kitchen', channel_title: 'Bread' },
  ]
  const digests = [words, ...changes.map(change => ({ ...words, ...change }))].map(wordsHash)
  expect(new Set(digests).size).toBe(changes.length + 1)
})
