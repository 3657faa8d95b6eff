/** The environment of a tool: only what it needs, and the egress proxy as its only way out. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Tools } from './tools.ts'

/** Without our database address and tokens, and with an empty home, so that no configuration is found. */
export async function environment(tools: Tools, folder: string): Promise<Record<string, string>> {
  const home = join(folder, 'home')
  await rm(home, { recursive: true, force: true })
  await mkdir(home)
  return { PATH: tools.path, HOME: home, TMPDIR: home, TEMP: home, LANG: 'C.UTF-8', ...tools.system_env }
}

/** In the environment, which only the same user can read. With an empty `no_proxy`, every host uses the proxy. */
export const proxied = (url: string) => ({
  http_proxy: url,
  https_proxy: url,
  all_proxy: url,
  no_proxy: '',
  NO_PROXY: '',
})
