/** What a tool gets to see of the world: an environment of only what it needs, and the one way out. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Tools } from './tools.ts'

/** Only what a tool needs: no database, no tokens, and a home where nobody left a configuration. */
export async function environment(tools: Tools, folder: string): Promise<Record<string, string>> {
  const home = join(folder, 'home')
  await rm(home, { recursive: true, force: true })
  await mkdir(home)
  return { PATH: tools.path, HOME: home, TMPDIR: home, TEMP: home, LANG: 'C.UTF-8', ...tools.system_env }
}

/** In the environment, where only the same user can read it. An empty `no_proxy` lets nothing past. */
export const proxied = (url: string) => ({
  http_proxy: url,
  https_proxy: url,
  all_proxy: url,
  no_proxy: '',
  NO_PROXY: '',
})
