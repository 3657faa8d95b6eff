/** Sets the security headers of every answer, and by default forbids caches to store it. */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { secureHeaders } from 'hono/secure-headers'
import { docs_path, type Env, isHttps } from './context.ts'

const policy = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  // Thumbnails come from the hosts that feeds name; everything else comes from here.
  imgSrc: ["'self'", 'https:', 'http:'],
  mediaSrc: ["'self'"],
  connectSrc: ["'self'"],
  manifestSrc: ["'self'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
  baseUri: ["'none'"],
}

const headersFor = (https: boolean, imgSrc: string[] = policy.imgSrc) =>
  secureHeaders({
    contentSecurityPolicy: { ...policy, imgSrc },
    // `back` in answers.tsx reads the Referer.
    referrerPolicy: 'same-origin',
    // Without includeSubDomains: other hosts of this domain may not serve https.
    strictTransportSecurity: https ? 'max-age=31536000' : false,
    xFrameOptions: 'DENY',
    crossOriginEmbedderPolicy: false,
    permissionsPolicy: { camera: [], microphone: [], geolocation: [] },
  })

/** The stylesheet of the API's page contains its icons as data: URLs. */
const with_data_images = [...policy.imgSrc, 'data:']
const plain = [headersFor(false), headersFor(false, with_data_images)] as const
const secure = [headersFor(true), headersFor(true, with_data_images)] as const

export const headers = createMiddleware<Env>((c, next) => {
  const [usual, docs] = isHttps(c) ? secure : plain
  return (c.req.path === docs_path ? docs : usual)(c, next)
})

/** An answer belongs to one user, so no cache may store it unless its route says otherwise. */
export function noStoreByDefault(c: Context): void {
  const { headers } = c.res
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-store')
}
