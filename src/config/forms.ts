/** How the values of variables are written. */
import { z } from 'zod'

export const port = z.coerce.number('a port number').int().min(0).max(65535)
export const wholeNumber = (least: number) =>
  z.coerce.number('a whole number').int('a whole number').min(least, `a whole number, ${least} or more`)
export const address = z.url({
  protocol: /^https?$/,
  error: 'an address that starts with http:// or https://',
  abort: true,
})
/** A password in an address would be part of errors. */
export const endpoint = address.refine(
  text => /^https?:\/\/[^/?#@]+[^?#@]*$/.test(text),
  'an address that starts with http:// or https://, without a user name and a query',
)
/** The message says nothing of the value, which may contain a password. */
export const proxy = z
  .string()
  .refine(
    isProxy,
    'an address such as http://proxy:8888 or socks5://user:password@proxy:1080; other kinds of proxies cannot be used',
  )

/** A user name without a password counts. SOCKS5 allows 255 bytes for each. */
function isProxy(text: string): boolean {
  const url = /^(?:http|socks5h?):\/\/[^/?#\\\s]+\/?$/i.test(text) ? URL.parse(text) : null
  if (!url || url.hostname === '') return false
  try {
    return [url.username, url.password].every(word => Buffer.byteLength(decodeURIComponent(word)) <= 255)
  } catch {
    return false
  }
}
/** Without dots at the beginning of a part of the path, which browsers and proxies resolve. */
export const site = address
  .refine(
    text => /^https?:\/\/[^/?#@\\]+(?:\/[a-z0-9_~-][a-z0-9._~-]*)*\/?$/i.test(text),
    'an address such as https://tv.example.org or https://example.org/backlot, with letters, digits and -._~ in its path',
  )
  .transform(text => text.replace(/\/$/, ''))
/** Octal, as the command `umask` takes it. The first digit is 0, because the service must be able to read its own files. */
export const umask = z
  .string()
  .regex(/^0?0[0-7]{2}$/, 'three octal digits of which the first is 0, such as 077 or 027')
  .transform(digits => Number.parseInt(digits, 8))
/** Without underscores, which proxies drop or take for dashes. */
export const header = z
  .string()
  .max(100, 'a name of at most 100 characters')
  .regex(/^[a-z](?:[a-z0-9-]*[a-z0-9])?$/i, 'the name of a header, such as Remote-User: letters, digits and dashes')
  .refine(name => !has_a_meaning.test(name), 'a header without another meaning, such as Remote-User')
/** What browsers, proxies and this service use otherwise. */
const has_a_meaning =
  /^(?:accept|access-control|content|hx|if|proxy|sec)-|^x-forwarded-(?:by|for|host|method|path|port|prefix|proto|protocol|scheme|server|ssl|uri)$|^(?:accept|authorization|cache-control|connection|cookie|date|dnt|expect|forwarded|host|keep-alive|last-event-id|origin|pragma|range|referer|set-cookie|te|trailer|transfer-encoding|upgrade|upgrade-insecure-requests|user-agent|via)$/i
export const list = z.string().transform(text =>
  text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== ''),
)

/** The bucket and the prefix in `s3://bucket/prefix`, without slashes at the ends; `undefined` for anything else. */
export function bucketNamed(downloads_dir: string): { bucket: string; prefix: string } | undefined {
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/((?:[\w-][\w.-]*(?:\/|$))*))?$/.exec(downloads_dir) ?? []
  return bucket === undefined ? undefined : { bucket, prefix: prefix.replace(/\/$/, '') }
}
