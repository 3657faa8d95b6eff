/** The plan for files that every device plays, and what the real ffmpeg makes of odd films by it. */
import { copyFile, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoized } from '../../../src/runtime/cache.ts'
import { compatiblePlanOf } from '../../../src/ytdlp/convert/compatible-plan.ts'
import { Probe, probeFile } from '../../../src/ytdlp/convert/ffmpeg.ts'
import { layoutOf } from '../../../src/ytdlp/convert/mp4-plan.ts'
import { makePlayable } from '../../../src/ytdlp/convert/playable.ts'
import type { Tools } from '../../../src/ytdlp/process/programs.ts'
import { getFilm } from '../../support/media/films.ts'
import { odd_films } from '../../support/media/odd-films.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { holds } from '../../support/run/holds.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const mp4 = 'mov,mp4,m4a,3gp,3g2,mj2'
const fitting = {
  codec_type: 'video',
  codec_name: 'h264',
  codec_tag_string: 'avc1',
  profile: 'High',
  level: 42,
  pix_fmt: 'yuv420p',
  width: 1920,
  height: 1080,
  avg_frame_rate: '60/1',
  color_transfer: 'bt709',
  field_order: 'progressive',
}
const stereo = { codec_type: 'audio', codec_name: 'aac', profile: 'LC', channels: 2, sample_rate: '48000' }
const probe = (video: object, sound: object = stereo, format_name = mp4) =>
  Probe.parse({ streams: [video, sound].map((stream, index) => ({ index, ...stream })), format: { format_name } })

describe('the plan', () => {
  it.each([
    ['keep', 'a file that fits', probe(fitting)],
    ['keep', 'an upright file', probe({ ...fitting, width: 1080, height: 1920 })],
    ['keep', 'full range', probe({ ...fitting, pix_fmt: 'yuvj420p' })],
    ['keep', '59.94 pictures a second', probe({ ...fitting, avg_frame_rate: '60000/1001' })],
    ['remux', 'another container', probe(fitting, stereo, 'matroska,webm')],
    ['remux', 'a name that old devices do not know', probe({ ...fitting, codec_tag_string: 'avc3' })],
    ['transcode', 'sound of six channels', probe(fitting, { ...stereo, channels: 6 })],
    ['transcode', 'sound of 96 kHz', probe(fitting, { ...stereo, sample_rate: '96000' })],
    ['transcode', 'sound of another profile', probe(fitting, { ...stereo, profile: 'Main' })],
    ['transcode', 'sound of another codec', probe(fitting, { ...stereo, codec_name: 'mp3' })],
    ['transcode', 'level 5', probe({ ...fitting, level: 50 })],
    ['transcode', 'an unknown level', probe({ ...fitting, level: -99 })],
    ['transcode', 'another profile', probe({ ...fitting, profile: 'High 10' })],
    ['transcode', 'other colours', probe({ ...fitting, pix_fmt: 'yuv422p' })],
    ['transcode', '1440 lines', probe({ ...fitting, width: 2560, height: 1440 })],
    ['transcode', 'a very wide picture', probe({ ...fitting, width: 2560, height: 1080 })],
    ['transcode', '120 pictures a second', probe({ ...fitting, avg_frame_rate: '120/1' })],
    ['transcode', 'HDR', probe({ ...fitting, color_transfer: 'smpte2084' })],
    ['transcode', 'interlaced', probe({ ...fitting, field_order: 'tt' })],
    ['transcode', 'turned by a note', probe({ ...fitting, side_data_list: [{ rotation: -90 }] })],
    ['transcode', 'HEVC', probe({ ...fitting, codec_name: 'hevc', codec_tag_string: 'hvc1' })],
    ['no_video', 'a cover', probe({ ...fitting, disposition: { attached_pic: 1 } })],
  ])('is to %s for %s', (kind, _, of) => {
    expect(compatiblePlanOf(of, 'starts_fast').kind).toBe(kind)
  })

  it('a picture that fits is copied where only the sound does not', () => {
    const plan = compatiblePlanOf(probe(fitting, { ...stereo, codec_name: 'opus' }), 'starts_fast')

    expect('args' in plan && plan.args.join(' ')).toMatch(/-c:a:0 aac .*-c:v copy/)
  })

  it('a recording with a moment for each thousandth of a second gets 60 pictures a second', () => {
    const recorded = { ...fitting, codec_name: 'vp9', avg_frame_rate: '24/1', r_frame_rate: '1000/1' }

    const plan = compatiblePlanOf(probe(recorded), 'starts_fast')

    expect('args' in plan && plan.args.join(' ')).toMatch(/-level:v 4\.2 .*fps=60,scale=/)
  })

  it('every file with a picture is kept only within the limits, and otherwise made anew', () => {
    const figure = (most: number) => fc.option(fc.integer({ min: -1, max: most }), { nil: undefined })
    const video = fc.record({
      codec_type: fc.constant('video'),
      codec_name: fc.constantFrom('h264', 'hevc', 'vp9', 'av1', 'mpeg2video', ''),
      codec_tag_string: fc.constantFrom('avc1', 'avc3', 'hvc1', ''),
      profile: fc.constantFrom('High', 'Main', 'Baseline', 'High 4:2:2', undefined),
      level: figure(62),
      pix_fmt: fc.constantFrom('yuv420p', 'yuv420p10le', 'yuv444p', undefined),
      width: figure(8000),
      height: figure(8000),
      avg_frame_rate: fc.constantFrom('25/1', '0/0', '240/1', undefined),
      color_transfer: fc.constantFrom('bt709', 'arib-std-b67', undefined),
    })
    holds(
      fc.property(video, fc.constantFrom('aac', 'opus', 'ac3'), fc.constantFrom(mp4, 'mpegts'), (of, codec, format) => {
        const plan = compatiblePlanOf(probe(of, { ...stereo, codec_name: codec }, format), 'starts_fast')

        const is_within =
          Math.max(of.width ?? 9999, of.height ?? 9999) <= 1920 && Math.min(of.width ?? 9999, of.height ?? 9999) <= 1080
        const copies = plan.kind === 'keep' || ('args' in plan && plan.args.join(' ').includes('-c:v copy'))
        if (copies) expect(of).toMatchObject({ codec_name: 'h264', pix_fmt: 'yuv420p' })
        if (copies) expect([is_within, (of.level ?? 99) <= 42]).toEqual([true, true])
        else
          expect('args' in plan && plan.args.join(' ')).toMatch(
            /-c:v libx264 .*-pix_fmt yuv420p .*-level:v 4\.[12] .*scale=/,
          )
        if (codec !== 'aac') expect('args' in plan && plan.args.join(' ')).toMatch(/-c:a:0 aac/)
      }),
    )
  })
})

describe('what ffmpeg makes of it', () => {
  const signal = new AbortController().signal
  const place = newFolder()

  /** Converts an odd film, once for all tests. */
  const madeOf = memoized(async name => made(await getFilm(`/odd/${name}`)))

  async function made(film: string, tools: Tools = toolsForTests()) {
    const folder = await mkdtemp(join(place, 'run-'))
    const source = join(folder, 'source')
    await copyFile(film, source)
    const read = (file: string) => probeFile(tools, { file, folder, signal })
    const before = await read(source)
    const context = {
      tools,
      folder,
      signal,
      quality: 'compatible' as const,
      silence_ms: 60_000,
      deadline: performance.now() + 60_000,
      policy: { resolve: () => Promise.reject(new Error('not needed')) },
      onProgress: () => {},
    }
    const result = await makePlayable(context, source, () => {}, before)
    if ('failure' in result) throw new Error(`${result.failure.sentence} ${result.failure.detail}`)
    const after = await read(result.file)
    if (!before || !after) throw new Error('ffprobe cannot read it')
    return { ...result, before, after, planned: compatiblePlanOf(before, await layoutOf(source)).kind }
  }
  const pictureOf = ({ streams }: Probe) => streams.find(({ codec_type }) => codec_type === 'video')
  const soundsOf = ({ streams }: Probe) => streams.filter(({ codec_type }) => codec_type === 'audio')

  it.each(Object.keys(odd_films).filter(name => !name.startsWith('sound.')))(
    '%s becomes a file that needs no further change',
    async name => {
      const { file, before, after, planned } = await madeOf(name)

      expect(compatiblePlanOf(after, await layoutOf(file))).toEqual({ kind: 'keep' })
      expect(planned).toBe(
        name === 'fits.mp4' ? 'keep' : /^fits/.test(name) ? 'remux' : name === 'silent.mkv' ? 'remux' : 'transcode',
      )
      expect(soundsOf(after)).toHaveLength(soundsOf(before).length)
      expect(after.format.duration).toBeCloseTo(before.format.duration ?? 0, 0)
    },
  )

  it.each([
    ['vp9-1440.webm', 1920, 1080],
    ['h264-1440.mp4', 1920, 1080],
    ['wide-1080.mp4', 1920, 810],
    ['upright-1440.webm', 1080, 1920],
    ['odd-sides.webm', 320, 180],
    ['anamorphic.mkv', 352, 288],
    ['fits.mp4', 320, 180],
  ])('%s is %i × %i afterwards, and never larger than before', async (name, width, height) => {
    const { after } = await madeOf(name)

    expect(pictureOf(after)).toMatchObject({ width, height })
  })

  it('a picture that its file turns by a note is turned itself', async () => {
    const turned = join(place, 'turned.mp4')
    await ffmpeg('-i', await getFilm('/odd/fits.mp4'), '-c', 'copy', '-metadata:s:v:0', 'rotate=90', turned)

    const { after } = await made(turned)

    expect(pictureOf(after)).toMatchObject({ width: 180, height: 320 })
    expect(pictureOf(after)?.side_data_list).toBeUndefined()
  })

  it('the default sound is first, and all languages stay', async () => {
    const { after } = await madeOf('several-sounds.mkv')

    const sounds = soundsOf(after)
    expect(sounds.map(({ tags }) => tags.get('language'))).toEqual(['eng', 'fra', 'deu'])
    expect(sounds.map(({ disposition }) => disposition?.default)).toEqual([1, 0, 0])
  })

  it.each(['rate-varies.webm', 'rate-120.mp4'])('%s has a constant rate of at most 60 afterwards', async name => {
    const { file, after } = await madeOf(name)

    const times = (await timesOf(file)).map(Number).toSorted((one, other) => one - other)
    const steps = times.slice(1).map((time, n) => Math.round(1000 * (time - (times[n] ?? 0))))
    expect(Math.max(...steps) - Math.min(...steps)).toBeLessThanOrEqual(1)
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(16)
    expect(pictureOf(after)?.r_frame_rate).toBeLessThanOrEqual(61)
  })

  it.each(['hevc-pq.mp4', 'hevc-hlg.mp4'])('the colours of %s are those of usual screens afterwards', async name => {
    const { file, before } = await madeOf(name)

    expect(pictureOf(before)?.color_transfer).toMatch(/smpte2084|arib-std-b67/)
    const { stdout } = await execa(toolsForTests().ffprobe, [
      ...quiet,
      'stream=color_transfer,color_space',
      '-of',
      'csv=p=0',
      file,
    ])
    expect(stdout.trim()).toBe('bt709,bt709')
  })

  it('an ffmpeg without the filter for colours makes the file all the same', async () => {
    const lacking = join(place, 'ffmpeg')
    const { ffmpeg } = toolsForTests()
    const refusal = `echo "[AVFilterGraph @ 0x1] No such filter: 'zscale'" >&2; echo 'Error reinitializing filters!' >&2; exit 1`
    await writeFile(lacking, `#!/bin/sh\ncase "$*" in *zscale*) ${refusal};; esac\nexec "${ffmpeg}" "$@"\n`, {
      mode: 0o755,
    })

    const { file, after } = await made(await getFilm('/odd/hevc-pq.mp4'), { ...toolsForTests(), ffmpeg: lacking })

    expect(pictureOf(after)).toMatchObject({ codec_name: 'h264', pix_fmt: 'yuv420p', profile: 'High' })
    expect(await layoutOf(file)).toBe('starts_fast')
  })
})

const quiet = ['-v', 'error', '-select_streams', 'v:0', '-show_entries']
const ffmpeg = (...args: string[]) => execa(toolsForTests().ffmpeg, ['-nostdin', '-v', 'error', ...args])

/** The moment of each picture. */
async function timesOf(file: string): Promise<string[]> {
  const { stdout } = await execa(toolsForTests().ffprobe, [...quiet, 'packet=pts_time', '-of', 'csv=p=0', file])
  return stdout.trim().split('\n')
}
