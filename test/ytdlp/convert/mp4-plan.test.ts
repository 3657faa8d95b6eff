import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Probe } from '../../../src/ytdlp/convert/ffmpeg.ts'
import { layoutOf, m4aPlanOf, mp4PlanOf } from '../../../src/ytdlp/convert/mp4-plan.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const probe = (format_name: string, ...codecs: object[]) =>
  Probe.parse({ streams: codecs.map((codec, index) => ({ index, ...codec })), format: { format_name } })
const video = (codec_name: string, more = {}) => ({ codec_type: 'video', codec_name, ...more })
const audio = (codec_name: string, more = {}) => ({ codec_type: 'audio', codec_name, ...more })
const mp4 = 'mov,mp4,m4a,3gp,3g2,mj2'

describe('mp4PlanOf', () => {
  it.each([
    ['keep', probe(mp4, video('h264'), audio('aac'))],
    ['keep', probe(mp4, video('av1'), audio('opus'))],
    ['keep', probe(mp4, video('h264'))],
    ['keep', probe(mp4, video('hevc', { codec_tag_string: 'hvc1' }))],
    ['keep', probe(mp4, video('h264'), audio('aac', { disposition: { default: 1 } }), audio('aac'))],
    ['remux', probe(mp4, video('h264'), audio('aac'), audio('aac', { disposition: { default: 1 } }))],
    ['remux', probe(mp4, video('hevc', { codec_tag_string: 'hev1' }))],
    ['remux', probe(mp4, video('hevc', { codec_tag_string: 'dvhe' }))],
    ['transcode', probe(mp4, video('h264'), audio('aac'), audio('ac3'))],
    ['remux', probe('matroska,webm', video('vp9'), audio('opus'))],
    ['remux', probe('mpegts', video('h264'), audio('aac'))],
    ['transcode', probe('matroska,webm', video('vp8'), audio('vorbis'))],
    ['transcode', probe(mp4, video('h264', { pix_fmt: 'yuv444p' }), audio('aac'))],
    ['no_video', probe('mp3', audio('mp3'))],
    ['no_video', probe('mp3', audio('mp3'), video('mjpeg', { disposition: { attached_pic: 1 } }))],
  ])('is to %s', (kind, of) => {
    expect(mp4PlanOf(of, 'starts_fast').kind).toBe(kind)
  })

  it('remuxes an MP4 whose index is at its end or in pieces', () => {
    expect(mp4PlanOf(probe(mp4, video('h264'), audio('aac')), 'other').kind).toBe('remux')
  })

  it('makes again only what does not fit', () => {
    const plan = mp4PlanOf(probe('matroska,webm', video('h264'), audio('vorbis')), 'other')

    expect(plan).toMatchObject({ kind: 'transcode' })
    if ('args' in plan) expect(plan.args.join(' ')).toMatch(/-c:a:0 aac .*-c:v copy/)
  })
})

describe('m4aPlanOf', () => {
  it.each([
    ['keep', probe(mp4, audio('aac'))],
    ['keep', probe(mp4, audio('alac'))],
    ['keep', probe(mp4, audio('aac'), audio('aac'))],
    ['remux', probe(mp4, video('h264'), audio('aac'))],
    ['remux', probe('mpegts', audio('aac'))],
    ['transcode', probe('mp3', audio('mp3'))],
    ['transcode', probe('matroska,webm', audio('opus'))],
    ['no_sound', probe(mp4, video('h264'))],
  ])('is to %s', (kind, of) => {
    expect(m4aPlanOf(of, 'starts_fast').kind).toBe(kind)
  })

  it('remuxes sound whose index is at its end or in pieces', () => {
    expect(m4aPlanOf(probe(mp4, audio('aac')), 'other').kind).toBe('remux')
  })
})

describe('layoutOf', () => {
  const box = (type: string, length = 8) => {
    const bytes = Buffer.alloc(length)
    bytes.writeUInt32BE(length)
    bytes.write(type, 4, 'latin1')
    return bytes
  }
  const large = Buffer.concat([
    Buffer.from('00000001', 'hex'),
    Buffer.from('free'),
    Buffer.from('0000000000000010', 'hex'),
  ])
  const toTheEnd = Buffer.concat([Buffer.alloc(4), Buffer.from('mdat')])

  it.each([
    ['starts_fast', [box('ftyp', 16), box('moov', 40), box('mdat', 90)]],
    ['starts_fast', [box('ftyp', 16), large, box('moov', 40), box('mdat')]],
    ['index_last', [box('ftyp', 16), box('mdat', 90), box('moov', 40)]],
    ['index_last', [box('ftyp', 16), box('mdat', 90), box('free', 16), box('moov', 40)]],
    ['other', [box('ftyp', 16), box('mdat', 90), box('moof', 16), box('moov', 40)]],
    ['cut_off', [box('ftyp', 16), box('moov', 40), box('mdat', 90).subarray(0, 60)]],
    ['cut_off', [box('ftyp', 16), box('mdat', 90).subarray(0, 60)]],
    ['cut_off', [box('ftyp', 16), box('mdat', 90), box('moov', 40).subarray(0, 20)]],
    ['cut_off', [box('ftyp', 16), box('moov', 40), box('moof', 16), box('mdat', 90), box('moof', 16).subarray(0, 12)]],
    ['starts_fast', [box('ftyp', 16), box('moov', 40), box('mdat', 90), box('free', 90).subarray(0, 20)]],
    ['starts_fast', [box('ftyp', 16), box('moov', 40), toTheEnd, Buffer.alloc(50)]],
    ['other', [Buffer.from('0000ffff', 'hex'), Buffer.from('mdaX'), box('mdat', 90).subarray(0, 60)]],
    ['other', [box('ftyp', 16), box('mdat', 90)]],
    ['other', [box('ftyp', 16), box('moov', 40), box('moof', 16), box('mdat', 90)]],
    ['other', [box('ftyp', 16), box('moov', 40)]],
    ['other', [Buffer.from('<html>no video at all</html>')]],
    ['other', [Buffer.alloc(0)]],
    ['other', [Buffer.alloc(64)]],
  ])('is %s', async (layout, boxes) => {
    const folder = newFolder()
    await writeFile(join(folder, 'a.mp4'), Buffer.concat(boxes))

    expect(await layoutOf(join(folder, 'a.mp4'))).toBe(layout)
  })
})
