import { describe, expect, it } from 'vitest'
import { Probe } from '../../../src/ytdlp/convert/ffmpeg.ts'
import { isMp3File, mp3PlanOf } from '../../../src/ytdlp/convert/mp3-plan.ts'

const probe = (format_name: string, ...codecs: object[]) =>
  Probe.parse({ streams: codecs.map((codec, index) => ({ index, ...codec })), format: { format_name } })
const video = { codec_type: 'video', codec_name: 'h264' }
const cover = { codec_type: 'video', codec_name: 'mjpeg', disposition: { attached_pic: 1 } }
const audio = (codec_name: string, more = {}) => ({ codec_type: 'audio', codec_name, ...more })
const webm = 'matroska,webm'

describe('mp3PlanOf', () => {
  it.each([
    ['keep', probe('mp3', audio('mp3'))],
    ['keep', probe('mp3', audio('mp3'), cover)],
    ['remux', probe(webm, video, audio('mp3'))],
    ['remux', probe(webm, audio('mp3'), audio('mp3'))],
    ['transcode', probe('mp3', audio('mp2'))],
    ['transcode', probe(webm, audio('opus'))],
    ['no_sound', probe(webm, video)],
    ['no_sound', probe('mp3', cover)],
  ])('is to %s', (kind, of) => {
    expect(mp3PlanOf(of).kind).toBe(kind)
  })

  it('takes the default sound, the only one that fits', () => {
    const sounds = [audio('opus'), audio('mp3', { disposition: { default: 1 } })]
    const plan = mp3PlanOf(probe(webm, video, ...sounds))

    expect('args' in plan && plan.args.join(' ')).toMatch(/^-map 0:2 .*-c:a copy/)
  })

  it.each([
    [320_000, '2'],
    [128_000, '2'],
    [96_000, '4'],
    [64_000, '6'],
    [32_000, '7'],
    [undefined, '2'],
  ])('sound of %s bits per second gets the quality V%s', (bit_rate, quality) => {
    const plan = mp3PlanOf(probe(webm, audio('opus', { bit_rate }), video))

    expect('args' in plan && plan.args.join(' ')).toContain(`-c:a libmp3lame -q:a ${quality} `)
  })

  it('the bits of a file of sound alone are those of its sound', () => {
    const opus = Probe.parse({
      streams: [{ index: 0, ...audio('opus') }],
      format: { format_name: webm, bit_rate: '48000' },
    })
    const plan = mp3PlanOf(opus)

    expect('args' in plan && plan.args.join(' ')).toContain('-q:a 7 ')
  })

  it('becomes stereo of 48 kHz where it is more', () => {
    const plan = mp3PlanOf(probe(webm, audio('flac', { channels: 6, sample_rate: '96000' })))

    expect('args' in plan && plan.args.join(' ')).toMatch(/-ac 2 -ar 48000/)
  })
})

describe('isMp3File', () => {
  it.each([
    [true, probe('mp3', audio('mp3'), cover)],
    [false, probe('mp3', audio('mp2'))],
    [false, probe(webm, audio('mp3'))],
    [false, probe('mp3', cover)],
  ])('says %s', (is_mp3, of) => {
    expect(isMp3File(of)).toBe(is_mp3)
  })
})
