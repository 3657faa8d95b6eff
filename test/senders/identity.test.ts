import { describe, expect, it } from 'vitest'
import { contactOf, greetingOf } from '../../src/senders/identity.ts'

const reserved = [
  ...['localhost', 'nas', 'tv.local', 'tv.lan', 'tv.home', 'tv.corp', 'tv.internal', 'tv.intranet', 'tv.localdomain'],
  ...[
    'tv.test',
    'tv.example',
    'tv.invalid',
    'tv.home.arpa',
    'tv.onion',
    '192.168.1.5',
    '93.184.215.14',
    '[2001:db8::1]',
  ],
]
const MAIL_FROM = 'Backlot <backlot@example.org>'

describe('the contact for push services', () => {
  it.each(['https://tv.example.org', 'https://tv.example.org:8443/backlot', 'https://bücher.example.com/@tv'])(
    'is the address %s',
    PUBLIC_URL => {
      expect(contactOf({ PUBLIC_URL, MAIL_FROM })).toBe(PUBLIC_URL)
    },
  )

  it.each(reserved)('is MAIL_FROM rather than https://%s', name => {
    expect(contactOf({ PUBLIC_URL: `https://${name}/tv`, MAIL_FROM })).toBe('mailto:backlot@example.org')
  })

  it.each(reserved)('is PUBLIC_URL rather than a mailbox at %s', name => {
    const contact = contactOf({ PUBLIC_URL: 'https://tv.example.org', MAIL_FROM: `backlot@${name}` })
    expect(contact).toBe('https://tv.example.org')
  })

  it('is MAIL_FROM without https', () => {
    expect(contactOf({ PUBLIC_URL: 'http://tv.example.org', MAIL_FROM })).toBe('mailto:backlot@example.org')
    expect(contactOf({ MAIL_FROM: 'backlot@example.org' })).toBe('mailto:backlot@example.org')
  })

  it('is a reserved name where nothing better is known', () => {
    expect(contactOf({ PUBLIC_URL: 'https://tv.lan' })).toBe('https://tv.lan')
    expect(contactOf({ PUBLIC_URL: 'https://tv.lan', MAIL_FROM: 'tv@nas.local' })).toBe('https://tv.lan')
    expect(contactOf({})).toBe('mailto:operator@backlot.invalid')
  })
})

describe('the name in the greeting of mail', () => {
  const PUBLIC_URL = 'https://tv.example.org:8443/backlot'

  it.each(['mail.example.com', 'vm.example.co.uk'])('is that of the machine if it is public: %s', own => {
    expect(greetingOf({ PUBLIC_URL, MAIL_FROM }, own)).toBe(own)
  })

  it.each([...reserved, '8f3a2c', ''])('is that of PUBLIC_URL rather than %j', own => {
    expect(greetingOf({ PUBLIC_URL, MAIL_FROM: 'tv@example.com' }, own)).toBe('tv.example.org')
  })

  it.each([undefined, ...reserved.map(name => `http://${name}`)])(
    'is the domain of MAIL_FROM where PUBLIC_URL is %s',
    url => {
      expect(greetingOf({ PUBLIC_URL: url, MAIL_FROM }, '8f3a2c')).toBe('example.org')
      expect(greetingOf({ PUBLIC_URL: url, MAIL_FROM: 'tv@bücher.de' }, '8f3a2c')).toBe('xn--bcher-kva.de')
    },
  )

  it('has a dot where no name is public', () => {
    expect(greetingOf({ PUBLIC_URL: 'http://192.168.1.5', MAIL_FROM: 'tv@nas.lan' }, 'nas')).toBe('nas.lan')
    expect(greetingOf({ PUBLIC_URL: 'http://localhost', MAIL_FROM: 'tv@nas' }, 'nas')).toBeUndefined()
  })
})
