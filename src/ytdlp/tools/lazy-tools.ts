/** Looks for the tools of this process when they are first needed, and again when the data folder has another yt-dlp. */
import { resolve } from 'node:path'
import type { Config } from '../../config/config.ts'
import { loadedOnce } from '../../runtime/cache.ts'
import type { MissingTools, ToolFinder, Tools } from '../process/programs.ts'
import type { ToolOptions } from './machine.ts'
import type { OperatorConfig } from './operator.ts'

/** After this time the search is repeated: missing tools may be installed at any moment, and those on PATH may be replaced. */
const search_again_ms = { missing: 60_000, found: 24 * 3_600_000 }

/** Most processes that serve pages never look for tools. */
const code = () => Promise.all([import('./tools.ts'), import('./versions.ts')])

export type ToolConfig = Pick<
  Config,
  'YTDLP_PATH' | 'FFMPEG_PATH' | 'PATH' | 'DATA_DIR' | 'INSTALL_TOOLS' | 'YTDLP_CHANNEL'
> &
  OperatorConfig

export const toolOptionsOf = (config: ToolConfig): ToolOptions => ({
  ytdlp_path: config.YTDLP_PATH,
  ffmpeg_path: config.FFMPEG_PATH,
  readOperator: loadedOnce(async () => (await import('./operator.ts')).readOperator(config)),
  path: config.PATH,
  data_dir: config.DATA_DIR,
  channel: config.YTDLP_CHANNEL,
  fetch: config.INSTALL_TOOLS === 'on',
})

/**
 * `onFound` receives the result of each search. With `fetch: false` only tools that are on this machine are found, which is
 * for callers that cannot wait; a worker may have fetched them.
 */
export function lazyTools(
  config: ToolConfig,
  more: Pick<ToolOptions, 'log' | 'fetch' | 'signal'> = {},
  onFound: (found: Tools | MissingTools) => Promise<void> = async () => {},
): ToolFinder {
  const options = { ...toolOptionsOf(config), ...more }
  const tools_dir = resolve(config.DATA_DIR, 'tools')
  let search: Promise<{ found: Tools | MissingTools; at: number; stamp: number }> | undefined
  const start = async () => {
    const [{ findTools }, { stampOf }] = await code()
    // Read before the search, so that a switch during the search is noticed.
    const stamp = await stampOf(tools_dir)
    const found = await findTools(options)
    await onFound(found)
    return { found, at: performance.now(), stamp }
  }
  /** A failed search is forgotten, so that the next caller searches again. */
  const begin = () => {
    const begun = start()
    search = begun
    begun.catch(() => {
      if (search === begun) search = undefined
    })
    return begun
  }
  return async () => {
    const [, { stampOf }] = await code()
    const latest = search ?? begin()
    const { found, at, stamp } = await latest
    const is_old = performance.now() - at > search_again_ms['missing' in found ? 'missing' : 'found']
    if ((is_old || (await stampOf(tools_dir)) !== stamp) && search === latest) begin()
    return (await (search ?? begin())).found
  }
}
