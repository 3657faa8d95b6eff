/** A person follows a channel of 5,000 entries, and waits for the answer. */
import { openFeedSite } from '../bounds/feeds.ts'
import { type Bench, compare, type Line, onSides } from '../run/bench.ts'
import { addPeople } from '../run/seed.ts'

export async function firstLook(bench: Bench): Promise<Line[]> {
  const count = bench.quick ? 200 : 5000
  const site = await openFeedSite()
  const sides = await onSides(bench, async side => ({ ...side, web: await side.start('web') }))
  const figures = await compare({ ...bench, rounds: bench.quick ? 1 : 3 }, sides, async side => {
    const [person] = await addPeople(side.database.sql, 1)
    return side.measured(side.web, 1, async () => {
      const began = performance.now()
      const answer = await fetch(`${side.web.url}/api/channels`, {
        method: 'POST',
        headers: { ...person?.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ url: `${site.feed(0)}?entries=${count}` }),
      })
      const value = (performance.now() - began) / 1000
      const followed = (await answer.json()) as { entry_count?: number }
      if (followed.entry_count !== count) throw new Error(`the channel was not followed: ${JSON.stringify(followed)}`)
      return { value }
    })
  })
  return [{ what: 'first look at a channel of 5,000 entries', unit: 's', less: true, reach: '≤ 3 s', ...figures }]
}
