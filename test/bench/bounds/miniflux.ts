/** Miniflux on the same feeds, where the variable MINIFLUX names its binary: a pass of its command `-refresh-feeds`. */
import process from 'node:process'
import { execa } from 'execa'
import type { Databases } from '../run/database.ts'
import type { Figure } from '../run/figures.ts'
import { cpuOfEndedChildren } from '../run/usage.ts'

/** Measures one pass over these feeds, in feeds a second. */
export type Miniflux = () => Promise<Figure>

/** `undefined`: none is named. */
export async function openMiniflux(databases: Databases, urls: string[]): Promise<Miniflux | undefined> {
  const binary = process.env.MINIFLUX
  if (!binary) return undefined
  const { url, sql } = await databases.createEmpty()
  const env = {
    DATABASE_URL: `${url}?sslmode=disable`,
    FETCHER_ALLOW_PRIVATE_NETWORKS: '1',
    BATCH_SIZE: String(urls.length),
    POLLING_FREQUENCY: '1',
    LOG_LEVEL: 'error',
  }
  await execa(binary, ['-migrate'], { env })
  await sql`
    with owner as (insert into users (username, password) values ('bench', '') returning id),
    shelf as (insert into categories (user_id, title) select id, 'All' from owner returning id, user_id)
    insert into feeds (user_id, category_id, title, feed_url, site_url)
    select user_id, id, url, url, url
    from   shelf, unnest(${urls}::text[]) as url`
  return async () => {
    await sql`update feeds set next_check_at = now() - interval '1 minute'`
    const before = { at: performance.now(), app_s: await cpuOfEndedChildren(), database_s: await databases.cpu_s() }
    await execa(binary, ['-refresh-feeds'], { env, timeout: 120_000 })
    const seconds = (performance.now() - before.at) / 1000
    const [left] = await sql`
      select count(*) filter (where next_check_at <= now())::int as due, max(parsing_error_msg) as error from feeds`
    if (left && (left.due > 0 || left.error)) throw new Error(`Miniflux left out ${left.due} feeds: ${left.error}`)
    return {
      value: urls.length / seconds,
      app_ms: (((await cpuOfEndedChildren()) - before.app_s) * 1000) / urls.length,
      database_ms: (((await databases.cpu_s()) - before.database_s) * 1000) / urls.length,
    }
  }
}
