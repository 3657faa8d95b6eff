/** The words of a person's entry that are written into a file when its site says nothing about it, and their digest. Pure. */
import { hash } from 'node:crypto'
import type { Video } from './video.ts'

export type FileWords = Pick<
  Video,
  'title' | 'channel_title' | 'published_at' | 'description' | 'video_url' | 'thumbnail_url'
>

/**
 * A digest of 43 characters, equal only when all the words are equal. A file with the words of one person's entry may be given only to people
 * whose own entry has the same words.
 */
export const wordsHash = ({
  title,
  channel_title,
  published_at,
  description,
  video_url,
  thumbnail_url,
}: FileWords): string =>
  hash(
    'sha256',
    JSON.stringify([title, channel_title, published_at, description, video_url, thumbnail_url]),
    'base64url',
  )
