/** Where tools may come from and where our own copies are: the settings of every search, with the defaults filled in. */
import type { ReleaseChannel } from '../../schema/service/renewal.ts'

export type ToolOptions = {
  ytdlp_path?: string | undefined
  ffmpeg_path?: string | undefined
  /** The PATH to look in, and the one the tools get. */
  path: string
  /** Our own copies are in its folder `tools`. */
  data_dir: string
  log?: { info(message: string): void; warn(message: string): void }
  /** Which releases of yt-dlp; `stable` unless given. */
  channel?: ReleaseChannel
  /** Where releases come from; tests serve their own. */
  releases?: { ytdlp: string; ffmpeg: string }
  /** The key that signs yt-dlp's checksums; tests have their own. */
  trusted_key?: string
  /** Lines of a sources.list to take packages from, instead of the mirrors of this machine; tests bring their own. */
  packages?: string[]
  /** `false`: only use what is on this machine already. */
  fetch?: boolean
}

export type Setup = ToolOptions & {
  tools_dir: string
  channel: ReleaseChannel
  releases: { ytdlp: string; ffmpeg: string }
  trusted_key: string
  /** A Python that is new enough for yt-dlp; set when one is fetched. */
  python: string | undefined
  tell(message: string): void
}
