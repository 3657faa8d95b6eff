/** The tools of this machine: for the service as it finds its own, and as one program for a measurement without the service. */
import { symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { env } from 'node:process'
import { shellScript } from '../../support/process/fake-tool.ts'
import { findMachine } from '../../support/run/machine.ts'
import type { Side } from '../run/side.ts'

async function toolsHere() {
  const { tools } = await findMachine()
  if ('missing' in tools) throw new Error(tools.missing)
  return tools
}

/** Variables of the service. A yt-dlp that was fetched into our data folder is in that of this side too. */
export async function giveTools({ variables }: Side): Promise<Record<string, string> & { FFMPEG_PATH: string }> {
  const { ffmpeg } = await toolsHere()
  await symlink(resolve(env.DATA_DIR ?? '.data', 'tools'), join(variables.DATA_DIR ?? '', 'tools'))
  return { FFMPEG_PATH: ffmpeg, ...(env.YTDLP_PATH && { YTDLP_PATH: env.YTDLP_PATH }) }
}

/** Writes a program that is the bare yt-dlp into `folder`. */
export async function bareTools(folder: string): Promise<{ ytdlp: string; ffmpeg: string }> {
  const { ytdlp, ffmpeg } = await toolsHere()
  const file = join(folder, 'yt-dlp')
  await writeFile(file, shellScript(ytdlp.command, ytdlp.env), { mode: 0o755 })
  return { ytdlp: file, ffmpeg }
}
