/**
 * Keeps the connection of a request open for a few seconds, for the next request to the same host. A request still has its host
 * judged first, and gets a kept connection only if the host has the same allowed addresses as when that connection was made.
 */
import { Agent as HttpAgent, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Duplex } from 'node:stream'
import type { Address } from './addresses.ts'
import { firstThatConnects } from './connect.ts'

/** Milliseconds; many servers close an idle connection after five seconds. */
export const idle_ms = 4000
/** The most idle connections of one protocol, over all hosts. */
export const max_idle_connections = 50

/** A request to a host that was judged: `judged` are its allowed addresses. `stop`: ends an attempt to connect. */
export type JudgedRequest = RequestOptions & { judged: Address[]; stop: AbortSignal }

export const keptConnections = { http: keeping(new HttpAgent(kept())), https: keeping(new HttpsAgent(kept())) }
/** For a request that may not use a kept connection. */
export const newConnections = { http: connecting(new HttpAgent()), https: connecting(new HttpsAgent()) }

function kept() {
  // `timeout` counts while a connection is idle; a request has a deadline of its own.
  return { keepAlive: true, maxFreeSockets: 2, timeout: idle_ms }
}

function keeping(given: HttpAgent): HttpAgent {
  const agent = connecting(given)
  const { getName, keepSocketAlive, reuseSocket } = agent
  /** The oldest first. */
  const idle = new Set<Duplex>()

  agent.getName = options => {
    const { judged = [] } = (options ?? {}) as Partial<JudgedRequest>
    const places = judged.map(({ address, way }) => `${way?.id ?? ''} ${address}`)
    return `${getName.call(agent, options)} ${places.toSorted()}`
  }
  agent.keepSocketAlive = socket => {
    for (const oldest of idle.size < max_idle_connections ? [] : idle.keys().take(1)) {
      idle.delete(oldest)
      oldest.destroy()
    }
    idle.add(socket)
    return keepSocketAlive.call(agent, socket)
  }
  agent.reuseSocket = (socket, request) => {
    idle.delete(socket)
    reuseSocket.call(agent, socket, request)
  }
  return agent
}

/** Connects to addresses that have a way of their own in that way, with TLS inside where the agent is for https. */
function connecting(agent: HttpAgent): HttpAgent {
  const { createConnection } = agent
  agent.createConnection = (options, done) => {
    const { judged = [], stop } = options as Partial<JudgedRequest>
    if (!judged.some(({ way }) => way)) return createConnection.call(agent, options, done)
    firstThatConnects(judged, Number(options.port), stop)
      .then(socket => (agent instanceof HttpsAgent ? createConnection.call(agent, { ...options, socket }) : socket))
      .then(
        socket => done?.(null, socket as Duplex),
        (fault: Error) => done?.(fault, undefined as never),
      )
    return undefined
  }
  return agent
}
