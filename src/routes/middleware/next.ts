/** Where a person is sent after signing in or pressing a button: inside this site, or to its first page. Pure. */

/** The path when `next` leads to this very site however a browser reads it, and not back to its doors; `/` otherwise. */
export function safeNext(next: string | undefined): string {
  return next !== undefined && isOurs(next) && !doors.test(decode(next) ?? '') ? next : '/'
}

/** Whoever is signed in has no use for these, and `/logout` is no page at all. */
const doors = /^\/(?:login|logout|register)(?:[/?#]|$)/

/** The page a form was on, from its Referer; browsers send it within one site. */
export function pageBefore(referer: string | undefined, here: URL, otherwise: string): string {
  if (!referer || !URL.canParse(referer)) return otherwise
  const page = new URL(referer)
  if (page.host !== here.host) return otherwise
  const path = page.pathname + page.search
  return isOurs(path) ? path : otherwise
}

function isOurs(path: string): boolean {
  const decoded = decode(path)
  return path.length <= longest && staysInside(path) && decoded !== undefined && staysInside(decoded)
}

/** Longer addresses are nobody's pages, and do not survive every server on the way. */
const longest = 2048

const somewhere = 'http://here.invalid'

function staysInside(path: string): boolean {
  // A backslash counts as a slash, and a tab or line break as nothing, to a browser.
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
