/** A list of 500 channels on 500 hosts, imported by a worker. */
import { setTimeout } from 'node:timers/promises'
import { openFeedSite } from '../bounds/feeds.ts'
import { type Bench, compare, type Line, onSides } from '../run/bench.ts'
import { addPeople, cleaned } from '../run/seed.ts'

const longest_import_ms = 120_000

export async function importOfAList(bench: Bench): Promise<Line[]> {
  const count = bench.quick ? 20 : 500
  const site = await openFeedSite()
  const list = Array.from({ length: count }, (_, n) => site.feed(n)).join('\n')
  const sides = await onSides(bench, async side => ({
    ...side,
    web: await side.start('web'),
    worker: await side.start('worker'),
  }))
  const figures = await compare({ ...bench, rounds: bench.quick ? 1 : 3 }, sides, async side => {
    const { sql } = side.database
    // A new person, who follows none of them.
    const [person] = await addPeople(sql, 1)
    const headers = { ...person?.headers, 'content-type': 'application/json' }
    await cleaned(sql)
    return side.measured(side.worker, count, async () => {
      const began = performance.now()
      const answer = await fetch(`${side.web.url}/api/import`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ text: list }),
      })
      if (answer.status !== 202) throw new Error(`the list was not accepted: ${await answer.text()}`)
      while (
        (await sql`select from imports where user_id = ${person?.user_id ?? ''} and finished_at is not null`).length ===
        0
      ) {
        if (performance.now() - began > longest_import_ms) throw new Error('the import took too long')
        await setTimeout(20)
      }
      const [added] = await sql`
        select count(*)::int as count from import_lines where user_id = ${person?.user_id ?? ''} and outcome = 'added'`
      if (added?.count !== count) throw new Error(`${added?.count} of ${count} lines were added`)
      return { value: count / ((performance.now() - began) / 1000) }
    })
  })
  return [{ what: 'list of 500 imported', unit: '/s', reach: '≥ 250/s', ...figures }]
}
