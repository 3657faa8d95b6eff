/** The tools of this process, looked for when they are first needed and again from time to time: sites change, and so does yt-dlp. */
import type { Config } from '../config.ts'
import { findTools, type Tools, type Wanted } from './tools.ts'

/** The answer of the latest look; the first one waits for it. */
export type ToolFinder = () => Promise<Tools | { missing: string }>

/** How soon to look again: for what is missing, and for a newer yt-dlp, which has to keep up with the sites. */
const look_again_ms = { missing: 60_000, found: 24 * 3_600_000 }

type ToolConfig = Pick<Config, 'YTDLP_PATH' | 'FFMPEG_PATH' | 'PATH' | 'DATA_DIR' | 'INSTALL_TOOLS'>

/** `onLook` is told what each look found. `fetch: false` for who can't wait: only what is on this machine, where a worker may have put it. */
export function lazyTools(
  config: ToolConfig,
  more: Pick<Wanted, 'log' | 'fetch'> = {},
  onLook: (found: Tools | { missing: string }) => Promise<void> = async () => {},
): ToolFinder {
  const wanted: Wanted = {
    ytdlp_path: config.YTDLP_PATH,
    ffmpeg_path: config.FFMPEG_PATH,
    path: config.PATH,
    data_dir: config.DATA_DIR,
    fetch: config.INSTALL_TOOLS === 'on',
    ...more,
  }
  let looking: Promise<{ found: Tools | { missing: string }; at: number }> | undefined
  const look = async () => {
    const found = await findTools(wanted)
    await onLook(found)
    return { found, at: Date.now() }
  }
  return async () => {
    looking ??= look()
    const latest = looking
    const { found, at } = await latest
    if (looking === latest && Date.now() - at > look_again_ms['missing' in found ? 'missing' : 'found'])
      looking = look()
    return (await looking).found
  }
}
