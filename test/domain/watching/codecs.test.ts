/** Codecs of files that ffmpeg makes. */
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { codecsOf } from '../../../src/domain/watching/codecs.ts'
import { toolsForTests } from '../../support/process/tools.ts'

async function fragmented(codecs: string) {
  const source = '-f lavfi -i testsrc=size=64x36:rate=5:duration=1 -f lavfi -i sine=duration=1'
  const output = '-movflags +frag_keyframe+empty_moov -f mp4 pipe:1'
  const args = `-nostdin -loglevel error ${source} ${codecs} ${output}`.split(' ')
  const { stdout } = await execa(toolsForTests().ffmpeg, args, { encoding: 'buffer', env: toolsForTests().system_env })
  return stdout
}

it.each([
  ['-c:v libx264 -profile:v baseline -pix_fmt yuv420p -c:a aac', /^avc1\.42c0[0-9a-f]{2}, mp4a\.40\.2$/],
  ['-c:v libvpx-vp9 -deadline realtime -c:a libopus -strict -2', /^vp09\.\d\d\.\d\d\.\d\d, opus$/],
  ['-vn -c:a flac -strict -2', /^flac$/],
  ['-an -c:v libx264 -pix_fmt yuv422p', /^avc1\.7a/],
])('%s', async (codecs, named) => {
  expect(codecsOf(await fragmented(codecs))).toMatch(named)
})

it('names nothing of bytes that are no MP4', () => {
  expect(codecsOf(new Uint8Array())).toBeUndefined()
  expect(codecsOf(Buffer.from('<!doctype html><title>Not here</title>'))).toBeUndefined()
  expect(codecsOf(new Uint8Array(5000).fill(255))).toBeUndefined()
})
