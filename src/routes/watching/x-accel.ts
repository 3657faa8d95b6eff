/**
 * Lets nginx send a file after this service has checked the request. The answer has no body; it names the file below an internal
 * location of nginx, which also checks conditions and ranges. Limits on open files are then nginx's.
 * https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_ignore_headers
 */
import type { Context } from 'hono'
import { closeSource } from '../../runtime/sending.ts'
import type { OpenFile } from '../../store/files.ts'

/** The location of the recipe in `OPERATIONS.md`. */
const internal_location = '/_files'

/** Closes the file, because nginx opens it again. */
export async function sendByNginx(
  c: Context,
  { source, download_path }: OpenFile,
  headers: Record<string, string>,
): Promise<Response> {
  await closeSource(source)
  // nginx decodes the path.
  const path = download_path.split('/').map(encodeURIComponent).join('/')
  return c.body(null, 200, { ...headers, 'X-Accel-Redirect': `${internal_location}/${path}` })
}
