/** The format of a picture, by its first bytes. */
import { expect, it } from 'vitest'
import { pictureFormat } from '../../../src/schema/values/picture.ts'

const bytes = (text: string) => Uint8Array.from(text, letter => letter.charCodeAt(0))

it.each([
  ['\xff\xd8\xff\xe0..JFIF', 'jpeg'],
  ['\x89PNG\r\n\x1a\n....IHDR', 'png'],
  ['RIFF....WEBPVP8 ', 'webp'],
  ['GIF89a', 'gif'],
  ['....ftypavif....mif1miaf', 'avif'],
  ['....ftypmif1....mif1avifmiaf', 'avif'],
  ['....ftypisom....isomiso2avc1mp41', undefined],
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', undefined],
  ['<?xml version="1.0"?><svg/>', undefined],
  ['RIFF....AVI LIST', undefined],
  ['#EXTM3U', undefined],
  ['', undefined],
])('the bytes %j are %s', (text, format) => expect(pictureFormat(bytes(text))).toBe(format))
