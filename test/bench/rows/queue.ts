/** 10,000 waiting downloads of 100 people on 20 hosts, of which two are paused: what a worker and what the people read of it. */
import { type Bench, compare, type Line, onSides } from '../run/bench.ts'
import { runInside } from '../run/inside.ts'
import { addPeople, cleaned, fillLibraries, type Person } from '../run/seed.ts'
import type { Side } from '../run/side.ts'

export async function queue(bench: Bench): Promise<Line[]> {
  const { people_count, each, amount } = bench.quick
    ? { people_count: 4, each: 50, amount: 5 }
    : { people_count: 100, each: 100, amount: 60 }
  const sides = await onSides(bench, async side => {
    const people = await addPeople(side.database.sql, people_count)
    await fillLibraries(side.database.sql, people, { channels: 1, entries_each: each })
    const web = await side.start('web')
    for (const person of people) await requestDownloads(web.url, person, each)
    await pauseTwoHosts(side)
    return { ...side, people, web }
  })
  const fifty = `/api/download/status?${Array.from({ length: 50 }, (_, n) => `video_id=c1v${n + 1}`).join('&')}`
  const requests = [
    { what: 'queue position of one', path: '/api/download/status/c1v20' },
    { what: 'page of waiting downloads', path: '/downloads?show=waiting' },
    { what: 'poll of fifty waiting', path: fifty },
  ]
  const lines: Line[] = []
  for (const { path, ...line } of requests) {
    const figures = await compare(bench, sides, side =>
      side.oneByOne(side.web, { amount, requests: side.people.map(({ headers }) => ({ path, headers })) }),
    )
    lines.push({ ...line, unit: 'ms', less: true, ...figures })
  }
  const claims = await compare(bench, sides, side => runInside(side, 'claim.ts', { amount }))
  return [{ what: 'claim in 10,000 waiting', unit: 'ms', less: true, ...claims }, ...lines]
}

/** Of the first videos of the first channel. */
export async function requestDownloads(url: string, { headers }: Person, count: number): Promise<void> {
  const video_ids = Array.from({ length: count }, (_, n) => `c1v${n + 1}`)
  const answer = await fetch(`${url}/api/download/batch`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ video_ids }),
  })
  if (answer.status !== 202) throw new Error(`the downloads were not accepted: ${await answer.text()}`)
}

/** As a worker reports it that skips the downloads of these hosts. The worker sends heartbeats for an hour. */
async function pauseTwoHosts({ database: { sql } }: Side): Promise<void> {
  await sql`
    insert into host_pauses (host, until, reason)
    select 'site' || n || '.example', now() + interval '1 hour', 'The site asked us to slow down.'
    from   generate_series(1, 2) as n`
  await sql`
    insert into workers (id, heartbeat_at, passed_over)
    values ('bench', now() + interval '1 hour', array['host:site1.example', 'host:site2.example'])`
  await cleaned(sql)
}
