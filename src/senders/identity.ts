/** The names by which this service introduces itself to push services and mail servers. Many refuse a name that only one network knows. */
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { Config } from '../config/config.ts'
import { isPublicName } from '../net/addresses.ts'

export type MailSettings = Partial<Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'PUBLIC_URL'>>

/** Where a push service can reach the operator: an address with `https:` or `mailto:` (RFC 8292). */
export function contactOf({ PUBLIC_URL, MAIL_FROM }: MailSettings): string {
  const known = [...(PUBLIC_URL?.startsWith('https:') ? [PUBLIC_URL] : []), ...mailtoOf(MAIL_FROM)]
  return known.find(isPublicContact) ?? known[0] ?? 'mailto:operator@backlot.invalid'
}

export const isPublicContact = (contact: string): boolean => isPublicName(hostIn(contact))

/** The name for the greeting of SMTP. `undefined`: none is known with a dot, so Nodemailer chooses. `own`: the name of this machine. */
export function greetingOf({ PUBLIC_URL, MAIL_FROM }: MailSettings, own = hostname()): string | undefined {
  const names = [own, ...[...(PUBLIC_URL ? [PUBLIC_URL] : []), ...mailtoOf(MAIL_FROM)].map(hostIn)]
  return names.find(isPublicName) ?? names.find(name => name.includes('.') && !isIP(name))
}

const mailtoOf = (from = ''): string[] => from.match(/[^\s<>]+@[^\s<>]+/)?.map(mailbox => `mailto:${mailbox}`) ?? []

/** In ASCII. `''`: it has none. */
const hostIn = (address: string): string => URL.parse(address.replace(/^mailto:.*@/, 'https://'))?.hostname ?? ''
