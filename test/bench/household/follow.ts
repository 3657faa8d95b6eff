/** A person follows a channel, and waits until its videos are on its page: of 15 videos, and of 5,000. */
import { openFeedSite } from '../bounds/feeds.ts'
import { type Miniflux, openMiniflux } from '../bounds/miniflux.ts'
import { type Bench, compare, fewRounds, type Line, onSides } from '../run/bench.ts'
import type { Running } from '../run/checkout.ts'
import type { Figure } from '../run/figures.ts'
import { addPeople, type Person } from '../run/seed.ts'

export async function follow(bench: Bench): Promise<Line[]> {
  const site = await openFeedSite()
  const sides = await onSides(bench, async side => ({ ...side, web: await side.start('web') }))
  const miniflux = await openMiniflux(bench)
  let count = 0
  const address = (entries: number) => `${site.feed(count++)}?entries=${entries}`
  const ours = (entries: number) => async (side: (typeof sides)['now'] & object) => {
    const [person] = await addPeople(side.database.sql, 1)
    if (!person) throw new Error('no person')
    const url = address(entries)
    return side.measured(side.web, 1, () => timed(() => followed(side.web, person, url)))
  }
  const few = fewRounds(bench)
  const short = await compare(few, sides, ours(15), {
    Miniflux:
      miniflux &&
      (() => {
        const url = address(15)
        return miniflux.measured(miniflux, 1, () => timed(() => followedByMiniflux(miniflux, url)))
      }),
  })
  // Miniflux takes half a minute for it.
  const long = await compare(few, sides, ours(bench.quick ? 200 : 5000))
  return [
    { what: 'follow a channel, to its videos', unit: 's', less: true, ...short },
    { what: '… of 5,000 videos', unit: 's', less: true, reach: '≤ 3 s', ...long },
  ]
}

async function timed(work: () => Promise<string>): Promise<Figure> {
  const began = performance.now()
  const page = await work()
  const value = (performance.now() - began) / 1000
  if (!page.includes('Bread ')) throw new Error(`the videos are not on the page: ${page.slice(0, 2000)}`)
  return { value }
}

/** The page of the channel. */
async function followed({ url: ours }: Running, { headers }: Person, url: string): Promise<string> {
  const answer = await fetch(`${ours}/api/channels`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  })
  const { channel_id } = (await answer.json()) as { channel_id: string }
  return (await fetch(`${ours}/channels/${encodeURIComponent(channel_id)}`, { headers })).text()
}

async function followedByMiniflux({ api, url: theirs, headers }: Miniflux, url: string): Promise<string> {
  const answer = await api('POST', '/v1/feeds', JSON.stringify({ feed_url: url, category_id: 1 }))
  const { feed_id } = (await answer.json()) as { feed_id: number }
  return (await fetch(`${theirs}/feed/${feed_id}/entries`, { headers })).text()
}
