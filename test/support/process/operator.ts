/** What an operator reads while a part of the service is dead: the probe, the page of the administrator as JSON, and the metrics. */
import { beforeAll } from 'vitest'
import type { Health } from '../../../src/schema/service/health.ts'
import { scrape } from '../app/metrics.ts'
import { client, register } from './journey.ts'

export type Told = {
  /** The status of `/readyz`. */
  ready: number
  /** The status of `/api/health`. */
  status: number
  warnings: string[]
  workers: number | undefined
  /** Feeds that could not be read. */
  failing: number | undefined
  metrics: Record<string, number>
}

/** Call it before others register: the first account is an administrator. */
export async function operatorOf(url: string) {
  const ask = client(url)
  await register(ask, 'operator')
  return async (): Promise<Told> => {
    const [ready, health, metrics] = await Promise.all([ask('/readyz'), ask('/api/health'), scrape(url)])
    const said = health.status === 200 ? ((await health.json()) as Health) : undefined
    return {
      ready: ready.status,
      status: health.status,
      warnings: said?.warnings ?? [],
      workers: said?.workers,
      failing: said?.feeds.failing,
      metrics,
    }
  }
}

/** For the tests of one file. Call it right after `useService`: the first account of a service is an administrator's. */
export function useOperator(service: { web: { url: string } }): () => Promise<Told> {
  let told: () => Promise<Told>
  beforeAll(async () => {
    told = await operatorOf(service.web.url)
  })
  return () => told()
}
