/** The state of the service for Prometheus: who may read it, what it says, and that it names no one and nothing of a library. */
import { describe, expect, it } from 'vitest'
import { beatWorker } from '../../../src/db/service/everyone/operations.ts'
import { useApp } from '../../support/app/app.ts'
import { fullLibrary } from '../../support/app/full-library.ts'
import { metrics_token, samplesIn } from '../../support/app/metrics.ts'
import { administrator, follows, person } from '../../support/app/people.ts'
import { tokensThrough } from '../../support/app/tokens.ts'

const limits = {
  of_person: {},
  signed_out: { most: 20, per_s: 60 },
  at_address: { most: 1e9, per_s: 60 },
}
const app = useApp({ METRICS_TOKEN: metrics_token, limits })
const { ask, sql } = app
const off = useApp()
const { tokenOf } = tokensThrough(app)
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const scraped = async (accept = 'application/openmetrics-text') => {
  const answer = await ask('/metrics', { headers: { ...bearer(metrics_token), accept } })
  expect(answer.status).toBe(200)
  return answer
}

describe('who may read the metrics', () => {
  it.each(['GET', 'HEAD'])('the token opens them, and nothing else does: %s', async method => {
    const admin = await administrator(sql, 'admin')
    const token = await tokenOf(admin, 'admin')
    const known = await ask('/metrics', { method, headers: bearer(metrics_token) })
    expect([known.status, known.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    expect(known.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    for (const [headers, challenge] of [
      [{}, 'Bearer'],
      [{ authorization: `Basic ${btoa(`x:${metrics_token}`)}` }, 'Bearer'],
      [bearer(''), 'Bearer error="invalid_token"'],
      [bearer(`${metrics_token}x`), 'Bearer error="invalid_token"'],
      [bearer(metrics_token.toUpperCase()), 'Bearer error="invalid_token"'],
      [bearer(token), 'Bearer error="invalid_token"'],
    ] as const) {
      const refused = await ask('/metrics', { as: admin, method, headers })
      expect([headers, refused.status, refused.headers.get('www-authenticate')]).toEqual([headers, 401, challenge])
      expect(await refused.text()).not.toContain('backlot_')
    }
  })

  it('wrong tokens are limited for their address, and the right one is not', async () => {
    const from = '192.0.2.77'
    for (let n = 0; n < 20; n++) await ask('/metrics', { from, headers: bearer('wrong') })
    const refused = await ask('/metrics', { from, headers: bearer('wrong') })
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
    for (let n = 0; n < 30; n++)
      expect((await ask('/metrics', { from, headers: bearer(metrics_token) })).status).toBe(200)
  })

  it('without METRICS_TOKEN they are an unknown address, signed in or not', async () => {
    const alice = await person(off.sql, 'alice')
    for (const as of [undefined, alice])
      for (const headers of [{}, bearer(metrics_token)]) {
        const [answer, other] = await Promise.all(
          ['/metrics', '/unknown'].map(path => off.ask(path, { headers, ...(as && { as }) })),
        )
        expect(answer?.status).toBe(other?.status)
        expect(await answer?.text()).toBe((await other?.text())?.replaceAll('unknown', 'metrics'))
      }
  })
})

describe('what the metrics say', () => {
  it('they count feeds, downloads, workers, people and files, and name nothing of a full library', async () => {
    const carol = await fullLibrary(sql, app.folder)
    await carol.library.secrets.make({ kind: 'token', opens: { scope: 'read' }, name: 'phone', lasts_s: null })
    await sql`update channels set next_fetch_at = now() - interval '5 minutes' where channel_id in ('kitchen', 'trains')`
    await sql`update channels set failing_since = now(), fetch_failures = 1 where channel_id = 'desert'`
    await sql`insert into host_pauses (host, until, reason) values ('feeds:videos.example', now() + interval '1 hour', 'x')`
    await beatWorker(sql, 'pool-a', {
      ytdlp_version: '2026.11.01',
      ytdlp_source: 'own',
      ffmpeg_version: '7',
      javascript: null,
      missing: null,
      slots: 2,
    })
    await beatWorker(sql, 'pool-b', {
      ytdlp_version: 'carol’s own',
      ffmpeg_version: '7',
      javascript: null,
      missing: 'x',
      storage: 'y',
      slots: 2,
    })
    // Earlier figures are shared for some seconds.
    for (let n = 0; n < 60; n++) await app.elsewhere(async () => {})
    const text = await (await scraped()).text()

    const samples = samplesIn(text)
    const [counted] = await sql<{ people: number; files: number; bytes: number }[]>`
      select (select count(*) from users) as people, count(distinct video_id) as files, sum(file_size)::bigint as bytes
      from   video_entries where standing = 'done'`
    expect(samples).toMatchObject({
      backlot_database_up: 1,
      backlot_storage_up: 1,
      backlot_disk_free_bytes: expect.any(Number),
      backlot_feeds_due: 2,
      backlot_feeds_failing: 1,
      'backlot_downloads{state="running"}': 1,
      'backlot_downloads{state="waiting"}': 7,
      'backlot_downloads{state="failed"}': 2,
      'backlot_downloads{state="done"}': counted?.files,
      backlot_files_bytes: counted?.bytes,
      'backlot_jobs{task="download",state="waiting"}': expect.any(Number),
      'backlot_hosts_paused{work="feeds"}': 1,
      'backlot_hosts_paused{work="downloads"}': expect.any(Number),
      backlot_workers: 2,
      backlot_worker_slots: 4,
      'backlot_workers_in_trouble{lack="tools"}': 1,
      'backlot_workers_in_trouble{lack="storage"}': 1,
      'backlot_ytdlp_info{version="2026.11.01",source="own"}': 1,
      'backlot_ytdlp_info{version="unknown",source="unknown"}': 1,
      backlot_people: counted?.people,
    })
    expect(samples.backlot_feeds_late_seconds).toBeGreaterThanOrEqual(300)
    const failed = Object.entries(samples).filter(([name]) => name.startsWith('backlot_downloads_failed_last_hour'))
    expect(failed.reduce((sum, [, value]) => sum + value, 0)).toBe(3)
    for (const said of await textsOf()) expect(text).not.toContain(said)
  })

  it('requests are counted by kind of route, method and class of status', async () => {
    const alice = await person(sql, 'alice')
    await follows(alice, 'kitchen', ['v1'])
    await ask('/search?q=bread', { as: alice })
    await ask('/channels/nowhere', { as: alice })
    await ask('/healthz')
    await ask('/login', { method: 'BREW', as: alice })
    const samples = samplesIn(await (await scraped()).text())
    const count = (kind: string, method: string, status: string) =>
      samples[`backlot_http_request_duration_seconds_count{kind="${kind}",method="${method}",status="${status}"}`]
    expect([count('searches', 'GET', '2xx'), count('requests', 'GET', '4xx'), count('none', 'GET', '2xx')]).toEqual(
      [1, 2, 3].map(() => expect.any(Number)),
    )
    expect(Object.keys(samples).filter(name => name.includes('BREW') || name.includes('nowhere'))).toEqual([])
    const last = 'backlot_http_request_duration_seconds_bucket{kind="searches",method="GET",status="2xx",le="+Inf"}'
    expect(samples[last]).toBe(count('searches', 'GET', '2xx'))
  })

  it('a program that does not ask for OpenMetrics gets the older format, with the same series', async () => {
    const [open, plain] = [
      await scraped('application/openmetrics-text;version=1.0.0,text/plain;q=0.5'),
      await scraped('*/*'),
    ]
    expect(plain.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const [first, second] = [await open.text(), await plain.text()]
    expect([first.endsWith('\n# EOF\n'), second.includes('# EOF')]).toEqual([true, false])
    const namesOf = (text: string) => Object.keys(samplesIn(text)).filter(name => !name.includes('http_request'))
    expect(namesOf(second)).toEqual(namesOf(first))
    expect([first, second].map(text => /# TYPE process_cpu_seconds\w* counter/.exec(text)?.[0])).toEqual([
      '# TYPE process_cpu_seconds counter',
      '# TYPE process_cpu_seconds_total counter',
    ])
  })
})

/** Everything that names a person, a channel, a video, a host, a group or a worker of theirs. */
async function textsOf(): Promise<string[]> {
  const rows = await sql<{ said: string | null }[]>`
    select username as said from users
    union select unnest(array[channel_id, title, rss_url, page_url]) from channels
    union select unnest(array[video_id, title, video_url, thumbnail_url, video_host, download_path, download_error]) from video_entries
    union select host from host_pauses
    union select name from groups
    union select name from secrets
    union select id from workers
    union select 'carol’s own'`
  const said = rows.flatMap(({ said }) => said ?? [])
  expect(said.length).toBeGreaterThan(500)
  return said
}
