/** Sets the security headers of every answer, and by default forbids caches to store it. */
import { createHash } from 'node:crypto'
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
  workerSrc: ["'self'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
  baseUri: ["'none'"],
}

/** A picture from another site may do nothing, whatever a browser takes it for. */
const of_picture = { defaultSrc: ["'none'"], sandbox: [] }

const headersFor = (https: boolean, contentSecurityPolicy: Record<string, string[]>) =>
  secureHeaders({ ...usual(https), contentSecurityPolicy })

const usual = (https: boolean) =>
  ({
    // `back` in answers.tsx reads the Referer.
    referrerPolicy: 'same-origin',
    // Without includeSubDomains: other hosts of this domain may not serve https.
    strictTransportSecurity: https ? 'max-age=31536000' : false,
    xFrameOptions: 'DENY',
    crossOriginEmbedderPolicy: false,
    permissionsPolicy: { camera: [], microphone: [], geolocation: [] },
  }) satisfies Parameters<typeof secureHeaders>[0]

/** The page of a link runs no script and tells no site where it was. A television plays its file from a page of another site. */
const headersOfLinks = (
  https: boolean,
  formAction: string,
  crossOriginResourcePolicy: 'same-origin' | 'cross-origin',
) =>
  secureHeaders({
    ...usual(https),
    contentSecurityPolicy: { ...policy, scriptSrc: ["'none'"], connectSrc: ["'none'"], formAction: [formAction] },
    referrerPolicy: 'no-referrer',
    crossOriginResourcePolicy,
  })

const headersBy = (https: boolean, page_policy: typeof policy) => ({
  usual: headersFor(https, page_policy),
  // `blob:` is what our own player is fed with while a video is downloaded.
  watch: headersFor(https, { ...page_policy, mediaSrc: [...page_policy.mediaSrc, 'blob:'] }),
  // The stylesheet of the API's page contains its icons as data: URLs.
  docs: headersFor(https, { ...page_policy, imgSrc: [...page_policy.imgSrc, 'data:'] }),
  picture: headersFor(https, of_picture),
  link: headersOfLinks(https, "'none'", 'cross-origin'),
  mails: headersOfLinks(https, "'self'", 'same-origin'),
})

/**
 * `import_maps`: the only texts inside pages that are scripts. `video_origin`: where browsers fetch videos from, when that is not this
 * service.
 */
export function headers(import_maps: string[], video_origin?: string) {
  const hashes = import_maps.map(text => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  const page_policy = {
    ...policy,
    scriptSrc: [...policy.scriptSrc, ...hashes],
    mediaSrc: [...policy.mediaSrc, ...(video_origin ? [video_origin] : [])],
  }
  const [plain, secure] = [headersBy(false, page_policy), headersBy(true, page_policy)]
  return createMiddleware<Env>((c, next) => {
    const { usual, docs, picture, watch, link, mails } = isHttps(c) ? secure : plain
    if (isLink(c.req.path)) return link(c, next)
    if (c.req.path.startsWith('/mails/')) return mails(c, next)
    if (c.req.path.startsWith('/pictures/')) return picture(c, next)
    if (/^\/watch\/[^/]+$/.test(c.req.path)) return watch(c, next)
    return (c.req.path === docs_path ? docs : usual)(c, next)
  })
}

/** The paths whose second part is a token that opens something without a sign-in. */
export const isLink = (path: string): boolean => /^\/[sf]\//.test(path)

/** An answer belongs to one user, so no cache may store it unless its route says otherwise. */
export function noStoreByDefault(c: Context): void {
  const { headers } = c.res
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-store')
}
