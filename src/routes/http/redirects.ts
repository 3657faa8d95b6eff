/** Where to redirect after a sign-in or a button: always within this site. Pure. */
import type { Here } from './context.ts'

/**
 * `next` if every browser would resolve it to this site, so that it can't be used as an open redirect; otherwise, and for the sign-in
 * pages, `/`.
 */
export function safeNext(next = ''): string {
  const page = pageInSite(next)
  return page !== undefined && !sign_in_pages.test(decode(page) ?? '') ? page : '/'
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
  return pageInSite(page.pathname + page.search) ?? otherwise
}

/** Undefined for a path with dots, plain or escaped: no page has one, and browsers and proxies resolve it out of the path of PUBLIC_URL. */
function pageInSite(path: string): string | undefined {
  const decoded = decode(path)
  if (path.length > max_path_characters || decoded === undefined) return undefined
  const place = decode(path.replace(/[?#].*/s, '')) ?? ''
  return is_here.test(path) && is_here.test(decoded) && !has_dots.test(place) ? path : undefined
}

/** No page here has a longer address, and some proxies refuse them. */
const max_path_characters = 2048

/** Browsers read a backslash as a slash, and drop tabs and line breaks. */
const is_here = /^\/(?![/\\])[^\\\u0000-\u001f\u007f]*$/
const has_dots = /\/\.{1,2}(?:\/|$)/

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
