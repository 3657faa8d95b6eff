/** Stored pictures become JPEG for media servers, with the real ffmpeg. */
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { pictureFormat } from '../../../src/schema/values/picture.ts'
import { jpegConverter } from '../../../src/ytdlp/convert/convert-picture.ts'
import { toolsForTests } from '../../support/process/tools.ts'

const toJpeg = jpegConverter(async () => toolsForTests())

async function made(format: 'webp' | 'png' | 'mjpeg'): Promise<Uint8Array> {
  const codec = { webp: 'libwebp', png: 'png', mjpeg: 'mjpeg' }[format]
  const args = ['-loglevel', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=320x180', '-frames:v', '1', '-c:v', codec]
  const { stdout } = await execa(toolsForTests().ffmpeg, [...args, '-f', 'image2pipe', '-'], { encoding: 'buffer' })
  return stdout
}

it.each(['webp', 'png'] as const)('a %s picture is converted', async format => {
  const jpeg = await toJpeg(await made(format))
  expect(jpeg && pictureFormat(jpeg)).toBe('jpeg')
})

it('a JPEG stays as it is', async () => {
  const picture = await made('mjpeg')
  expect(await toJpeg(picture)).toBe(picture)
})

it.each(['webp', 'png', 'mjpeg'] as const)(
  'for a podcast, a wide %s picture becomes a square with bars',
  async format => {
    const jpeg = await jpegConverter(async () => toolsForTests(), 'square')(await made(format))
    const { stdout } = await execa(toolsForTests().ffmpeg, [...shown, '-'], { input: jpeg ?? '', encoding: 'buffer' })
    expect(stdout.length).toBe(1400 * 1400)
    const brightest = (from: number, to: number) =>
      stdout.subarray(from * 1400, to * 1400).reduce((a, b) => Math.max(a, b))
    // 16:9 in 1,400 are 788 lines, in the middle.
    expect(brightest(0, 300)).toBeLessThan(32)
    expect(brightest(320, 1080)).toBeGreaterThan(128)
    expect(brightest(1100, 1400)).toBeLessThan(32)
  },
)
const shown = ['-loglevel', 'error', '-f', 'jpeg_pipe', '-i', '-', '-pix_fmt', 'gray', '-f', 'rawvideo']

it('bytes that are no picture, and a damaged picture, are left out', async () => {
  expect(await toJpeg(Buffer.from('<html>'))).toBeUndefined()
  expect(await toJpeg((await made('webp')).subarray(0, 60))).toBeUndefined()
})

it('while ffmpeg is missing, the picture is tried again later', async () => {
  const picture = await made('webp')
  await expect(jpegConverter(async () => ({ missing: 'Install ffmpeg.' }))(picture)).rejects.toThrow('Install ffmpeg.')
})
