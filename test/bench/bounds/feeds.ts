/** Starts the site with feeds; and the bound of a refresh: fetch and parse in a loop, without a queue and a database. */
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { XMLParser } from 'fast-xml-parser'
import type { Figure } from '../run/figures.ts'
import { forked } from '../run/fork.ts'
import type { FeedMode } from './feed-site.ts'

export type FeedSite = {
  /** The address of the `n`th feed, on a host of its own. */
  feed(n: number): string
  answer(mode: FeedMode): Promise<void>
}

export async function openFeedSite(): Promise<FeedSite> {
  const { child, message: port } = await forked<number>(new URL('feed-site.ts', import.meta.url))
  return {
    feed: n => `http://127.10.${n >> 8}.${n & 255}:${port}/feed.xml`,
    async answer(mode) {
      child.send(mode)
      await once(child, 'message')
    },
  }
}

/** Feeds a second, sixteen at a time over kept-alive connections. */
export async function fetchInALoop(site: FeedSite, count: number): Promise<Figure> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const parser = new XMLParser({ ignoreAttributes: false })
  const began = { at: performance.now(), cpu: process.cpuUsage() }
  let next = 0
  const work = async () => {
    while (next < count) {
      const text = await textOf(site.feed(next++), agent)
      if (text !== '') parser.parse(text)
    }
  }
  await Promise.all(Array.from({ length: 16 }, work))
  const { user, system } = process.cpuUsage(began.cpu)
  agent.destroy()
  return {
    value: count / ((performance.now() - began.at) / 1000),
    app_ms: (user + system) / 1000 / count,
    database_ms: 0,
  }
}

async function textOf(url: string, agent: Agent): Promise<string> {
  const [answer] = await once(get(url, { agent, headers: { 'if-none-match': '"a"' } }), 'response')
  return Buffer.concat(await answer.toArray()).toString()
}
