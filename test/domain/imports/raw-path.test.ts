/** Names that are not text. */
import { expect, it } from 'vitest'
import {
  bytesOf,
  exactText,
  folderOf,
  joined,
  nameOf,
  rawPathOf,
  shownPath,
} from '../../../src/domain/imports/raw-path.ts'

const broken = Buffer.from([0x2f, 0x61, 0xff, 0x0a, 0x62])

it('a path that is not UTF-8 keeps its bytes', () => {
  const path = rawPathOf(broken)
  expect(bytesOf(path)).toEqual(broken)
  expect(exactText(path)).toBeUndefined()
})

it('a path in UTF-8 is the same text again', () => {
  const path = rawPathOf('/Größe/日本 🎬.mp4')
  expect(exactText(path)).toBe('/Größe/日本 🎬.mp4')
  expect(shownPath(path)).toBe('/Größe/日本 🎬.mp4')
  expect([folderOf(path), nameOf(path)].map(exactText)).toEqual(['/Größe', '日本 🎬.mp4'])
})

it('line breaks, controls, turned text and broken bytes in a path are shown as codes', () => {
  expect(shownPath(rawPathOf(broken))).toBe('/a\\xff\\x0ab')
  expect(shownPath(rawPathOf('a\u001b[2J\u202eb'))).toBe('a\\x1b[2J\\xe2\\x80\\xaeb')
})

it('a folder and a name are joined by one slash', () => {
  expect([joined('/', 'a'), joined('/a', 'b')]).toEqual(['/a', '/a/b'])
})
