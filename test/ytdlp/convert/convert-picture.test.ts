/** Making the stored sizes of pictures, with the real ffmpeg, from good and from hostile files. */
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { type PictureFormat, pictureFormat } from '../../../src/schema/values/picture.ts'
import { convertPicture, type PictureToConvert } from '../../../src/ytdlp/convert/convert-picture.ts'
import type { Tools } from '../../../src/ytdlp/process/programs.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const folder = newFolder()

/** One tag of Exif with 14,000 numbers of two bytes, which begin behind 2,500 tags. */
function tagOf(name: number): Buffer {
  const tag = Buffer.alloc(12)
  tag.writeUInt16LE(name)
  tag.writeUInt16LE(3, 2)
  tag.writeUInt32LE(14_000, 4)
  tag.writeUInt32LE(8 + 2 + 12 * 2500, 8)
  return tag
}

const never = new AbortController().signal

/** Makes a file with ffmpeg, from its arguments. */
async function made(name: string, ...args: string[]): Promise<Uint8Array> {
  const file = join(folder, name)
  await execa(toolsForTests().ffmpeg, ['-y', '-loglevel', 'error', '-f', 'lavfi', '-i', ...args, file])
  return readFile(file)
}

const convert = (
  bytes: Uint8Array,
  format: PictureFormat,
  more: Partial<PictureToConvert> = {},
  tools = toolsForTests(),
) => convertPicture(tools, { kind: 'video', bytes, format, is_letterboxed: false, ...more }, never)

/** Width, height and pixel format of a picture. */
async function sizeOf(bytes: Uint8Array): Promise<string> {
  const file = join(folder, 'measured')
  await writeFile(file, bytes)
  const args = ['-v', 'error', '-show_entries', 'stream=width,height,pix_fmt', '-of', 'csv=p=0', file]
  return (await execa(toolsForTests().ffprobe, args)).stdout
}

async function sizesOf(result: Awaited<ReturnType<typeof convert>>): Promise<[string, string]> {
  if (typeof result === 'string') throw new Error(result)
  expect([pictureFormat(result.small), pictureFormat(result.large)]).toEqual(['webp', 'webp'])
  return [await sizeOf(result.small), await sizeOf(result.large)]
}

/** The largest memory of ffmpegs that are told to convert this picture, in MB, as Linux counts it. */
async function memoryOf(bytes: Uint8Array, format: PictureFormat): Promise<{ made: boolean; most_mb: number }> {
  const [real, said] = [toolsForTests().ffmpeg, join(folder, `said-${crypto.randomUUID()}`)]
  const ffmpeg = join(folder, `watched-${crypto.randomUUID()}`)
  const watch = `while grep VmHWM /proc/$run/status; do sleep 0.05; done >> '${said}' 2>/dev/null`
  await writeFile(ffmpeg, `#!/bin/sh\n'${real}' "$@" &\nrun=$!\n${watch}\nwait $run\n`, { mode: 0o755 })
  const made = typeof (await convert(bytes, format, {}, { ...toolsForTests(), ffmpeg })) !== 'string'
  const seen = (await readFile(said, 'latin1')).match(/\d+/g) ?? []
  return { made, most_mb: Math.max(...seen.map(Number)) / 1024 }
}

describe('good pictures', () => {
  it('a JPEG that says how it is turned is turned, and a long text in it is not read', async () => {
    const jpeg = Buffer.from(await made('lying.jpg', 'testsrc2=s=128x64', '-frames:v', '1'))
    const turned = Buffer.from('4578696600004d4d002a00000008000101120003000000010006000000000000', 'hex')
    const app1 = Buffer.concat([turned, Buffer.alloc(50_000)])
    const head = Buffer.from([0xff, 0xe1, (app1.length + 2) >> 8, (app1.length + 2) & 0xff])
    const [upright] = await sizesOf(
      await convert(Buffer.concat([jpeg.subarray(0, 2), head, app1, jpeg.subarray(2)]), 'jpeg'),
    )
    expect(upright).toBe('64,128,yuv420p')
  })

  it('a wide JPEG becomes two WebP pictures', async () => {
    const jpeg = await made('wide.jpg', 'testsrc2=s=1280x720', '-frames:v', '1')
    expect(await sizesOf(await convert(jpeg, 'jpeg'))).toEqual(['320,180,yuv420p', '960,540,yuv420p'])
  })

  it('a channel picture has sizes of its own', async () => {
    const png = await made('channel.png', 'testsrc=s=900x900', '-frames:v', '1')
    const sizes = await sizesOf(await convert(png, 'png', { kind: 'channel' }))
    expect(sizes.map(size => size.slice(0, 7))).toEqual(['96,96,y', '288,288'])
  })

  it('a small picture is not enlarged', async () => {
    const gif = await made('small.gif', 'testsrc=s=40x30:d=1', '-r', '2')
    const sizes = await sizesOf(await convert(gif, 'gif'))
    expect(sizes.map(size => size.slice(0, 5))).toEqual(['40,30', '40,30'])
  })

  it('black bars above and below are cut off where the address says that there are some', async () => {
    const jpeg = await made('bars.jpg', 'color=red:s=480x270', '-vf', 'pad=480:360:0:45:black', '-frames:v', '1')
    const cropped = await convert(jpeg, 'jpeg', { is_letterboxed: true })
    expect(await sizesOf(cropped)).toEqual(['320,180,yuv420p', '480,270,yuv420p'])
    expect((await sizesOf(await convert(jpeg, 'jpeg')))[1]).toBe('480,360,yuv420p')
    if (typeof cropped === 'string') throw new Error(cropped)
    const file = join(folder, 'cropped')
    await writeFile(file, cropped.large)
    const pixel = ['-i', file, '-vf', 'crop=2:2:240:2', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-']
    const { stdout } = await execa(toolsForTests().ffmpeg, ['-v', 'error', ...pixel], { encoding: 'buffer' })
    expect(stdout[0]).toBeGreaterThan(200)
  })

  it('a transparent picture stays transparent', async () => {
    const png = await made('clear.png', 'color=red@0.5:s=300x300,format=rgba', '-frames:v', '1')
    expect(await sizesOf(await convert(png, 'png', { kind: 'channel' }))).toEqual([
      '96,96,yuva420p',
      '288,288,yuva420p',
    ])
  })

  it('WebP is read', async () => {
    const webp = await made('some.webp', 'testsrc=s=640x360', '-frames:v', '1')
    expect((await sizesOf(await convert(webp, 'webp')))[0]).toBe('320,180,yuv420p')
  })
})

describe('hostile files', () => {
  it('a PNG of a few kilobytes with more than 4096 × 4096 pixels is refused', async () => {
    const bomb = await made('bomb.png', 'color=black:s=4098x4096,format=monob', '-frames:v', '1')
    expect(bomb.length).toBeLessThan(50_000)
    expect(await convert(bomb, 'png')).toBe('unfit')
  })

  it.runIf(platform() === 'linux')('texts in a picture take no memory, however far they can be expanded', async () => {
    const text = Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(300_000_000, 0xe9))])
    const png = Buffer.from(await made('texts.png', 'testsrc2=s=64x64', '-frames:v', '1'))
    const length = Buffer.alloc(4)
    length.writeUInt32BE(text.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(Buffer.concat([Buffer.from('zTXt'), text])))
    const chunk = Buffer.concat([length, Buffer.from('zTXt'), text, sum])
    const { made: is_made, most_mb } = await memoryOf(
      Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]),
      'png',
    )
    expect(is_made).toBe(true)
    expect(most_mb).toBeLessThan(150)

    // Each of these tags says that all numbers behind the tags are its own.
    const tags = Buffer.concat(Array.from({ length: 2500 }, (_, n) => tagOf(0x8000 + n)))
    const exif = Buffer.concat([
      Buffer.from('Exif\0\0II*\0\x08\0\0\0\xc4\x09', 'latin1'),
      tags,
      Buffer.alloc(29_990, 255),
    ])
    const jpeg = Buffer.from(await made('tags.jpg', 'testsrc2=s=64x64', '-frames:v', '1'))
    const app1 = Buffer.concat([Buffer.from([0xff, 0xe1, (exif.length + 2) >> 8, (exif.length + 2) & 0xff]), exif])
    const of_tags = await memoryOf(Buffer.concat([jpeg.subarray(0, 2), app1, jpeg.subarray(2)]), 'jpeg')
    expect(of_tags.made).toBe(true)
    expect(of_tags.most_mb).toBeLessThan(150)
  })

  it('a JPEG that is cut off is refused', async () => {
    const jpeg = await made('whole.jpg', 'testsrc2=s=1280x720', '-frames:v', '1')
    expect(await convert(jpeg.subarray(0, jpeg.length / 2), 'jpeg')).toBe('unfit')
  })

  it('only the first frame is read of a GIF with very many frames', async () => {
    const gif = await made('frames.gif', 'color=red:s=16x16:r=50:d=20')
    const frame = gif.subarray(gif.length - 40, gif.length - 1)
    const frames = Buffer.concat([gif.subarray(0, gif.length - 1), ...Array.from({ length: 100_000 }, () => frame)])
    expect((await sizesOf(await convert(frames, 'gif')))[0]).toMatch(/^16,16/)
  })

  it('a file that is none of the format that its first bytes name is refused', async () => {
    const text = (start: string) => Buffer.from(`${start}<svg xmlns="http://www.w3.org/2000/svg"/>`, 'latin1')
    expect(await convert(text('\xff\xd8\xff'), 'jpeg')).toBe('unfit')
    expect(await convert(text('\x89PNG\r\n\x1a\n'), 'png')).toBe('unfit')
    expect(await convert(text('GIF89a'), 'gif')).toBe('unfit')
    expect(await convert(text('....ftypavif'), 'avif')).toBe('unfit')
  })

  it('a film that calls itself AVIF is refused', async () => {
    const film = await made('film.mp4', 'testsrc2=s=64x64', '-frames:v', '1', '-c:v', 'mpeg4')
    const renamed = Buffer.from(Buffer.from(film).toString('latin1').replace('ftypisom', 'ftypavif'), 'latin1')
    expect(pictureFormat(renamed)).toBe('avif')
    expect(await convert(renamed, 'avif')).toBe('unfit')
  })

  it('a playlist of other files is not followed', async () => {
    const secret = join(folder, 'secret.jpg')
    await writeFile(secret, await made('other.jpg', 'testsrc2=s=64x64', '-frames:v', '1'))
    const playlist = Buffer.from(`ffconcat version 1.0\nfile '${secret}'\n`)
    for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const)
      expect(await convert(playlist, format)).toBe('unfit')
  })
})

describe('other builds of ffmpeg', () => {
  /** The real ffmpeg behind a script. */
  async function scripted(script: string): Promise<Tools> {
    const tools = toolsForTests()
    const ffmpeg = join(folder, `ffmpeg-${crypto.randomUUID()}`)
    await writeFile(ffmpeg, `#!/bin/sh\n${script}\nexec '${tools.ffmpeg}' "$@"\n`)
    await chmod(ffmpeg, 0o755)
    return { ...tools, ffmpeg }
  }

  it('an ffmpeg without WebP makes JPEG pictures, with transparent parts in black', async () => {
    const no_webp = `for word; do [ "$word" = libwebp ] && { echo "Unknown encoder 'libwebp'" >&2; exit 1; }; done`
    const tools = await scripted(no_webp)
    const png = await made('half.png', 'color=red@0.0:s=400x200,format=rgba', '-frames:v', '1')
    for (const _ of [1, 2]) {
      const result = await convert(png, 'png', {}, tools)
      if (typeof result === 'string') throw new Error(result)
      expect([pictureFormat(result.small), pictureFormat(result.large)]).toEqual(['jpeg', 'jpeg'])
      expect(await sizeOf(result.small)).toMatch(/^320,160/)
    }
  })

  it('a picture whose ffmpeg was killed, as the system does when memory is short, is not given up', async () => {
    const tools = await scripted('kill -KILL $$')
    const jpeg = await made('killed.jpg', 'testsrc2=s=64x64', '-frames:v', '1')
    expect(await convert(jpeg, 'jpeg', {}, tools)).toBe('stopped')
  })

  it('an ffmpeg that hangs is stopped with its run', async () => {
    const tools = await scripted('sleep 60')
    const stop = new AbortController()
    const jpeg = await made('any.jpg', 'testsrc2=s=64x64', '-frames:v', '1')
    const picture = { kind: 'video', bytes: jpeg, format: 'jpeg', is_letterboxed: false } as const
    const converting = convertPicture(tools, picture, stop.signal)
    stop.abort(new Error('the worker stops'))
    await expect(converting).rejects.toThrow('the worker stops')
  })
})
