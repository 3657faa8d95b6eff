/** The page after a sign-in or a form, which is never one of another site. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { describe, expect, it } from 'vitest'
import { pageBefore, safeNext } from '../../../src/routes/http/redirects.ts'

describe('the page after a sign-in', () => {
  it.each(['/', '/channels', '/channels/UC_x5?q=a%20b&status=failed', '/watch/-abc#t', '/a//b', '/%E2%82%AC'])(
    'after a sign-in %j is opened',
    next => {
      expect(safeNext(next)).toBe(next)
    },
  )

  it.each([
    undefined,
    '',
    'channels',
    'https://evil.example',
    'https:evil',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '\t//evil.example',
    '/\n/evil.example',
    '/%2f/evil.example',
    '/%2f%2fevil.example',
    '/%5cevil.example',
    '/%09/evil.example',
    'javascript:alert(1)',
    ' /channels',
    '/%',
    '/\u0000',
    '/logout',
    '/logout?x=1',
    '/login',
    '/%6cogin',
    '/register#top',
  ])('after a sign-in %j is replaced by the first page', next => {
    expect(safeNext(next)).toBe('/')
  })
})

describe('a path with dots', () => {
  it.each([
    '/../other',
    '/%2e%2e/other',
    '/..%2fother',
    '/%2e%2e%2fother',
    '/x/..%2f..%2fother',
    '/x%3f/../..%2fother',
    '/x/./y/..',
    '/x%2f.',
    '/..//evil.example',
    '/x/..%2f..%2f/evil.example',
    '/x/../logout',
  ])('%j leads to the first page', next => expect(safeNext(next)).toBe('/'))

  it.each(['/.hidden/..x', '/x?a=/../b', '/x?a=..%2fb', '/x#/../b', '/a...b/...'])('%j is opened', next =>
    expect(safeNext(next)).toBe(next),
  )
})

describe('collected open redirects', () => {
  const linesOf = (name: string) => {
    const file = join(env.FEED_CORPUS ?? '', name)
    return env.FEED_CORPUS && existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  }
  const [off, on] = [linesOf('open-redirects.txt'), linesOf('open-redirects-same-origin.txt')]
  const here = 'https://here.example'

  if (off.length === 0) {
    console.warn('The collected open redirects are left out: FEED_CORPUS names no folder of them.')
    it('the collected open redirects are left out because FEED_CORPUS is not set', () => expect(on).toEqual([]))
  }

  it.each(off)('%j leads to the first page', next => expect(safeNext(next)).toBe('/'))

  it.each(on)('%j stays here, decoded or not', next => {
    const path = safeNext(next)
    for (const read of [path, decodeURIComponent(path)]) expect(new URL(read, here).origin).toBe(here)
  })
})

describe('the page a form was on', () => {
  const here = new URL('http://localhost:8000/downloads/x')
  it.each([
    ['http://localhost:8000/channels/a?q=b', '/channels/a?q=b'],
    ['http://evil.example/channels', '/downloads'],
    ['nonsense', '/downloads'],
    [undefined, '/downloads'],
  ])('a form with the referer %j leads back to %j', (referer, page) => {
    expect(pageBefore(referer, here, '/downloads')).toBe(page)
  })
})
