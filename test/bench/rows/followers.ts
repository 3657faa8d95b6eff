/**
 * One feed that 200 people follow, next to one that one person follows. Ten feeds of each kind, so that the start of a pass weighs little.
 */
import { openFeedSite } from '../bounds/feeds.ts'
import { type Bench, compare, type Line, onSides } from '../run/bench.ts'
import type { Figure } from '../run/figures.ts'
import { addPeople } from '../run/seed.ts'
import { followFeeds, refreshAll } from './feeds.ts'

const feeds_of_a_kind = 10

export async function followers(bench: Bench): Promise<Line[]> {
  const count = bench.quick ? 10 : 200
  const site = await openFeedSite()
  const urls = (from: number) => Array.from({ length: feeds_of_a_kind }, (_, n) => site.feed(from + n))
  const kinds = { one: urls(0), many: urls(100) }
  const sides = await onSides(bench, async side => {
    const ids = (await addPeople(side.database.sql, count)).map(({ user_id }) => user_id)
    await followFeeds(side, ids.slice(0, 1), kinds.one)
    await followFeeds(side, ids, kinds.many)
    return { ...side, worker: await side.start('worker') }
  })
  let edition = 0
  const ofKind = (urls: string[]) =>
    compare(bench, sides, async (side): Promise<Figure> => {
      await site.answer({ mode: 'new', edition: ++edition })
      const { value, ...cpu } = await refreshAll(side, side.worker, urls)
      return { value: 1000 / value, ...cpu }
    })
  const one = await ofKind(kinds.one)
  const many = await ofKind(kinds.many)
  return [
    {
      what: 'one feed with 200 followers, 15 new entries',
      unit: 'ms',
      less: true,
      ...many,
      bounds: one.figures.now ? { 'one follower': one.figures.now } : {},
    },
  ]
}
