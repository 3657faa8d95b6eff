/** Names a video by its address, the same for all people who have it. Pure. */
import { hash } from 'node:crypto'
import { oneAddressOf } from '../../feed/platforms/by-address.ts'

/**
 * The first half of a SHA-256, in the form of a UUID. Equal for the addresses that a platform defines as those of one video, otherwise only
 * for the same address. It is stored: it may change only in such a way that no two videos get the same.
 */
export const addressHash = (video_url: string): string =>
  hash('sha256', oneAddressOf(video_url))
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
