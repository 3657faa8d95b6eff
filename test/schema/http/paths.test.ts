import { describe, expect, it } from 'vitest'
import { pathWith, playPath, webUrl } from '../../../src/schema/http/paths.ts'

describe('webUrl', () => {
  it.each(['https://a.test/x?y=1', 'http://a.test/'])('accepts %s', url => {
    expect(webUrl(url)).toBe(url)
  })

  it.each([
    'javascript:alert(1)',
    ' \tjava\nscript:alert(1)',
    'data:text/html,x',
    'ftp://a.test/',
    '//a.test',
    '/x',
    '',
    null,
  ])('refuses %j', url => {
    expect(webUrl(url)).toBeUndefined()
  })
})

it('pathWith leaves out empty parameters and escapes the others', () => {
  expect(pathWith('/', { q: '', cursor: null })).toBe('/')
  expect(pathWith('/', { q: 'a&b', cursor: 'x' })).toBe('/?q=a%26b&cursor=x')
})

describe('playPath', () => {
  it.each([
    ['completed', {}, '/watch/a%20b?now'],
    ['completed', { t: 0, list: 'later' }, '/watch/a%20b?now&t=0&list=later'],
    ['pending', {}, '/watch/a%20b'],
    ['downloading', { t: 70 }, '/watch/a%20b?t=70'],
  ] as const)('plays a video at once only when it is on disk: %s', (download_status, at, path) => {
    expect(playPath({ video_id: 'a b', download_status }, at)).toBe(path)
  })
})
