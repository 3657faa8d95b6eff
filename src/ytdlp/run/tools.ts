/** The programs that a download runs (yt-dlp, ffmpeg and what starts them) and their environment. Finding them is left to `ytdlp/tools/`. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { YtdlpSource } from '../../schema/service/renewal.ts'

export type Ytdlp = {
  command: string[]
  env: Record<string, string>
  version: string
  /** `named`: YTDLP_PATH; `own`: the data folder, where we renew it; `path`: installed on this machine and renewed by others. */
  source?: YtdlpSource
}

export type Ffmpeg = { ffmpeg: string; ffprobe: string }

export type Tools = Ffmpeg & {
  ytdlp: Ytdlp
  /** A command to put in front of a tool's: it ends the tool and its children when our process dies. Empty where the system has none. */
  leash: string[]
  path: string
  system_env: Record<string, string>
}

/** One sentence for people: what is missing and what to do. */
export type Missing = { missing: string }

/** Looks for the tools at the first call, and answers later calls with the latest result. */
export type ToolFinder = () => Promise<Tools | Missing>

/** Only what a tool needs: not our database address or tokens, and an empty home, so that no configuration is found. */
export async function environment(tools: Tools, folder: string): Promise<Record<string, string>> {
  const home = join(folder, 'home')
  await rm(home, { recursive: true, force: true })
  await mkdir(home)
  return { PATH: tools.path, HOME: home, TMPDIR: home, TEMP: home, LANG: 'C.UTF-8', ...tools.system_env }
}

/** Our proxy as the only way out. Only our own user can read an environment. With an empty `no_proxy`, every host uses the proxy. */
export const proxied = (url: string) => ({
  http_proxy: url,
  https_proxy: url,
  all_proxy: url,
  no_proxy: '',
  NO_PROXY: '',
})
