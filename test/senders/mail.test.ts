/** Mail as a real server takes it and a real mail program reads it. */
import { describe, expect, it } from 'vitest'
import { mailSender } from '../../src/senders/mail.ts'
import { hostile_titles, message, targetAt } from '../support/app/messages.ts'
import { mailServer, trusting } from '../support/media/mail-server.ts'

const PUBLIC_URL = 'https://tv.example/backlot'
const MAIL_FROM = 'Backlot <backlot@tv.example>'
const target = targetAt('mail', 'alice@example.org', 'the-token-of-the-link')
const senderTo = (smtp: string, more = {}) => mailSender({ SMTP_URL: smtp, MAIL_FROM, PUBLIC_URL, ...more })

describe('a mail', () => {
  it('is plain text with the address of the page, and an id that stays the same', async () => {
    const { port, mails } = await mailServer()
    const send = senderTo(`smtp://127.0.0.1:${port}?ignoreTLS=true`)
    for (let attempt = 0; attempt < 2; attempt++) expect(await send(message, target)).toEqual({ delivered: true })
    const [mail, again] = mails
    expect([mail?.from, mail?.to]).toEqual(['backlot@tv.example', ['alice@example.org']])
    expect(mail?.parsed).toMatchObject({
      subject: message.title,
      messageId: `<${message.id}@tv.example>`,
      date: new Date(message.at),
      html: false,
      attachments: [],
      from: { value: [{ name: 'Backlot', address: 'backlot@tv.example' }] },
      to: { value: [{ name: '', address: 'alice@example.org' }] },
    })
    expect(mail?.parsed.text).toMatch(`${message.text}\n\n${message.url}\n\n-- \n`)
    expect(again?.parsed.messageId).toBe(mail?.parsed.messageId)
  })

  it('greets the server with a name that has a dot, unless SMTP_URL names another', async () => {
    const greetings: string[] = []
    const { port } = await mailServer({
      onMailFrom: (_, { hostNameAppearsAs }, done) => {
        greetings.push(String(hostNameAppearsAs))
        done()
      },
    })
    const smtp = `smtp://127.0.0.1:${port}?ignoreTLS=true`
    const settings = { PUBLIC_URL: 'http://localhost:8000', MAIL_FROM: 'backlot@tv.example.org' }
    await senderTo(smtp, settings)(message, target)
    await senderTo(`${smtp}&name=mx.example.com`, settings)(message, target)
    expect(greetings).toEqual(['tv.example.org', 'mx.example.com'])
  })

  it('can be ended by one click of a mail program, and by a link in its text', async () => {
    const { port, mails } = await mailServer()
    await senderTo(`smtp://127.0.0.1:${port}?ignoreTLS=true`)(message, target)
    const { headers, text } = mails[0]?.parsed ?? {}
    const end_url = `${PUBLIC_URL}/mails/the-token-of-the-link`
    expect(headers?.get('list')).toMatchObject({ unsubscribe: { url: end_url } })
    // RFC 8058 §3.1: exactly this text.
    expect(mails[0]?.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    expect(text).toContain(`End these mails: ${end_url}`)
  })

  it('promises no one-click end without https, and no link without PUBLIC_URL', async () => {
    const { port, mails } = await mailServer()
    const smtp = `smtp://127.0.0.1:${port}?ignoreTLS=true`
    await senderTo(smtp, { PUBLIC_URL: 'http://tv.example' })(message, target)
    await senderTo(smtp, { PUBLIC_URL: undefined })(message, target)
    const raw = mails.map(mail => mail.raw)
    expect(raw.map(text => /^List-Unsubscribe:/m.test(text))).toEqual([true, false])
    expect(raw.map(text => /^List-Unsubscribe-Post:/m.test(text))).toEqual([false, false])
    expect(mails[1]?.parsed.text).toContain('The settings of Backlot end these mails.')
  })

  it.each(hostile_titles)('gets no header and no recipient from the title %j', async title => {
    const { port, mails } = await mailServer()
    const send = senderTo(`smtp://127.0.0.1:${port}?ignoreTLS=true`)
    expect(await send({ ...message, title, text: title }, target)).toEqual({ delivered: true })
    const { to, raw, parsed } = mails[0] ?? { to: [], raw: '', parsed: undefined }
    expect(to).toEqual(['alice@example.org'])
    expect([...(parsed?.headers.keys() ?? [])].toSorted()).toEqual(usual_headers)
    expect(parsed?.html).toBe(false)
    expect(parsed?.subject).not.toMatch(/[\p{Cc}\u2028\u2029\u202e]/u)
    expect(parsed?.subject?.length).toBeLessThanOrEqual(200)
    // RFC 5322 §2.1.1.
    const head = raw.slice(0, raw.indexOf('\r\n\r\n'))
    expect(head.split('\r\n').filter(line => line.length > 998)).toEqual([])
  })

  it('says that there is no mail without a server', async () => {
    expect(await mailSender({ PUBLIC_URL })(message, target)).toMatchObject({ delivered: false, retry: false })
  })
})

const usual_headers = [
  ...['auto-submitted', 'content-transfer-encoding', 'content-type', 'date', 'from', 'list', 'message-id'],
  ...['mime-version', 'subject', 'to'],
]

describe('the connection to the mail server', () => {
  const login = 'alice:right%20%26%20secret@'

  it.each([
    ['by STARTTLS', false, 'smtp'],
    ['from the first byte on', true, 'smtps'],
  ])('is encrypted %s, and its certificate is checked', async (_, secure, protocol) => {
    const { port, mails } = await mailServer({ secure, authOptional: false })
    const smtp = `${protocol}://${login}127.0.0.1:${port}`
    const detail = 'The certificate of the mail server is not valid.'
    expect(await senderTo(smtp)(message, target)).toEqual({ delivered: false, detail, retry: true })
    expect(await senderTo(`${smtp}?${trusting}`)(message, target)).toEqual({ delivered: true })
    expect(mails.map(({ secure, user }) => ({ secure, user }))).toEqual([{ secure: true, user: 'alice' }])
  })

  it('is not used for a password while it is open, unless the operator says so', async () => {
    const { port, mails } = await mailServer({ disabledCommands: ['STARTTLS'], authOptional: false })
    const smtp = `smtp://${login}[::ffff:127.0.0.1]:${port}`
    // Not how this machine is usually named, where a password may stay open.
    const detail = 'The mail server offers no encrypted connection.'
    expect(await senderTo(smtp)(message, target)).toEqual({ delivered: false, detail, retry: true })
    expect(mails).toEqual([])
    expect(await senderTo(`${smtp}?ignoreTLS=true`)(message, target)).toEqual({ delivered: true })
    expect(mails).toMatchObject([{ secure: false, user: 'alice' }])
  })

  it('with a wrong password says so, and nothing of the answer', async () => {
    const { port } = await mailServer({ authOptional: false })
    const smtp = `smtp://alice:wrong@127.0.0.1:${port}?${trusting}`
    const detail = 'The mail server refused the sign-in of this service.'
    expect(await senderTo(smtp)(message, target)).toEqual({ delivered: false, detail, retry: true })
  })

  it.each([
    [550, false],
    [452, true],
  ])('that refuses the recipient with %i says the status, and nothing of the answer', async (status, retry) => {
    const fault = Object.assign(new Error('the secret words of the mail server'), { responseCode: status })
    const { port } = await mailServer({ onRcptTo: (_, __, done) => done(fault) })
    const sent = await senderTo(`smtp://127.0.0.1:${port}?ignoreTLS=true`)(message, target)
    expect(sent).toEqual({ delivered: false, detail: `The mail server refused this mail (${status}).`, retry })
  })

  it('that is not there is tried again later', async () => {
    const sent = await senderTo('smtp://127.0.0.1:1')(message, target)
    expect(sent).toEqual({ delivered: false, detail: 'The mail server could not be reached.', retry: true })
  })
})
