/**
 * What is said to a proxy before a connection through it carries anything: SOCKS5 (RFC 1928, 1929) and HTTP's CONNECT. Why no package does
 * this: `DECISIONS.md`.
 */
import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { ProxyFault, refusedConnect } from './proxy-fault.ts'

/** `undefined`: none. */
export type Credential = { user: string; password: string } | undefined

/** A proxy's way to open a connection to one IP address. A name is never sent, because a proxy might resolve it to an inside address. */
export type Handshake = {
  /** Opens the connection. Rejects with a `ProxyFault`, or with another error when only this address cannot be reached. */
  open(socket: Socket, credential: Credential, address: string, port: number): Promise<void>
  /** Asks for nothing: only shows whether a proxy answers and takes the credential. */
  greet(socket: Socket, credential: Credential): Promise<void>
}

export const socks5: Handshake = {
  async open(socket, credential, address, port) {
    await socks5.greet(socket, credential)
    const bytes = ipaddr.parse(address).toByteArray()
    socket.write(Buffer.from([5, 1, 0, bytes.length === 4 ? 1 : 4, ...bytes, port >> 8, port & 255]))
    const [version, reply = 0] = await answerOf(socket, socksReplyLength)
    if (version !== 5) throw new ProxyFault('away', 'the answer is not SOCKS5')
    if (reply === 2) throw new ProxyFault('refused', 'SOCKS reply 2')
    if (reply === 7) throw new ProxyFault('away', 'the proxy does not know CONNECT')
    // Without a network, for example, the address is unreachable, or it does not accept connections.
    if (reply !== 0) throw new Error(`The proxy could not connect (SOCKS reply ${reply}).`)
  },

  async greet(socket, credential) {
    socket.write(Buffer.from(credential ? [5, 2, 0, 2] : [5, 1, 0]))
    const [version, method] = await answerOf(socket, () => 2).catch(brokenOff)
    if (version !== 5) throw new ProxyFault('away', 'the answer is not SOCKS5')
    if (method === 0) return
    if (method !== 2 || !credential) throw new ProxyFault('password')
    const [user, password] = [Buffer.from(credential.user), Buffer.from(credential.password)]
    socket.write(Buffer.concat([Buffer.from([1, user.length]), user, Buffer.from([password.length]), password]))
    const [, refusal] = await answerOf(socket, () => 2).catch(passwordFault)
    if (refusal !== 0) throw new ProxyFault('password')
  },
}

/** Some proxies close the connection after a wrong password, without an answer. */
function passwordFault(cause: unknown): never {
  throw cause instanceof Closed ? new ProxyFault('password') : cause
}

/** The reply ends with the address from which the proxy connects: IPv4, a name, or IPv6. */
function socksReplyLength(got: Buffer): number | undefined {
  const lengths: Record<number, number | undefined> = { 1: 10, 3: got[4] === undefined ? undefined : 7 + got[4], 4: 22 }
  // After an error, some proxies send less.
  if (got.length >= 2 && got[1] !== 0) return 2
  return got[3] === undefined ? undefined : (lengths[got[3]] ?? 10)
}

export const http: Handshake = {
  async open(socket, credential, address, port) {
    const authority = `${address.includes(':') ? `[${address}]` : address}:${port}`
    const status = await statusOf(socket, `CONNECT ${authority}`, credential, authority)
    if (status >= 200 && status < 300) return
    if (isPasswordRefused(status)) throw new ProxyFault('password')
    // 501: it knows no CONNECT.
    if (status < 500 || status === 501) throw new ProxyFault('refused', `status ${status}`, refusedConnect(port))
    throw new Error(`The proxy could not connect (status ${status}).`)
  },

  async greet(socket, credential) {
    // Every proxy answers this, if only with an error.
    const status = await statusOf(socket, 'OPTIONS *', credential, 'proxy.invalid')
    if (isPasswordRefused(status)) throw new ProxyFault('password')
  },
}

/** tinyproxy answers 401 to a wrong password, and 407 to none. */
const isPasswordRefused = (status: number): boolean => status === 401 || status === 407

async function statusOf(socket: Socket, request: string, credential: Credential, host: string): Promise<number> {
  const basic = credential && Buffer.from(`${credential.user}:${credential.password}`).toString('base64')
  const lines = [
    `${request} HTTP/1.1`,
    `Host: ${host}`,
    ...(basic ? [`Proxy-Authorization: Basic ${basic}`] : []),
    '',
    '',
  ]
  socket.write(lines.join('\r\n'))
  const answer = await answerOf(socket, got => {
    const end = got.indexOf('\r\n\r\n')
    return end < 0 ? undefined : end + 4
  }).catch(brokenOff)
  const [, status] = /^HTTP\/1\.[01] (\d{3})\b/.exec(answer.toString('latin1')) ?? []
  if (status === undefined) throw new ProxyFault('away', 'the answer is not HTTP')
  return Number(status)
}

class Closed extends Error {}

/** The connection broke off before the proxy has said anything about the address. */
function brokenOff(cause: NodeJS.ErrnoException): never {
  // Only a fault of the system has a code; we may also have given up.
  const is_broken = cause instanceof Closed || (!(cause instanceof ProxyFault) && cause.code !== undefined)
  throw is_broken ? new ProxyFault('away', cause.code ?? 'closed') : cause
}

/** An answer to a handshake is shorter. */
const max_answer_bytes = 16_384

/** Reads one answer, whose length `lengthOf` tells as soon as it can. What follows the answer stays unread. */
function answerOf(socket: Socket, lengthOf: (got: Buffer) => number | undefined): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let got = Buffer.alloc(0)
    const settle = (done: () => void) => {
      socket.off('readable', read).off('error', fail).off('close', onClose).off('end', onClose)
      done()
    }
    const fail = (cause: Error) => settle(() => reject(cause))
    const onClose = () => fail(new Closed('The proxy closed the connection.'))
    const read = () => {
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) got = Buffer.concat([got, chunk])
      const length = lengthOf(got)
      if (length !== undefined && got.length >= length) {
        if (got.length > length) socket.unshift(got.subarray(length))
        return settle(() => resolve(got.subarray(0, length)))
      }
      if (got.length > max_answer_bytes) fail(new ProxyFault('away', 'the answer is too long'))
    }
    socket.on('readable', read).once('error', fail).once('close', onClose).once('end', onClose)
    read()
  })
}
