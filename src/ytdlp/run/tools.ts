/** The programs that a download runs: yt-dlp, ffmpeg and what starts them. Finding them is left to `ytdlp/tools/`. */
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
