/** The state of the service, by page and API. */
import { mkdir, rename, rm } from 'node:fs/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { beatWorker } from '../../../src/db/service/everyone/operations.ts'
import type { Reason } from '../../../src/schema/downloads/run.ts'
import type { Health, WorkerReport } from '../../../src/schema/service/health.ts'
import { useApp } from '../../support/app/app.ts'
import { follows, type Person, person } from '../../support/app/people.ts'

const app = useApp()
const { ask, sql } = app

/** A yt-dlp released this many days ago. */
const released = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '.')
const report = (changes: Partial<WorkerReport> = {}): WorkerReport => ({
  ytdlp_version: released(3),
  ytdlp_source: 'own',
  renewal: null,
  ffmpeg_version: '7.1.1',
  javascript: 'node 24.21.0',
  missing: null,
  ...changes,
})
beforeEach(() => sql`delete from workers`)

async function healthOf(who: Person): Promise<{ health: Health; page: string }> {
  const [json, page] = await Promise.all([ask('/api/health', { as: who }), ask('/health', { as: who })])
  expect([json.status, page.status]).toEqual([200, 200])
  return { health: (await json.json()) as Health, page: await page.text() }
}

async function failed(who: Person, video_id: string, reason: Reason, slow_down = false) {
  const claim = crypto.randomUUID()
  await who.library.downloads.request([video_id])
  await who.library.downloads.start(video_id, claim)
  const download_error = `${who.user.username} sees why.`
  await who.library.downloads.fail(video_id, claim, { download_error, next_attempt_at: null, reason, slow_down })
}

it('a warning says that many files disappeared from MEDIA_DIR, for a day', async () => {
  const alice = await person(sql, 'alice')
  await beatWorker(sql, 'pool-a', report())
  await sql`insert into media_service (seen_at, guarded_at, guarded_links) values (now(), now() - interval '23 hours', 40)`
  const { health, page } = await healthOf(alice)
  expect(health.warnings).toEqual([
    expect.stringContaining('40 files of one person disappeared from MEDIA_DIR at once.'),
  ])
  expect(page).toContain('No video was deleted')
  await sql`update media_service set guarded_at = now() - interval '25 hours'`
  expect((await healthOf(alice)).health.warnings).toEqual([])
  await sql`delete from media_service`
})

it('one sentence says that the disk of the downloads is away, by this process or by a worker', async () => {
  const alice = await person(sql, 'alice')
  await beatWorker(sql, 'pool-a', report({ storage: 'The disk of a worker is away.' }))
  expect((await healthOf(alice)).health.warnings).toEqual(['The disk of a worker is away.'])
  await beatWorker(sql, 'pool-a', report({ storage: null }))
  await app.files.requireWritable()
  const { folder } = app
  await rename(folder, `${folder}-unmounted`)
  await mkdir(folder)
  const { health, page } = await healthOf(alice)
  await rm(folder, { recursive: true })
  await rename(`${folder}-unmounted`, folder)
  expect(health).toMatchObject({ status: 'warning', disk: null })
  expect(health.warnings).toEqual([
    expect.stringMatching(/^The disk of DOWNLOADS_DIR is away.* Mount the disk again\./),
  ])
  expect(page).toContain('Mount the disk again.')
  expect((await healthOf(alice)).health.status).toBe('ok')
})

describe('health', () => {
  it('the health page shows tools, queue, workers and disk', async () => {
    const alice = await person(sql, 'alice')
    await follows(alice, 'kitchen', ['v1', 'v2'])
    await alice.library.downloads.request(['v1', 'v2'])
    await beatWorker(sql, 'pool-a', report())
    await beatWorker(sql, 'pool-b')

    const { health, page } = await healthOf(alice)

    expect(health).toMatchObject({
      status: 'ok',
      warnings: [],
      workers: 1,
      ytdlp: { version: released(3), age_days: 3, outdated: false, source: 'own' },
      ffmpeg: { version: '7.1.1' },
      javascript: 'node 24.21.0',
      queue: { waiting: 2, running: 0, failed: 0, failing_sites: 0, oldest_waiting_seconds: expect.any(Number) },
      pushed_feeds: 0,
      disk: { free_bytes: expect.any(Number) },
      sites: [],
    })
    for (const words of ['All systems working.', '3 days old', '7.1.1', '2 queued']) expect(page).toContain(words)
  })

  it('the health page shows of how many feeds a hub announces new videos', async () => {
    const alice = await person(sql, 'alice')
    expect((await healthOf(alice)).page).not.toContain('Push')
    for (const [nth, state] of ['active', 'active', 'failed'].entries())
      await sql`
        insert into push_subscriptions (push_id, rss_url, hub, topic, secret, state, lease_until)
        values (${`p${nth}`}, ${`https://h.example/${nth}`}, 'h', 't', 's', ${state}, now() + interval '1 hour')`
    const { health, page } = await healthOf(alice)
    expect(health.pushed_feeds).toBe(2)
    expect(page).toMatch(/<dt>Push<\/dt>\s*<dd>2 feeds<\/dd>/)
  })

  it('the health page shows how many pictures wait and how many are not available', async () => {
    const alice = await person(sql, 'alice')
    await sql`truncate pictures`
    expect((await healthOf(alice)).page).not.toContain('Pictures')
    const planned = ['a', 'b', 'c'].map(url => ({
      kind: 'video',
      source_hash: crypto.randomUUID(),
      url,
      host: 'i.example',
    }))
    await sql`insert into pictures ${sql(planned)}`
    await sql`update pictures set fetch_at = null, failures = 1 where url = 'a'`
    const { health, page } = await healthOf(alice)
    expect(health.pictures).toEqual({ waiting: 2, given_up: 1 })
    expect(page).toMatch(/<dt>Pictures<\/dt>\s*<dd>2 waiting · 1 not available<\/dd>/)
  })

  it('the health page shows how yt-dlp is updated, and which update was undone', async () => {
    const alice = await person(sql, 'alice')
    const at = new Date(Date.now() - 2 * 3_600_000).toISOString()
    const renewal = {
      channel: 'nightly',
      previous: '2026.10.01',
      switched_at: at,
      checked_at: at,
      outcome: 'failed',
      problem: 'the official release: the checksums are not signed',
      rolled_back: { from: '2026.11.01', to: '2026.10.02', at, why: '7 downloads failed' },
    } as const
    await beatWorker(sql, 'pool-a', report({ renewal }))

    const { health, page } = await healthOf(alice)

    expect(health.renewal).toEqual(renewal)
    for (const words of [
      'in the data folder, updated daily',
      '2 hours ago: the check failed (nightly releases)',
      '2026.10.01, kept',
      'the checksums are not signed',
      '2026.11.01 to 2026.10.02, 2 hours ago: 7 downloads failed',
    ])
      expect(page).toContain(words)
  })

  it('the report of a worker of an earlier release is understood', async () => {
    const alice = await person(sql, 'alice')
    const { ytdlp_source, renewal, ...earlier } = report()
    await beatWorker(sql, 'pool-a', earlier as WorkerReport)

    const { health } = await healthOf(alice)

    expect(health).toMatchObject({ workers: 1, ytdlp: { version: released(3), source: null }, renewal: null })
  })

  it.each([
    ['a yt-dlp that is months old', { ytdlp_version: released(91) }, /days old/],
    ['a yt-dlp with holes', { ytdlp_version: '2026.07.03' }, /known security holes/],
    ['a missing ffmpeg', { missing: 'ffmpeg is not installed.', ytdlp_version: null }, /^ffmpeg is not installed/],
  ])('health warns of %s', async (_, found, words) => {
    const alice = await person(sql, 'alice')
    await beatWorker(sql, 'pool-good', report())
    await beatWorker(sql, 'pool-bad', report(found))

    const { health, page } = await healthOf(alice)

    expect(health.status).toBe('warning')
    expect(health.warnings).toEqual([expect.stringMatching(words)])
    expect(page).toContain(health.warnings[0])
  })

  it('health warns that nothing is downloaded when no worker is running', async () => {
    const alice = await person(sql, 'alice')
    await beatWorker(sql, 'pool-dead', report())
    await sql`update workers set heartbeat_at = now() - interval '10 minutes'`

    const { health } = await healthOf(alice)

    expect(health).toMatchObject({ workers: 0, ytdlp: null, status: 'warning' })
    expect(health.warnings[0]).toContain('No worker is running')
  })

  it('health shows each user the sites of their own downloads only', async () => {
    const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
    await follows(alice, 'kitchen', ['v1', 'v2'])
    await follows(bob, 'kitchen', ['v1'])
    await failed(alice, 'v1', 'members')
    await failed(alice, 'v2', 'rate_limited', true)

    const hers = await healthOf(alice)
    const his = await healthOf(bob)

    expect(hers.health.sites).toEqual([
      {
        host: 'videos.example',
        failed: 2,
        reasons: ['members', 'rate_limited'],
        latest_error: `${alice.user.username} sees why.`,
        rests_until: expect.any(String),
      },
    ])
    expect(hers.page).toContain('videos.example</bdi>: 2 (members only, rate limited)')
    expect(his.health.sites).toEqual([])
    expect(his.page).not.toContain('videos.example')
  })

  it('a fact about videos is not told as one about their site', async () => {
    const alice = await person(sql, 'alice')
    await follows(alice, 'kitchen', ['v1', 'v2'])
    await beatWorker(sql, 'pool-a', report())
    await failed(alice, 'v1', 'members')
    await failed(alice, 'v2', 'geography')
    const of_videos = (await healthOf(alice)).page
    expect(of_videos).not.toMatch(/limiting|All systems/)
    expect(of_videos).toContain('videos.example</bdi>: 2 (not available here, members only)')
    await failed(alice, 'v1', 'bot_check')
    expect((await healthOf(alice)).page).toContain('videos.example is limiting downloads.')
  })

  it('a person who has nothing sees nothing of the downloads of others', async () => {
    const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
    await follows(alice, 'kitchen', ['v1', 'v2'])
    await alice.library.downloads.request(['v2'])
    await failed(alice, 'v1', 'members')
    await beatWorker(sql, 'pool-a', report())
    const { health, page } = await healthOf(bob)
    expect(health.queue).toEqual({ waiting: 0, running: 0, failed: 0, failing_sites: 0, oldest_waiting_seconds: null })
    expect(health.disk?.bin_bytes).toBe(0)
    expect(page).toContain('All systems working.')
    expect(page).not.toMatch(/queued|failed|Recently deleted<\/dt>/i)
  })
})
