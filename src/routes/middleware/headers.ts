/** What every answer tells the browser: where anything on a page may come from, and that nobody else may frame or read it. */
import { createMiddleware } from 'hono/factory'
import { secureHeaders } from 'hono/secure-headers'
import { docs_path, type Env, isHttps } from './context.ts'

const policy = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  // Thumbnails come from wherever the feeds say; everything else is ours.
  imgSrc: ["'self'", 'https:', 'http:'],
  mediaSrc: ["'self'"],
  connectSrc: ["'self'"],
  manifestSrc: ["'self'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
  baseUri: ["'none'"],
}

/** `strictTransportSecurity`: of this host alone, and only where people come by https; what else stands on its domain is not ours to decide. */
const headersFor = (https: boolean, imgSrc: string[] = policy.imgSrc) =>
  secureHeaders({
    contentSecurityPolicy: { ...policy, imgSrc },
    // Forms need the Referer to find back.
    referrerPolicy: 'same-origin',
    strictTransportSecurity: https ? 'max-age=31536000' : false,
    xFrameOptions: 'DENY',
    crossOriginEmbedderPolicy: false,
    permissionsPolicy: { camera: [], microphone: [], geolocation: [] },
  })

/** The page about the API draws its icons from its stylesheet. */
const withDrawings = [...policy.imgSrc, 'data:']
const plain = [headersFor(false), headersFor(false, withDrawings)] as const
const secure = [headersFor(true), headersFor(true, withDrawings)] as const

export const headers = createMiddleware<Env>((c, next) => {
  const [usual, docs] = isHttps(c) ? secure : plain
  return (c.req.path === docs_path ? docs : usual)(c, next)
})
