/** The tools of this process: looked for when they are first needed, and again when the data folder has another yt-dlp. */
import { resolve } from 'node:path'
import type { Config } from '../../config.ts'
import type { Missing, ToolFinder, Tools } from '../run/tools.ts'
import type { ToolOptions } from './setup.ts'
import { findTools } from './tools.ts'
import { stampOf } from './versions.ts'

/** What is missing may be installed at any moment; the one on PATH may be replaced by others. */
const look_again_ms = { missing: 60_000, found: 24 * 3_600_000 }

export type ToolConfig = Pick<
  Config,
  'YTDLP_PATH' | 'FFMPEG_PATH' | 'PATH' | 'DATA_DIR' | 'INSTALL_TOOLS' | 'YTDLP_CHANNEL'
>

export const toolOptionsOf = (config: ToolConfig): ToolOptions => ({
  ytdlp_path: config.YTDLP_PATH,
  ffmpeg_path: config.FFMPEG_PATH,
  path: config.PATH,
  data_dir: config.DATA_DIR,
  channel: config.YTDLP_CHANNEL,
  fetch: config.INSTALL_TOOLS === 'on',
})

/** `onLook` is told what each look found. `fetch: false` for who can't wait: only what is on this machine, where a worker may have put it. */
export function lazyTools(
  config: ToolConfig,
  more: Pick<ToolOptions, 'log' | 'fetch'> = {},
  onLook: (found: Tools | Missing) => Promise<void> = async () => {},
): ToolFinder {
  const options = { ...toolOptionsOf(config), ...more }
  const tools_dir = resolve(config.DATA_DIR, 'tools')
  let looking: Promise<{ found: Tools | Missing; at: number; stamp: number }> | undefined
  const look = async () => {
    // Asked before, so that a switch during the look is noticed.
    const stamp = await stampOf(tools_dir)
    const found = await findTools(options)
    await onLook(found)
    return { found, at: Date.now(), stamp }
  }
  /** A look that broke is forgotten, so that the next caller looks again. */
  const begin = () => {
    const begun = look()
    looking = begun
    begun.catch(() => {
      if (looking === begun) looking = undefined
    })
    return begun
  }
  return async () => {
    const latest = looking ?? begin()
    const { found, at, stamp } = await latest
    const is_old = Date.now() - at > look_again_ms['missing' in found ? 'missing' : 'found']
    if ((is_old || (await stampOf(tools_dir)) !== stamp) && looking === latest) begin()
    return (await (looking ?? begin())).found
  }
}
