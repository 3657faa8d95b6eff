/** The status of downloads, as pages and programs poll it. */
import { type Bench, compare, type Line, onSides } from '../run/bench.ts'
import type { Get } from '../run/load-process.ts'
import { addPeople, fillLibraries, letRun } from '../run/seed.ts'

export async function status(bench: Bench): Promise<Line[]> {
  const { amount, people_count } = bench.quick ? { amount: 200, people_count: 4 } : { amount: 4000, people_count: 80 }
  const sides = await onSides(bench, async side => {
    const people = await addPeople(side.database.sql, people_count)
    await fillLibraries(side.database.sql, people, { channels: 1, entries_each: 50 })
    await letRun(side.database.sql, people, 'c1')
    const web = await side.start('web')
    const requests = (path: string): Get[] => people.map(({ headers }) => ({ path, headers }))
    return { ...side, web, requests }
  })
  const fifty = `/api/download/status?${Array.from({ length: 50 }, (_, n) => `video_id=c1v${n + 1}`).join('&')}`

  const one = await compare(bench, sides, side =>
    side.loaded(side.web, { amount, requests: side.requests('/api/download/status/c1v7') }),
  )
  const ofFifty = await compare(bench, sides, side =>
    side.loaded(side.web, { amount: amount / 4, requests: side.requests(fifty) }),
  )
  const unchanged = await compare(bench, sides, async side => {
    const requests = await Promise.all(
      side.requests(fifty).map(async request => {
        const answer = await fetch(side.web.url + request.path, { headers: request.headers ?? {} })
        return { ...request, headers: { ...request.headers, 'if-none-match': answer.headers.get('etag') ?? '' } }
      }),
    )
    return side.loaded(side.web, { amount: amount / 4, requests }, 304)
  })
  return [
    { what: 'status of one, 32 connections', unit: '/s', ...one },
    { what: 'status of fifty in one poll', unit: '/s', ...ofFifty },
    { what: 'unchanged poll of fifty', unit: '/s', ...unchanged },
  ]
}
