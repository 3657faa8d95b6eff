import { describe, expect, it } from 'vitest'
import { hidingOf, secretsGiven } from '../../../src/ytdlp/operator/hidden-secrets.ts'
import { optionsIn } from '../../../src/ytdlp/operator/options.ts'

const secret = `k9"é/+ &%<'tail~!*`
const hide = hidingOf([secret], [])

describe('a secret is hidden', () => {
  const python_path = encodeURIComponent(secret).replace(/[!'*]/g, char => `%${char.charCodeAt(0).toString(16)}`)
  it.each([
    ['as it is', secret],
    ['in an address', encodeURIComponent(secret)],
    ['in an address, in small letters', encodeURIComponent(secret).toLowerCase()],
    ['in a form', new URLSearchParams({ a: secret }).toString().slice(2)],
    ['in a path', python_path.toUpperCase().replaceAll('%2F', '/').replace('K9', 'k9').replace('TAIL', 'tail')],
    ['in JSON', JSON.stringify(secret)],
    ['in JSON of ASCII', JSON.stringify(secret).replace('é', '\\u00e9')],
    ['in HTML', secret.replace('&', '&amp;').replace('<', '&lt;').replace('"', '&quot;').replace("'", '&#x27;')],
  ])('%s', (_, spelled) => {
    expect(hide(`before;${spelled};after`)).toMatch(/^before;"?…"?;after$/)
  })

  it.each([0, 1, 2, 3, 4])('in base64, %s bytes from its start', before => {
    const text = Buffer.from(`${'u'.repeat(before)}:a-password-of-someone;more`)
    for (const kind of ['base64', 'base64url'] as const)
      expect(hidingOf(['a-password-of-someone'], [])(`Basic ${text.toString(kind)}`)).toMatch(
        /^Basic [\w=+/-]{0,8}…[\w=+/-]{0,12}$/,
      )
  })

  it('wherever it is, and however often', () => {
    const both = hidingOf(['first-secret', 'first-secret-and-more'], [])
    expect(both('first-secretfirst-secret-and-more x first-secre')).toBe('…… x first-secre')
  })

  it('of very many that begin alike, with the whole word', () => {
    const many = Array.from({ length: 5000 }, (_, at) => `AAAAAA${at}AAAAAA`)
    expect(hidingOf(many, [])(`an AAAAAA77AAAAAA and ${'A'.repeat(200_000)}`)).toBe('an … and …')
  })

  it('of a value with several parts, each long one', () => {
    const hideParts = hidingOf(['Bearer abcdefgh12345678', '%7B%22token%22%3A%22hgfedcba87654321%22%7D'], [])
    expect(hideParts('abcdefgh12345678 and hgfedcba87654321 of a Bearer')).toBe('… and … of a Bearer')
  })

  it('as a site reads a value that is quoted or encoded', () => {
    expect(hidingOf(['"quoted-value"', 'a%3Dencoded%20value'], [])('quoted-value a=encoded value')).toBe('… …')
  })
})

describe('nothing is hidden', () => {
  it('for values that are ordinary words or numbers', () => {
    const line = 'dark en_US 1700000 Germany {"was_live":false,"duration":172839,"availability":"public"}'
    const values = ['dark', 'en_US', '1700000', 'false', '172839', 'Germany', 'duration', 'public', '']
    expect(hidingOf(values, [])(line)).toBe(line)
  })

  it('that our own arguments say', () => {
    const said = ['-P', '/data/downloads', '--', 'https://site.example/watch']
    const line = '/data/downloads/video.mp4 https://site.example/watch'
    expect(hidingOf(['downloads', 'https://site.example'], said)(line)).toBe(line)
  })

  it('without secrets', () => {
    expect(hidingOf([], [])('a line')).toBe('a line')
  })
})

describe('the secrets that a run gets', () => {
  it('are the values of cookies, also of one without a name', () => {
    const file = [
      '# Netscape HTTP Cookie File',
      '#HttpOnly_.site.example\tTRUE\t/\tTRUE\t0\tsid\tone-value',
      '.site.example\tTRUE\t/\tTRUE\t0\ttoken-without-value\t',
      'no cookie',
    ].join('\r\n')
    expect(secretsGiven(undefined, file)).toEqual(['one-value', 'token-without-value'])
  })

  it("are the operator's headers and tokens, and no address or word", () => {
    const options = optionsIn(`--add-headers 'X-Key: a value: of it' --add-headers Origin:https://site.example
      --extractor-args 'youtube:player_client=tv_simply;po_token=web.gvs+a-token-of-the-operator' --retries 9`)
    expect(secretsGiven({ options }, undefined)).toEqual(['a value: of it', 'web.gvs+a-token-of-the-operator'])
  })
})
