/** As processes: Debian's Prometheus and its promtool, with the blocks of the guides. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { vi } from 'vitest'
import { blocksOf } from '../run/documents.ts'
import { newFolder } from '../run/new-folder.ts'

export const prometheus_is_here = await execa('promtool', ['--version'])
  .then(
    () => execa('prometheus', ['--version']).then(() => true),
    () => false,
  )
  .catch(() => false)
if (!prometheus_is_here) console.warn('Left out: Prometheus is not installed here.')

/** The scrape configuration and the alert rules of the guides. */
export async function recipes(): Promise<{ scrape: string; rules: string }> {
  const blocks = await blocksOf('yaml')
  const starting = (word: string) => blocks.find(block => block.startsWith(word)) ?? ''
  return { scrape: starting('scrape_configs:'), rules: starting('groups:') }
}

/** `code` is 0 if promtool finds nothing wrong. */
export async function promtool(args: string[], input?: string): Promise<{ code: number | undefined; said: string }> {
  const { exitCode, all } = await execa('promtool', args, {
    reject: false,
    all: true,
    ...(input !== undefined && { input }),
  })
  return { code: exitCode, said: all }
}

/** Call it in a test. Scrapes the service at `url`, by the recipe. */
export async function startPrometheus(url: string, token: string) {
  const folder = newFolder()
  const { scrape } = await recipes()
  const config = scrape
    .replace('/etc/prometheus/backlot-token', join(folder, 'token'))
    .replace('127.0.0.1:8000', new URL(url).host)
    .replace('15s', '1s')
  await writeFile(join(folder, 'token'), token)
  await writeFile(join(folder, 'prometheus.yml'), config)
  const server = execa('prometheus', [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    '--web.listen-address=127.0.0.1:0',
  ])
  server.catch(() => {})
  let said = ''
  server.stderr?.on('data', (chunk: Buffer) => {
    said += chunk
  })
  const base = await vi.waitFor(
    () => {
      const address = /msg="Listening on" address=(\S+)/.exec(said)?.[1]
      if (!address) throw new Error(`Prometheus does not listen: ${said}`)
      return `http://${address}`
    },
    { timeout: 60_000 },
  )
  const get = async (path: string) => ((await (await fetch(base + path)).json()) as { data: unknown }).data
  return {
    get,
    async stop() {
      server.kill('SIGTERM')
      await server.catch(() => {})
    },
  }
}
