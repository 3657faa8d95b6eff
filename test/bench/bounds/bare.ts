/** Starts the bare server, and loads it. */
import type { Figure } from '../run/figures.ts'
import { forked } from '../run/fork.ts'
import { sendLoad } from '../run/load.ts'

export async function startBare(database_url: string) {
  const { message: port } = await forked<number>(new URL('bare-server.ts', import.meta.url), [database_url])
  const url = `http://127.0.0.1:${port}`
  const load = (amount: number, paths: string[]) =>
    sendLoad({ url, connections: 32, amount, requests: paths.map(path => ({ path })) })
  return {
    /** One prepared query in each request. */
    async oneRow(amount: number): Promise<Figure> {
      const { per_s, p99_ms } = await load(
        amount,
        Array.from({ length: 1000 }, (_, n) => `/${n + 1}`),
      )
      return { value: per_s, p99_ms }
    },
    /** Requests a second without any work: how fast the load can be. */
    ceiling: async (amount: number) => (await load(amount, ['/'])).per_s,
  }
}
