/**
 * A video site of any name on loopback, over https, for the generic extractor of the real yt-dlp. Its films can be had only with the cookie
 * of an account. It records which host got which cookies. A test reaches it through `policy`, and trusts its certificate through `tools`.
 */
import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { type AddressPolicy, addressPolicy } from '../../../src/net/addresses.ts'
import type { Tools } from '../../../src/ytdlp/process/programs.ts'
import { filmsSettled, getFilm } from './films.ts'

export type MembersSite = {
  requests: { host: string; path: string; cookie: string | undefined }[]
  /** Connects the names of the site to this server, and judges all others as usual. */
  policy: AddressPolicy
  /** The same tools, which trust this server and no other. */
  tools(tools: Tools): Tools
  close(): Promise<void>
}

/**
 * `names`: the first is that of the account; the others send films without asking. `/film.mp4` is a film, which is refused with 401, or
 * below `/forbidden/` with 403. `/to/<host>` leads to the film at another name. `cookie`: of the account, as `name=value`.
 */
export async function openMembersSite(names: string[], cookie: string): Promise<MembersSite> {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-members-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=A small site']
  const alternatives = ['-addext', `subjectAltName=${names.map(name => `DNS:${name}`).join(',')}`]
  await execa('openssl', ['req', '-x509', '-days', '2', ...made, ...alternatives, '-keyout', key, '-out', cert])
  const film = await getFilm('/plain.mp4')

  const answer = async (asked: IncomingMessage, reply: ServerResponse) => {
    const { hostname, pathname } = new URL(asked.url ?? '/', `https://${asked.headers.host}`)
    site.requests.push({ host: hostname, path: pathname, cookie: asked.headers.cookie })
    const is_signed_in = asked.headers.cookie?.split('; ').includes(cookie)
    if (hostname === names[0] && !is_signed_in) {
      const status = pathname.startsWith('/forbidden/') ? 403 : 401
      return reply.writeHead(status, { 'content-type': 'text/html' }).end('<html>Sign in</html>')
    }
    const [, other] = /^\/to\/(.+)$/.exec(pathname) ?? []
    if (other) return reply.writeHead(302, { location: `https://${other}/film.mp4` }).end()
    const { size } = await stat(film)
    reply.writeHead(200, { 'content-type': 'video/mp4', 'content-length': size })
    return asked.method === 'HEAD' ? reply.end() : createReadStream(film).pipe(reply)
  }
  const server = createServer({ key: await readFile(key), cert: await readFile(cert) }, (asked, reply) => {
    answer(asked, reply).catch(() => reply.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const usual = addressPolicy([])
  const site: MembersSite = {
    requests: [],
    policy: {
      resolve: async (hostname, asked) =>
        names.includes(hostname) ? [{ address: '127.0.0.1', family: 4, port }] : usual.resolve(hostname, asked),
    },
    tools: tools => ({ ...tools, system_env: { ...tools.system_env, SSL_CERT_FILE: cert } }),
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await filmsSettled()
      await rm(folder, { recursive: true })
    },
  }
  return site
}
