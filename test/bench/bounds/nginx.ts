/** Starts nginx, which sends the files of a folder as fast as this machine can. */
import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { env, getuid } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { endAfterRow } from '../run/children.ts'
import { type Usage, usageOf } from '../run/usage.ts'

export type Nginx = { url: string; usage(): Promise<Usage> }

/** Debian has it where ordinary users have no programs. */
const PATH = `${env.PATH}:/usr/sbin`

/** `files` are below `/_files/`. `undefined`: this machine has no nginx. */
export async function startNginx(folder: string, files: string): Promise<Nginx | undefined> {
  await mkdir(folder, { recursive: true })
  const port = await freePort()
  await writeFile(join(folder, 'nginx.conf'), configOf(folder, port, files))
  const args = ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'errors')]
  const nginx = endAfterRow(spawn('nginx', args, { env: { PATH }, stdio: 'ignore' }))
  const ended = new Promise<false>(resolve =>
    nginx.once('error', () => resolve(false)).once('exit', () => resolve(false)),
  )
  const url = `http://127.0.0.1:${port}`
  const isReady = async (): Promise<boolean> => {
    if (await fetch(url).catch(() => false)) return true
    await setTimeout(50)
    return isReady()
  }
  if (!(await Promise.race([isReady(), ended]))) return undefined
  return { url, usage: () => usageOf(nginx.pid ?? 0) }
}

const configOf = (folder: string, port: number, files: string) => `
  ${getuid?.() === 0 ? 'user root;' : ''}
  daemon off;
  master_process off;
  pid ${folder}/pid;
  events {}
  http {
    access_log off;
    sendfile on;
    sendfile_max_chunk 1m;
    tcp_nopush on;
    ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(use => `${use}_temp_path ${folder}/${use};`).join(' ')}
    server {
      listen 127.0.0.1:${port};
      location /_files/ { alias ${files}/; }
    }
  }
`

export function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const probe = createServer().once('error', reject)
  probe.listen(0, '127.0.0.1', () => {
    const { port } = probe.address() as { port: number }
    probe.close(() => resolve(port))
  })
  return promise
}
