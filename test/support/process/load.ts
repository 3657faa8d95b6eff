/** In this process: people who use a service, with a short pause between requests, and what they noticed. */
import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'

export type Request = {
  path: string
  init?: RequestInit
  /** The length of the body that has to arrive; without it, any. */
  bytes?: number
}
type Ask = (path: string, init?: RequestInit) => Promise<Response>

/** Each of `people` sends these requests in turn, until `stop` is called. */
export function startLoad(people: { ask: Ask; requests: Request[] }[]) {
  const stopping = new AbortController()
  const faults: string[] = []
  const took_ms: number[] = []

  const send = async (ask: Ask, { path, init, bytes }: Request) => {
    const began = performance.now()
    try {
      const answer = await ask(path, init)
      const body = await answer.arrayBuffer()
      if (answer.status >= 400) faults.push(`${path}: ${answer.status} ${Buffer.from(body).toString().slice(0, 100)}`)
      if (bytes !== undefined && body.byteLength !== bytes) faults.push(`${path}: ${body.byteLength} of ${bytes} bytes`)
    } catch (fault) {
      faults.push(`${path}: ${fault} ${(fault as Error).cause ?? ''}`)
    }
    took_ms.push(performance.now() - began)
  }
  const using = people.map(async ({ ask, requests }) => {
    for (let nth = 0; !stopping.signal.aborted; nth++) {
      const request = requests[nth % requests.length]
      if (request) await send(ask, request)
      // A person reads before the next request.
      await setTimeout(50)
    }
  })
  return {
    /** Resolves when each open request has its answer. Throws if there was no time for each of these requests. */
    async stop() {
      stopping.abort()
      await Promise.all(using)
      expect(took_ms.length).toBeGreaterThanOrEqual(people.flatMap(({ requests }) => requests).length)
      return { faults, requests: took_ms.length, slowest_ms: Math.round(Math.max(...took_ms)) }
    },
  }
}
