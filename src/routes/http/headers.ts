/** Sets the security headers of every answer, and by default forbids caches to store it. */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { secureHeaders } from 'hono/secure-headers'
import { docs_path, type Env, isHttps } from './context.ts'

const policy = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  // Pictures are stored here, too, so that no page tells another site who reads it.
  imgSrc: ["'self'"],
  mediaSrc: ["'self'"],
  connectSrc: ["'self'"],
  manifestSrc: ["'self'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
  baseUri: ["'none'"],
}

/** A picture from another site may do nothing, whatever a browser takes it for. */
const of_picture = { defaultSrc: ["'none'"], sandbox: [] }

const headersFor = (https: boolean, contentSecurityPolicy: Record<string, string[]>) =>
  secureHeaders({
    contentSecurityPolicy,
    // `back` in answers.tsx reads the Referer.
    referrerPolicy: 'same-origin',
    // Without includeSubDomains: other hosts of this domain may not serve https.
    strictTransportSecurity: https ? 'max-age=31536000' : false,
    xFrameOptions: 'DENY',
    crossOriginEmbedderPolicy: false,
    permissionsPolicy: { camera: [], microphone: [], geolocation: [] },
  })

const headersBy = (https: boolean, video_origins: string[]) => ({
  usual: headersFor(https, { ...policy, mediaSrc: [...policy.mediaSrc, ...video_origins] }),
  // `blob:` is what our own player is fed with while a video is downloaded.
  watch: headersFor(https, { ...policy, mediaSrc: [...policy.mediaSrc, 'blob:', ...video_origins] }),
  // The stylesheet of the API's page contains its icons as data: URLs.
  docs: headersFor(https, { ...policy, imgSrc: [...policy.imgSrc, 'data:'] }),
  picture: headersFor(https, of_picture),
})

/** `video_origin`: where browsers fetch videos from, when that is not this service. */
export function headers(video_origin?: string) {
  const video_origins = video_origin ? [video_origin] : []
  const [plain, secure] = [headersBy(false, video_origins), headersBy(true, video_origins)]
  return createMiddleware<Env>((c, next) => {
    const { usual, docs, picture, watch } = isHttps(c) ? secure : plain
    if (c.req.path.startsWith('/pictures/')) return picture(c, next)
    if (/^\/watch\/[^/]+$/.test(c.req.path)) return watch(c, next)
    return (c.req.path === docs_path ? docs : usual)(c, next)
  })
}

/** An answer belongs to one user, so no cache may store it unless its route says otherwise. */
export function noStoreByDefault(c: Context): void {
  const { headers } = c.res
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-store')
}
