/** A pass over 500 feeds on 500 hosts through the real job path: a worker, its queue, and a local site. */
import { setTimeout } from 'node:timers/promises'
import { openFeedSite } from '../bounds/feeds.ts'
import { minifluxOf } from '../bounds/miniflux.ts'
import { type Bench, compare, type Line, onSides } from '../run/bench.ts'
import type { Running } from '../run/checkout.ts'
import type { Figure } from '../run/figures.ts'
import { addPeople, cleaned } from '../run/seed.ts'
import type { Side } from '../run/side.ts'

const lines = [
  { what: '500 feeds on 500 hosts, 304 to all', mode: 'unchanged' },
  { what: '… same bodies', mode: 'same' },
  { what: '… 15 new entries each', mode: 'new' },
] as const

export async function feeds(bench: Bench): Promise<Line[]> {
  const count = bench.quick ? 30 : 500
  const site = await openFeedSite()
  const urls = Array.from({ length: count }, (_, n) => site.feed(n))
  const sides = await onSides(bench, async side => {
    const [person] = await addPeople(side.database.sql, 1)
    await followFeeds(side, [person?.user_id ?? ''], urls)
    return { ...side, worker: await side.start('worker') }
  })
  const miniflux = await minifluxOf(bench.databases, urls)
  type Filled = NonNullable<(typeof sides)['now']>
  let edition = 0
  const measured: Line[] = []
  for (const { what, mode } of lines) {
    await site.answer({ mode, edition })
    // The first pass tells the service the new validators and bodies.
    for (const side of Object.values(sides)) await refreshAll(side, side.worker, urls)
    await miniflux?.()
    const publish = async () => {
      if (mode === 'new') await site.answer({ mode, edition: ++edition })
    }
    const pass = async (side: Filled) => {
      await publish()
      return refreshAll(side, side.worker, urls)
    }
    const figures = await compare(bench, sides, pass, {
      Miniflux: miniflux && (() => publish().then(miniflux)),
    })
    measured.push({ what, unit: '/s', ...figures })
  }
  return measured
}

/** Every person follows every feed. */
export async function followFeeds({ database: { sql } }: Side, user_ids: string[], urls: string[]): Promise<void> {
  await sql`
    insert into channels (user_id, channel_id, title, rss_url, next_fetch_at)
    select user_id, 'c' || md5(url), 'Channel of ' || url, url, now() + interval '1 day'
    from   unnest(${user_ids}::uuid[]) as user_id, unnest(${urls}::text[]) as url`
  await cleaned(sql)
}

/** Makes these feeds due, starts the housekeeping that runs every minute, and waits until the last one is saved. Feeds a second. */
export async function refreshAll(side: Side, worker: Running, urls: string[]): Promise<Figure> {
  const { sql } = side.database
  await sql`update channels set next_fetch_at = now() - interval '1 minute' where rss_url = any(${urls}::text[])`
  await cleaned(sql)
  const figure = await side.measured(worker, urls.length, async () => {
    const began = performance.now()
    await sql`select graphile_worker.add_job('housekeeping', '{}'::json)`
    for (;;) {
      const [left] = await sql`select exists (select from channels where next_fetch_at <= now()) as is_due`
      if (!left?.is_due) break
      if (performance.now() - began > longest_pass_ms) throw new Error('a pass over the feeds took too long')
      await setTimeout(20)
    }
    return { value: urls.length / ((performance.now() - began) / 1000) }
  })
  const [failed] = await sql`select fetch_error from channels where fetch_failures > 0 limit 1`
  if (failed) throw new Error(`a feed failed: ${failed.fetch_error}`)
  return figure
}

const longest_pass_ms = 60_000
