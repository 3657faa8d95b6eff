/** The cookies that a person stores for a site, as they are shown: never the cookies themselves. */
import { z } from 'zod'

/** The most hosts for which one person stores cookies. */
export const max_cookie_hosts = 50

/** Bytes of a Netscape file. Many exporters write all cookies of a browser, which keeps about 3,000. */
export const max_cookie_file = 2_000_000
export const cookie_file_too_large = 'This cookie file is larger than 2 MB. Export only the cookies for this site.'

export const no_secret_key =
  'This server cannot store cookies. Its administrator has to set SECRET_KEY, which encrypts them.'

/** Characters that are kept of it. A browser keeps 180 cookies for a site, of 4 kB at most, and sites use far less. */
export const max_kept_cookies = 200_000

/** A name or an address, from which the host is taken. */
export const CookieHost = z
  .string()
  .max(300)
  .meta({ description: 'The host of the site, such as youtube.com', examples: ['youtube.com'] })

export const SiteCookies = z.object({
  host: z.string().describe('The cookies go to this host and to the hosts below it'),
  stored_at: z.date().describe('When they were stored, for the last time'),
  worked_at: z.date().nullable().describe('When a download with them last completed'),
  refused_at: z
    .date()
    .nullable()
    .describe('When the site last refused a download that had them; null since they were stored or worked'),
  expires_at: z
    .date()
    .nullable()
    .describe(
      'When the last of them expires, which ends the sign-in at the latest; null if they name no time, or if this server has another key or none',
    ),
})
export type SiteCookies = z.infer<typeof SiteCookies>

export const CookieList = z.object({ cookies: z.array(SiteCookies) })

/** The form of the page: a file, or its text. */
export const CookiesForm = z.object({
  host: z.string().trim().min(1, 'Enter the address of the site, such as youtube.com.').max(300),
  file: z.unknown().optional(),
  text: z.string().default(''),
})
