/** In processes of their own: the proxies of Debian through which downloads can leave. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, pid } from 'node:process'
import { execa } from 'execa'
import { onTestFinished, vi } from 'vitest'

const PATH = `${env.PATH}:/usr/sbin`

const isHere = (program: string, ...args: string[]) =>
  execa(program, args, { env: { PATH }, reject: false }).then(({ code }) => code !== 'ENOENT')

/** dante gives up root, so it starts only as root. */
export const proxies_are_here =
  process.getuid?.() === 0 &&
  (await Promise.all([isHere('tinyproxy', '-v'), isHere('microsocks', '-h'), isHere('danted', '-v')])).every(Boolean)

type ProxyProgram = 'tinyproxy' | 'microsocks' | 'danted'
export type TestProxy = {
  /** For DOWNLOAD_PROXY, with the right password. */
  url: string
  host: string
  port: number
  /** What it has written about its connections. */
  log(): Promise<string>
  stop(): Promise<void>
}

/** An address of this process alone, so that no other test takes its ports. */
const own_address = `127.67.${(pid >> 8) & 255}.${pid & 255 || 1}`
let last_port = 20_000

/** `at`: an address of an earlier proxy, to start it again. `tinyproxy`: lines of its configuration. dante needs no password. */
export async function startProxy(
  program: ProxyProgram,
  { at, tinyproxy = '' }: { at?: Pick<TestProxy, 'host' | 'port'>; tinyproxy?: string } = {},
): Promise<TestProxy> {
  const { host, port } = at ?? { host: own_address, port: ++last_port }
  const folder = await mkdtemp(join(tmpdir(), 'backlot-proxy-'))
  const [settings, written] = [join(folder, 'settings'), join(folder, 'log')]
  await writeFile(
    settings,
    program === 'tinyproxy' ? tinyproxyAt(host, port, tinyproxy) : dantedAt(host, port, written),
  )
  const args = {
    tinyproxy: ['-d', '-c', settings],
    microsocks: ['-i', host, '-p', String(port), '-u', user, '-P', password],
    danted: ['-f', settings, '-p', join(folder, 'pid')],
  }
  let said = ''
  const running = execa(program, args[program], { env: { PATH }, cwd: folder, buffer: false })
  for (const stream of [running.stdout, running.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  running.catch(() => {})
  await vi.waitFor(() => greeted(host, port), { timeout: 20_000 })
  return {
    url: {
      tinyproxy: `http://${user}:${password}@${host}:${port}`,
      microsocks: `socks5://${user}:${password}@${host}:${port}`,
      danted: `socks5://${host}:${port}`,
    }[program],
    host,
    port,
    log: async () => said + (await readFile(written, 'utf8').catch(() => '')),
    async stop() {
      running.kill('SIGTERM')
      await running.catch(() => {})
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The password is in the arguments of microsocks; nothing of the service may show it. */
export const [user, password] = ['backlot', 'hunter2-of-the-proxy']

const tinyproxyAt = (host: string, port: number, more: string) => `
  Listen ${host}
  Port ${port}
  LogLevel Info
  Timeout 60
  BasicAuth ${user} ${password}
  ${more}
`

const dantedAt = (host: string, port: number, log: string) => `
  logoutput: ${log}
  internal: ${host} port = ${port}
  external: lo
  socksmethod: none
  clientmethod: none
  user.privileged: root
  user.unprivileged: nobody
  client pass { from: 0.0.0.0/0 to: 0.0.0.0/0 }
  socks block { from: 0.0.0.0/0 to: 127.0.0.9/32 log: connect error }
  socks pass { from: 0.0.0.0/0 to: 0.0.0.0/0 log: connect disconnect error }
`

/** Resolves when something accepts connections there. */
const greeted = (host: string, port: number) =>
  new Promise<void>((resolve, reject) => {
    const socket = connect(port, host, () => {
      socket.destroy()
      resolve()
    }).once('error', reject)
  })

/** In this process: passes connections on to a proxy, and keeps the bytes that are sent to the proxy. */
export async function tapOf({ host, port, url }: Pick<TestProxy, 'host' | 'port' | 'url'>) {
  const chunks: Buffer[] = []
  const open = new Set<Socket>()
  const server = createServer(from => {
    const to = connect(port, host)
    for (const socket of [from, to]) {
      open.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          open.delete(socket)
          ;(socket === from ? to : from).destroy()
        })
    }
    from.on('data', chunk => chunks.push(chunk)).pipe(to)
    to.pipe(from)
  })
  const tap_port = ++last_port
  await new Promise<void>(resolve => server.listen(tap_port, host, resolve))
  return {
    url: url.replace(`:${port}`, `:${tap_port}`),
    sent: () => Buffer.concat(chunks).toString('latin1'),
    /** Connections that are open now. */
    open: () => open.size / 2,
    close: () =>
      new Promise<void>(closed => {
        server.close(() => closed())
        for (const socket of open) socket.destroy()
      }),
  }
}

/** A proxy with a tap in front, until the test ends. */
export async function startTapped(program: ProxyProgram) {
  const proxy = await startProxy(program)
  onTestFinished(proxy.stop)
  const tap = await tapOf(proxy)
  onTestFinished(tap.close)
  return { proxy, tap }
}
