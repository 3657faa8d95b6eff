/**
 * Connects a request to the allowed addresses of a host that was judged, in the way of the operator's proxy where an address has one. Each
 * request has a connection of its own, so that none leads where its host no longer does.
 */
import { Agent as HttpAgent, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Duplex } from 'node:stream'
import type { Address } from './addresses.ts'
import { firstThatConnects } from './connect.ts'

/** A request to a host that was judged: `judged` are its allowed addresses. `stop`: ends an attempt to connect. */
export type JudgedRequest = RequestOptions & { judged: Address[]; stop: AbortSignal }

export const connections = { http: connecting(new HttpAgent()), https: connecting(new HttpsAgent()) }

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
