/** Where to redirect after a sign-in or a button: always within this site. Pure. */
import type { Here } from './context.ts'

/**
 * Accepts `next` only when every browser would resolve it to this site, so that it can't be used as an open redirect;
 * otherwise, and for the sign-in pages, returns `/`.
 */
export function safeNext(next: string | undefined): string {
  return next !== undefined && isInSite(next) && !sign_in_pages.test(decode(next) ?? '') ? next : '/'
}

/** Whether a path of this site shows a page that needs a sign-in; `''` is no page. */
export const isForSignedIn = (path: string): boolean => path !== '' && !public_pages.test(path)

/** A signed-in person has no use for these pages. */
const sign_in_pages = /^\/(?:login|logout|register)(?:[/?#]|$)/
const public_pages = /^\/(?:login|logout|register|reset-password)(?:[/?#]|$)/

/** The page a form was on, from the Referer, which browsers send within one site. */
export function pageBefore(referer: string | undefined, here: Pick<Here, 'host'>, otherwise: string): string {
  if (!referer || !URL.canParse(referer)) return otherwise
  const page = new URL(referer)
  if (page.host !== here.host) return otherwise
  const path = page.pathname + page.search
  return isInSite(path) ? path : otherwise
}

function isInSite(path: string): boolean {
  const decoded = decode(path)
  return path.length <= max_path_characters && staysInside(path) && decoded !== undefined && staysInside(decoded)
}

/** No page here has a longer address, and some proxies refuse them. */
const max_path_characters = 2048

const somewhere = 'http://here.invalid'

function staysInside(path: string): boolean {
  // Browsers read a backslash as a slash, and drop tabs and line breaks.
  if (!/^\/(?![/\\])[^\\\u0000-\u001f\u007f]*$/.test(path)) return false
  return URL.canParse(path, somewhere) && new URL(path, somewhere).origin === somewhere
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
