/**
 * Fetches the separate sound of a video while yt-dlp's main run fetches the picture: yt-dlp fetches one after the other, and a picture
 * without sound cannot be watched. The main run then finds the complete sound in its place, and fetches it no more.
 */
import { mkdir, rename, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { openEgressProxy } from '../../net/egress-proxy.ts'
import type { SoundFile } from './arriving-files.ts'
import { info_file, sound_folder, soundArgumentsOf } from './command.ts'
import type { DownloadContext } from './download-context.ts'
import { environment, proxied } from './environment.ts'
import { runTool } from './process.ts'

/** Does nothing where the main run has reached the sound. Without success, the main run fetches it. */
export async function fetchSoundAhead(context: DownloadContext, { format_id, ...sound }: SoundFile): Promise<void> {
  if (await hasBegun(sound.file)) return
  const { tools, silence_ms } = context
  const folder = join(context.folder, sound_folder)
  await mkdir(folder, { recursive: true })
  const refused = new AbortController()
  const proxy = await openEgressProxy(context.policy, () => refused.abort())
  try {
    const request = { format_id, folder, ffmpeg: tools.ffmpeg, version: tools.ytdlp.version }
    const { exit_code } = await runTool({
      kind: 'download',
      command: [...tools.leash, ...tools.ytdlp.command],
      args: soundArgumentsOf(request, join(context.folder, info_file)),
      cwd: folder,
      env: { ...(await environment(tools, folder)), ...tools.ytdlp.env, ...proxied(proxy.url) },
      signal: AbortSignal.any([context.signal, refused.signal]),
      silence_ms: () => silence_ms,
      longest_ms: context.deadline - Date.now(),
      onLine: () => {},
    })
    if (exit_code !== 0) await giveUp(sound.ahead)
    else if (!(await hasBegun(sound.file))) await rename(sound.ahead, sound.file)
  } finally {
    await proxy.close()
  }
}

/** Who reads the part of it begins again, with the sound of the main run. */
const giveUp = (file: string) => truncate(`${file}.part`).catch(() => {})

/** Whether the main run has the sound, or a part of it. */
const hasBegun = async (file: string): Promise<boolean> =>
  (await exists(file)) || (await exists(`${file}.part`)) || (await exists(`${file}.ytdl`))

const exists = async (file: string) => (await stat(file).catch(() => undefined)) !== undefined
