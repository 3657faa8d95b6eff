/** In its own process: nginx in front of a service, configured by the recipe of the operating details. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, getuid } from 'node:process'
import { text } from 'node:stream/consumers'
import { execa } from 'execa'
import { vi } from 'vitest'

/** Debian has it where ordinary users have no programs. */
const PATH = `${env.PATH}:/usr/sbin`

export const nginx_is_here = await execa('nginx', ['-v'], { env: { PATH } }).then(
  () => true,
  () => false,
)

export type Answer = { status: number; headers: IncomingMessage['headers']; body: string }

/**
 * `services`: the address of the service to which it passes requests, or those of several web processes. It listens on a socket in a folder
 * of its own, and at `address` if that is given. `passwords`: of the people whom it lets in by the recipe for sign-in by a proxy.
 */
export async function startNginx(
  services: string | string[],
  downloads_dir: string,
  { passwords, address }: { passwords?: Record<string, string>; address?: string } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-nginx-'))
  const socketPath = join(folder, 'socket')
  const users = join(folder, 'users')
  const lines = Object.entries(passwords ?? {}).map(([name, password]) => `${name}:{PLAIN}${password}\n`)
  await writeFile(users, lines.join(''))
  const listens = [`unix:${socketPath}`, ...(address ? [address] : [])]
  const parts = await recipe(listens, [services].flat(), downloads_dir, passwords && users)
  await writeFile(join(folder, 'nginx.conf'), configOf(folder, parts))
  const nginx = execa('nginx', ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'errors')], { env: { PATH } })
  nginx.catch(() => {})

  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<Answer>((resolve, reject) => {
      const sent = request({ socketPath, path, headers: { host: 'localhost', ...headers }, method }, async answer => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) })
      })
      sent.on('error', reject).end()
    })
  await vi.waitFor(() => ask('/healthz'))
  return {
    ask,
    async stop() {
      nginx.kill('SIGTERM')
      await nginx.catch(() => {})
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The blocks of the recipe, with the places of this test. */
async function recipe(listens: string[], services: string[], downloads_dir: string, users?: string): Promise<string> {
  const page = await readFile(new URL('../../../src/OPERATIONS.md', import.meta.url), 'utf8')
  const blocks = [...page.matchAll(/```nginx\n(.*?)```/gs)].map(([, block = '']) => block)
  const block = (words: string) => blocks.find(text => text.includes(words)) ?? ''
  const [first = ''] = services
  const servers = services.map(url =>
    block('upstream')
      .match(/ *server .*\n/)?.[0]
      .replace(/\d[\d.:]+/, new URL(url).host),
  )
  const upstream = block('upstream').replace(/( *server .*\n)+/, servers.join(''))
  const server = block('listen 443 ssl')
    .replace(/ssl_.*\n/g, '')
    .replace('listen 443 ssl', listens.map(place => `listen ${place}`).join('; '))
    .replace('http://127.0.0.1:8000', services.length > 1 ? 'http://backlot' : first)
    .replace(
      'location / {',
      `location / {${users ? block('auth_basic').replace('/etc/nginx/backlot.htpasswd', users) : ''}`,
    )
    .replace(/\}\s*$/, `${block('internal;').replaceAll('/srv/backlot/downloads/', `${downloads_dir}/`)}}`)
  return services.length > 1 ? upstream + server : server
}

const configOf = (folder: string, parts: string) => `
  ${getuid?.() === 0 ? 'user root;' : ''}
  daemon off;
  master_process off;
  pid ${folder}/pid;
  error_log ${folder}/errors;
  events {}
  http {
    access_log off;
    client_body_temp_path ${folder}/body;
    proxy_temp_path ${folder}/proxy;
    fastcgi_temp_path ${folder}/fastcgi;
    uwsgi_temp_path ${folder}/uwsgi;
    scgi_temp_path ${folder}/scgi;
    ${parts}
  }
`
