/** On loopback: a mail server that keeps the mails it takes, as they arrived and as a mail program reads them. */
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'

type ReceivedMail = {
  from: string
  to: string[]
  /** Whether the connection was encrypted. */
  secure: boolean
  user: string | undefined
  raw: string
  parsed: ParsedMail
}

const folder = 'test/support/media/small-youtube'
const [key, cert, ca] = await Promise.all(
  ['site.key', 'site.pem', 'ca.pem'].map(name => readFile(`${folder}/${name}`, 'utf8')),
)

/** The part of SMTP_URL with which the certificate of the server is valid. */
export const trusting = `tls.ca=${encodeURIComponent(ca ?? '')}&tls.servername=www.youtube.com`

/** Closed at the end of the test. Without `authOptional: false` it takes mail without a sign-in. The password is `right & secret`. */
export async function mailServer(options: SMTPServerOptions = {}) {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    key: key ?? '',
    cert: cert ?? '',
    onAuth({ username, password }, _, done) {
      if (password === 'right & secret') done(null, { user: username ?? '' })
      else done(new Error('the secret words of the mail server'))
    },
    async onData(stream, { envelope, secure, user }, done) {
      const raw = await text(stream)
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
      const to = envelope.rcptTo.map(({ address }) => address)
      mails.push({ from, to, secure, user: user as string | undefined, raw, parsed: await simpleParser(raw) })
      done()
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => new Promise<void>(closed => server.close(closed)))
  const { port } = server.server.address() as AddressInfo
  return { port, mails }
}
