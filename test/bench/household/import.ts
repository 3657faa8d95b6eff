/** A list of 200 channels on 200 hosts, imported until the videos of all are saved. */
import { setTimeout } from 'node:timers/promises'
import { openFeedSite } from '../bounds/feeds.ts'
import { openMiniflux } from '../bounds/miniflux.ts'
import { type Bench, compare, fewRounds, type Line, onSides } from '../run/bench.ts'
import type { Figure } from '../run/figures.ts'
import { addPeople, cleaned } from '../run/seed.ts'
import { together } from '../run/usage.ts'

const longest_import_ms = 120_000
const entries_each = 15

export async function importOfAList(bench: Bench): Promise<Line[]> {
  const count = bench.quick ? 20 : 200
  const site = await openFeedSite()
  const urls = Array.from({ length: count }, (_, n) => site.feed(n))
  const sides = await onSides(bench, async side => {
    const [web, worker] = [await side.start('web'), await side.start('worker')]
    return { ...side, web, both: together(web, worker) }
  })
  const miniflux = await openMiniflux(bench)
  const figures = await compare(
    fewRounds(bench),
    sides,
    async side => {
      const { sql } = side.database
      // A new person, who follows none of them.
      const [person] = await addPeople(sql, 1)
      const user_id = person?.user_id ?? ''
      const headers = { ...person?.headers, 'content-type': 'application/json' }
      await cleaned(sql)
      return side.measured(side.both, 1, async () => {
        const began = performance.now()
        const body = JSON.stringify({ text: urls.join('\n') })
        const answer = await fetch(`${side.web.url}/api/import`, { method: 'POST', headers, body })
        if (answer.status !== 202) throw new Error(`the list was not accepted: ${await answer.text()}`)
        return until(
          began,
          async () =>
            (await sql`select from imports where user_id = ${user_id} and finished_at is not null`).length === 1 &&
            (await sql`select from video_entries where user_id = ${user_id}`).length === count * entries_each,
        )
      })
    },
    {
      Miniflux:
        miniflux &&
        (async () => {
          await miniflux.sql`delete from feeds`
          return miniflux.measured(miniflux, 1, async () => {
            const began = performance.now()
            const outlines = urls.map(url => `<outline type="rss" text="${url}" xmlUrl="${url}"/>`).join('')
            await miniflux.api('POST', '/v1/import', `<opml version="2.0"><body>${outlines}</body></opml>`)
            await miniflux.api('PUT', '/v1/feeds/refresh')
            return until(began, async () => (await miniflux.sql`select from entries`).length === count * entries_each)
          })
        }),
    },
  )
  return [{ what: 'import of 200 channels', unit: 's', less: true, ...figures }]
}

async function until(began: number, isDone: () => Promise<boolean>): Promise<Figure> {
  while (!(await isDone())) {
    if (performance.now() - began > longest_import_ms) throw new Error('the import took too long')
    await setTimeout(20)
  }
  return { value: (performance.now() - began) / 1000 }
}
