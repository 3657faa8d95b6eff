/** Where the pictures of platforms are. */
import { expect, it } from 'vitest'
import { pictureSources } from '../../../src/feed/platforms/youtube.ts'

const vi = 'https://i.ytimg.com/vi/aqz-KE-bpKQ'

it.each([
  [`${vi}/hqdefault.jpg`, true],
  [`${vi}/sddefault.jpg`, true],
  [`${vi}/default.jpg?sqp=x`, true],
  [`${vi}/mqdefault.jpg`, false],
  ['http://i3.ytimg.com/vi/aqz-KE-bpKQ/hqdefault.jpg', true],
])('YouTube has a better picture than %s, and that one may have black bars: %j', (url, is_letterboxed) => {
  const [better, named] = pictureSources(url)
  expect(better).toEqual({ url: url.replace(/\w+\.jpg.*/, 'hq720.jpg'), is_letterboxed: false })
  expect(named).toEqual({ url, is_letterboxed })
})

it.each([
  `${vi}/hq720.jpg`,
  `${vi}/maxresdefault.jpg`,
  'https://i.ytimg.com/vi_webp/aqz-KE-bpKQ/hqdefault.webp',
  'https://i.ytimg.com.evil.example/vi/aqz-KE-bpKQ/hqdefault.jpg',
  'https://evil.example/https://i.ytimg.com/vi/aqz-KE-bpKQ/hqdefault.jpg',
  'https://peertube.example/lazy-static/previews/a.jpg',
])('%s is fetched as it is', url => expect(pictureSources(url)).toEqual([{ url, is_letterboxed: false }]))
