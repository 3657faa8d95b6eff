/** In its own process: nginx in front of a service, configured by the recipes of the guides. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, getuid } from 'node:process'
import { text } from 'node:stream/consumers'
import { execa } from 'execa'
import { vi } from 'vitest'
import { blocksOf } from '../run/documents.ts'
import { newFolder } from '../run/new-folder.ts'

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
 * `base`: the service is below this path, and another app at `/`.
 */
export async function startNginx(
  services: string | string[],
  { passwords, address, base }: { passwords?: Record<string, string>; address?: string; base?: string } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-nginx-'))
  const socketPath = join(folder, 'socket')
  const users = join(folder, 'users')
  const lines = Object.entries(passwords ?? {}).map(([name, password]) => `${name}:{PLAIN}${password}\n`)
  await writeFile(users, lines.join(''))
  const listens = [`unix:${socketPath}`, ...(address ? [address] : [])]
  const parts = base
    ? await recipeBelow(base, listens, String(services), join(folder, 'outside'))
    : await recipe(listens, [services].flat(), passwords && users)
  await writeFile(join(folder, 'nginx.conf'), configOf(folder, parts))
  const nginx = execa('nginx', ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'errors')], { env: { PATH } })
  nginx.catch(() => {})

  const ask = askAt(socketPath)
  await vi.waitFor(() => ask(`${base ?? ''}/healthz`))
  return {
    ask,
    socketPath,
    /** The paths outside of `base` that were requested. */
    outside: async () => (await readFile(join(folder, 'outside'), 'utf8')).split('\n').filter(Boolean),
    /** The log of requests and that of errors. */
    logs: async () =>
      (await Promise.all(['requests', 'errors'].map(name => readFile(join(folder, name), 'utf8')))).join('\n'),
    async stop() {
      nginx.kill('SIGTERM')
      await nginx.catch(() => {})
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Requests through a proxy that listens on a socket. */
export const askAt =
  (socketPath: string) =>
  (path: string, headers: Record<string, string> = {}, method = 'GET', body?: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = request({ socketPath, path, headers: { host: 'localhost', ...headers }, method }, async answer => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) })
      })
      sent.on('error', reject).end(body)
    })

/** Call it in a test. Returns what nginx says about a configuration whose `http` has these parts; empty: it accepts them. */
export async function remarksOfNginx(parts: string): Promise<string> {
  const folder = newFolder()
  const [key, certificate] = [join(folder, 'key'), join(folder, 'certificate')]
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=tv.example.org']
  await execa('openssl', ['req', '-x509', ...made, '-keyout', key, '-out', certificate])
  const placed = parts.replace(/ssl_certificate \S+;/, `ssl_certificate ${certificate};`)
  await writeFile(
    join(folder, 'nginx.conf'),
    configOf(folder, placed.replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`)),
  )
  const args = ['-t', '-q', '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'errors')]
  const { all } = await execa('nginx', args, { env: { PATH }, all: true, reject: false })
  return all.replace(/.*the "listen ... http2" directive is deprecated.*\n?/, '')
}

/** The recipe for a path, in a server whose other paths are another app's. */
async function recipeBelow(base: string, listens: string[], service: string, log: string): Promise<string> {
  const blocks = await blocksOf('nginx')
  const location = blocks.find(text => text.includes('location /backlot/')) ?? ''
  return `
    log_format paths $request_uri;
    server {
      ${listens.map(place => `listen ${place};`).join(' ')}
      absolute_redirect off;
      location / {
        access_log ${log} paths;
        default_type text/html;
        return 200 "<h1>Another app</h1>";
      }
      ${location.replaceAll('/backlot/', `${base}/`).replaceAll('http://127.0.0.1:8000', service)}
    }`
}

/** The blocks of the recipe, with the places of this test. */
async function recipe(listens: string[], services: string[], users?: string): Promise<string> {
  const blocks = await blocksOf('nginx')
  const block = (words: string) => blocks.find(text => text.includes(words)) ?? ''
  const [first = ''] = services
  const servers = services.map(url =>
    block('upstream')
      .match(/ *server .*\n/)?.[0]
      .replace(/\d[\d.:]+/, new URL(url).host),
  )
  const upstream = block('upstream').replace(/( *server .*\n)+/, servers.join(''))
  const server = block('listen 443')
    .replace(/ssl_.*\n/g, '')
    .replace(/listen 443 .*/, listens.map(place => `listen ${place};`).join(' '))
    .replaceAll('http://127.0.0.1:8000', services.length > 1 ? 'http://backlot' : first)
    .replace(
      'location / {',
      `location / {${users ? block('auth_basic').replace('/etc/nginx/backlot.htpasswd', users) : ''}`,
    )
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
    access_log ${folder}/requests;
    client_body_temp_path ${folder}/body;
    proxy_temp_path ${folder}/proxy;
    fastcgi_temp_path ${folder}/fastcgi;
    uwsgi_temp_path ${folder}/uwsgi;
    scgi_temp_path ${folder}/scgi;
    ${parts}
  }
`
