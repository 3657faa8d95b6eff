/**
 * Sends a message as plain mail through the server that the operator names in SMTP_URL. This file is loaded with the first mail, because
 * Nodemailer is large. A mail ends in a link that ends the mails, and names the link in its headers, so that mail programs can show a
 * button (RFC 2369, RFC 8058).
 */
import { createTransport } from 'nodemailer'
import type { Delivery, Message, SendMessage } from '../schema/notifications/message.ts'
import { no_mail } from '../schema/notifications/target.ts'
import { cut } from '../schema/values/stored.ts'
import { greetingOf, type MailSettings } from './identity.ts'
import { oneLine } from './texts.ts'

/** Milliseconds for each step of the conversation, and for all of it. */
const timeouts = { step_ms: 10_000, all_ms: 30_000 }
const max_subject = 200

export function mailSender(settings: MailSettings): SendMessage {
  const { SMTP_URL, MAIL_FROM, PUBLIC_URL } = settings
  if (!SMTP_URL || !MAIL_FROM) return async () => ({ delivered: false, detail: no_mail, retry: false })
  const transport = createTransport({
    url: SMTP_URL,
    name: greetingOf(settings),
    ...(needsTls(SMTP_URL) && { requireTLS: true }),
    connectionTimeout: timeouts.step_ms,
    greetingTimeout: timeouts.step_ms,
    dnsTimeout: timeouts.step_ms,
    socketTimeout: timeouts.step_ms,
    // No text of a message may name a file or an address to attach.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async (message, { address, token_or_key: end_token }, signal) => {
    const end_url = PUBLIC_URL && end_token !== null ? `${PUBLIC_URL}/mails/${end_token}` : undefined
    const deadline = AbortSignal.timeout(timeouts.all_ms)
    const stop = signal ? AbortSignal.any([signal, deadline]) : deadline
    try {
      await transport.sendMail({ ...mailOf(message, MAIL_FROM, end_url), to: { name: '', address }, signal: stop })
      return { delivered: true }
    } catch (fault) {
      signal?.throwIfAborted()
      return refusalOf(fault)
    }
  }
}

/** A password crosses the network only encrypted, unless the operator says otherwise in SMTP_URL. */
function needsTls(smtp_url: string): boolean {
  const { username, hostname, searchParams } = new URL(smtp_url)
  const is_here = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
  return username !== '' && !is_here && !searchParams.has('ignoreTLS') && !searchParams.has('requireTLS')
}

function mailOf(message: Message, from: string, end_url: string | undefined) {
  const domain = /@([^\s<>@]+)>?\s*$/.exec(from)?.[1] ?? 'backlot.invalid'
  return {
    from,
    subject: subjectOf(message.title),
    text: textOf(message, end_url),
    messageId: `<${message.id}@${domain}>`,
    date: new Date(message.at),
    headers: {
      // Stops automatic replies, such as notes about an absence (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      ...(end_url && { 'List-Unsubscribe': { prepared: true, value: `<${end_url}>` } }),
      // RFC 8058 §3.1: only for https.
      ...(end_url?.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
  }
}

/** Mail programs would decode what looks like an encoded word (RFC 2047), with the line breaks in it. */
const subjectOf = (title: string) => cut(oneLine(title).replaceAll('=?', '= ?'), max_subject)

function textOf({ text, url }: Message, end_url: string | undefined): string {
  const end = end_url ? `End these mails: ${end_url}` : 'The settings of Backlot end these mails.'
  return [text, url ?? '', `-- \n${end}`].filter(part => part !== '').join('\n\n')
}

/** Without the text of the mail server, because the person reads the sentence. */
function refusalOf(fault: unknown): Delivery {
  const { code = '', originalCode = '', command, responseCode } = fault as MailFault
  const later = (detail: string): Delivery => ({ delivered: false, detail, retry: true })
  if (code === 'EAUTH' || code === 'ENOAUTH') return later('The mail server refused the sign-in of this service.')
  if (/CERT|SELF_SIGNED|LEAF_SIGNATURE/.test(originalCode))
    return later('The certificate of the mail server is not valid.')
  if (code === 'ETLS') return later('The mail server offers no encrypted connection.')
  if (responseCode === undefined) return later('The mail server could not be reached.')
  const is_final = responseCode >= 500 && command === 'RCPT TO'
  return { delivered: false, detail: `The mail server refused this mail (${responseCode}).`, retry: !is_final }
}

/** As Nodemailer names the part of the conversation that failed. */
type MailFault = { code?: string; originalCode?: string; command?: string; responseCode?: number }
