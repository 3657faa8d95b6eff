/** The programs that a download runs: yt-dlp, ffmpeg and what starts them. Finding them is the work of `ytdlp/tools/`. */
import type { YtdlpSource } from '../../schema/renewal.ts'

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
  /** Put in front of a command, it ends the command and its children when we die; empty where the system has no such thing. */
  leash: string[]
  path: string
  system_env: Record<string, string>
}

/** One sentence for people: what is missing and what to do. */
export type Missing = { missing: string }

/** Looks for the tools at the first call, and answers later calls with the latest result. */
export type ToolFinder = () => Promise<Tools | Missing>
