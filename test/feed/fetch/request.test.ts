import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { isForGood } from '../../../src/feed/fetch/request.ts'

it.each([
  [301, 'http://h.example/feed', 'https://new.example/feed', true],
  [308, 'https://h.example/feed?id=1', 'https://new.example/feed?id=1', true],
  [301, 'https://h.example/feed?id=1', 'https://new.example/1', true],
  [301, 'http://h.example/feed', 'http://new.example/feed', true],
  [301, 'https://h.example/feed', 'http://h.example/feed', false],
  [301, 'https://h.example/feed', 'https://new.example/feed?signed=1', false],
  [301, 'https://h.example/feed', 'https://new.example/feed#top', false],
  [302, 'https://h.example/feed', 'https://new.example/feed', false],
  [307, 'https://h.example/feed', 'https://new.example/feed', false],
])('a redirect %i from %s to %s is for good: %s', (statusCode, from, to, expected) => {
  expect(isForGood({ statusCode } as IncomingMessage, new URL(from), new URL(to))).toBe(expected)
})
