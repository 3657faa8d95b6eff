import { describe, expect, it } from 'vitest'
import { pageBefore, safeNext } from '../../src/routes/next.ts'

describe('where one goes after signing in', () => {
  it.each(['/', '/channels', '/channels/UC_x5?q=a%20b&status=failed', '/watch/-abc#t', '/a//b', '/%E2%82%AC'])(
    'stays at %j',
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
  ])('is the first page for %j', next => {
    expect(safeNext(next)).toBe('/')
  })
})

describe('the page a form was on', () => {
  const here = new URL('http://localhost:8000/downloads/x')
  it.each([
    ['http://localhost:8000/channels/a?q=b', '/channels/a?q=b'],
    ['http://evil.example/channels', '/downloads'],
    ['nonsense', '/downloads'],
    [undefined, '/downloads'],
  ])('with the referer %j is %j', (referer, page) => {
    expect(pageBefore(referer, here, '/downloads')).toBe(page)
  })
})
