/** Converts a stored picture to JPEG with ffmpeg, for programs that read no WebP. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pictureFormat } from '../../schema/values/picture.ts'
import { runTool } from './process.ts'
import { readPicture, writePicture } from './read-picture.ts'
import type { ToolFinder } from './tools.ts'

/** Returns `undefined` for bytes that are no picture. Throws while ffmpeg is missing. */
export const jpegConverter =
  (findTools: ToolFinder) =>
  async (picture: Uint8Array): Promise<Uint8Array | undefined> => {
    const format = pictureFormat(picture)
    if (format === 'jpeg' || !format) return format && picture
    const tools = await findTools()
    if ('missing' in tools) throw new Error(tools.missing)
    const folder = await mkdtemp(join(tmpdir(), 'backlot-jpeg-'))
    try {
      await writePicture(picture, format, join(folder, 'picture'))
      const { exit_code } = await runTool({
        kind: 'picture',
        command: [...tools.leash, tools.ffmpeg],
        args: [
          ...['-nostdin', '-nostats', '-loglevel', 'error', ...readPicture(format, 'picture')],
          ...['-frames:v', '1', '-threads', '1', '-pix_fmt', 'yuvj420p', '-q:v', '3', '-f', 'mjpeg', 'file:jpeg'],
        ],
        cwd: folder,
        env: { PATH: tools.path, LANG: 'C.UTF-8', ...tools.system_env },
        signal: new AbortController().signal,
        onLine: () => {},
      })
      return exit_code === 0 ? await readFile(join(folder, 'jpeg')) : undefined
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
