/**
 * Lets the browser fetch a video from object storage after this service has checked the request. Conditions are checked here, ranges
 * by the storage. Everyone who has the signed address can read the file until it expires, so no cache may keep it.
 */
import type { Context } from 'hono'
import type { OpenFile } from '../../store/files.ts'

/** A browser keeps the address for later parts of the video. When it has expired, the player requests ours again (`player/player.js`). */
export async function redirectToBucket(
  c: Context,
  { signedUrl }: OpenFile,
  headers: Record<string, string>,
): Promise<Response> {
  const as = { type: headers['Content-Type'] ?? '', disposition: headers['Content-Disposition'] }
  const location = (await signedUrl?.(as)) ?? ''
  c.header('Cache-Control', 'private, no-store')
  // The tags and dates describe the file, not this answer.
  for (const name of ['ETag', 'Last-Modified', 'Accept-Ranges']) c.header(name, undefined)
  return c.body(null, 307, { Location: location })
}
