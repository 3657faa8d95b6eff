/** Names of the files in which a video arrives, and the beginnings of such files. */
import { describe, expect, it } from 'vitest'
import { arrivingFiles, startIn } from '../../../src/ytdlp/fetch/arriving-files.ts'

const part = (format_id: string, ext: string | null) => ({
  format_id,
  ext,
  filesize: null,
  filesize_approx: null,
  tbr: null,
})
const plan = { format_id: '18', ext: 'mp4', duration: 12, requested_formats: null }

describe('arrivingFiles', () => {
  it('is one file where picture and sound come together', () => {
    expect(arrivingFiles(plan, '/work', 'best')).toEqual({ main: '/work/video.mp4' })
    expect(arrivingFiles(plan, '/work', '720')).toEqual({ main: '/work/video-720.mp4' })
  })

  it('is two files where they come apart, of which the sound may be fetched ahead', () => {
    const apart = { ...plan, requested_formats: [part('137', 'mp4'), part('140-drc', 'm4a')] }
    expect(arrivingFiles(apart, '/work', 'best')).toEqual({
      main: '/work/video.f137.mp4',
      sound: { format_id: '140-drc', file: '/work/video.f140-drc.m4a', ahead: '/work/ahead/sound.f140-drc.m4a' },
    })
  })

  it.each([
    ['a path in a name', { ...plan, ext: '../../etc/passwd' }],
    ['a path in the id of a format', { ...plan, requested_formats: [part('../1', 'mp4'), part('2', 'm4a')] }],
    ['no extension', { ...plan, ext: null }],
    ['an option in place of an id', { ...plan, requested_formats: [part('1', 'mp4'), part('-exec', 'm4a')] }],
    ['three files', { ...plan, requested_formats: [part('1', 'mp4'), part('2', 'm4a'), part('3', 'm4a')] }],
  ])('is nothing with %s', (_, hostile) => {
    const files = arrivingFiles(hostile, '/work', 'best')
    expect(files).toBeUndefined()
  })
})

const box = (type: string, length: number, size = length) => {
  const bytes = Buffer.alloc(length)
  bytes.writeUInt32BE(size, 0)
  bytes.write(type, 4, 'latin1')
  return bytes
}

describe('the beginning of a file', () => {
  const plays = (...bytes: Buffer[]) => startIn(Buffer.concat(bytes))?.plays

  it('an MP4 plays from its start only if its index is before its data', () => {
    expect(plays(box('ftyp', 32), box('moov', 64), box('mdat', 64, 5000))).toBe(true)
    expect(plays(box('ftyp', 32), box('free', 16), box('mdat', 64, 5000))).toBe(false)
  })

  it('nothing is known while too little of the file has arrived', () => {
    expect(plays(box('ftyp', 32))).toBeUndefined()
    expect(plays(Buffer.alloc(3))).toBeUndefined()
    expect(plays(Buffer.from('ID3\x04\0\0\0\0\x01\0', 'latin1'), Buffer.alloc(100))).toBeUndefined()
  })

  it('a box that has no length ends the search', () => {
    expect(plays(box('ftyp', 32), box('free', 64, 0))).toBe(false)
  })

  it.each([
    ['MPEG-TS', Buffer.from([0x47, 0x40, 0, 0x10]), true],
    ['AAC alone', Buffer.from([0xff, 0xf1, 0x50, 0x80]), true],
    [
      'AAC behind an ID3 tag',
      Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x05', 'latin1'), Buffer.alloc(5), Buffer.from([0xff, 0xf9])]),
      true,
    ],
    [
      'MP3 behind an ID3 tag',
      Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x05', 'latin1'), Buffer.alloc(5), Buffer.from([0xff, 0xfb])]),
      false,
    ],
    ['WebM', Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), false],
    ['MP4', Buffer.concat([box('ftyp', 32), box('moov', 64)]), false],
  ])('%s: whether its AAC has headers of a stream', (_, bytes, has) => {
    expect(startIn(Buffer.concat([bytes, Buffer.alloc(32)]))?.has_stream_headers).toBe(has)
  })
})
