/**
 * Keeps the connection of a request open for a few seconds, for the next request to the same host. A request still has its host
 * judged first, and gets a kept connection only if the host has the same allowed addresses as when that connection was made.
 */
import { Agent as HttpAgent, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Duplex } from 'node:stream'
import type { Address } from './addresses.ts'

/** Milliseconds; many servers close an idle connection after five seconds. */
export const idle_ms = 4000
/** The most idle connections of one protocol, over all hosts. */
export const max_idle_connections = 50

/** A request to a host that was judged: `judged` are its allowed addresses. */
export type JudgedRequest = RequestOptions & { judged: Address[] }

export const keptConnections = { http: keeping(new HttpAgent(kept())), https: keeping(new HttpsAgent(kept())) }

function kept() {
  // `timeout` counts while a connection is idle; a request has a deadline of its own.
  return { keepAlive: true, maxFreeSockets: 2, timeout: idle_ms }
}

function keeping(agent: HttpAgent): HttpAgent {
  const { getName, keepSocketAlive, reuseSocket } = agent
  /** The oldest first. */
  const idle = new Set<Duplex>()

  agent.getName = options => {
    const { judged = [] } = (options ?? {}) as Partial<JudgedRequest>
    return `${getName.call(agent, options)} ${judged.map(({ address }) => address).toSorted()}`
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
