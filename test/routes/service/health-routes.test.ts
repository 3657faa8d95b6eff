/** The state of the service, by page and API. */
import { mkdir, rename, rm } from 'node:fs/promises'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { everyoneIn } from '../../../src/db/everyone.ts'
import { beatWorker, listenForToolChecks } from '../../../src/db/service/everyone/operations.ts'
import { remedies } from '../../../src/net/proxy-fault.ts'
import type { Reason } from '../../../src/schema/downloads/run.ts'
import type { Health, WorkerReport } from '../../../src/schema/service/health.ts'
import { no_renewal, RenewalReport } from '../../../src/schema/service/renewal.ts'
import { useApp } from '../../support/app/app.ts'
import { administrator, follows, type Person, person } from '../../support/app/people.ts'
import { flashOf } from '../../support/app/sign-in.ts'

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
beforeEach(async () => {
  await sql`delete from workers`
  await sql`delete from host_pauses`
  await sql`delete from users where username <> 'the-first'`
})

async function healthOf(who: Person): Promise<{ health: Health; page: string }> {
  const [json, page] = await Promise.all([ask('/api/health', { as: who }), ask('/health', { as: who })])
  expect([json.status, page.status]).toEqual([200, 200])
  return { health: (await json.json()) as Health, page: await page.text() }
}

async function failed(who: Person, video_id: string, reason: Reason, slow_down = false) {
  const claim = crypto.randomUUID()
  await who.library.downloads.request([video_id])
  await who.library.downloads.start(video_id, claim)
  const download_error = 'The site refused.'
  await who.library.downloads.fail(video_id, claim, { download_error, next_attempt_at: null, reason, slow_down })
}

it('a warning says that many files disappeared from MEDIA_DIR, for a day', async () => {
  const alice = await administrator(sql, 'alice')
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
  const alice = await administrator(sql, 'alice')
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

it('the kind of the proxy is shown, and a warning while it does not work, without its address', async () => {
  const alice = await administrator(sql, 'alice')
  await beatWorker(sql, 'pool-a', report({ proxy: { kind: 'socks5', trouble: null } }))
  const works = await healthOf(alice)
  expect(works.health).toMatchObject({ status: 'ok', proxy: 'socks5' })
  expect(works.page).toContain('A SOCKS5 proxy')

  await beatWorker(sql, 'pool-a', report({ proxy: { kind: 'http', trouble: remedies.password } }))
  const broken = await healthOf(alice)
  expect(broken.health).toMatchObject({ status: 'warning', proxy: 'http', warnings: [remedies.password] })
  expect(broken.page).toContain('An HTTP proxy')
})

it('without a proxy, and by a worker of an older release, none is shown', async () => {
  const alice = await administrator(sql, 'alice')
  for (const older of [report(), report({ proxy: null })]) {
    await beatWorker(sql, 'pool-a', older)
    const { health, page } = await healthOf(alice)
    expect(health).toMatchObject({ status: 'ok', proxy: null })
    expect(page).not.toContain('leave through')
  }
})

describe('health', () => {
  it('the health page shows tools, queue, workers and disk', async () => {
    const alice = await administrator(sql, 'alice')
    await sql`truncate push_subscriptions`
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
      feeds: { due: 0, late_seconds: 0, failing: 0 },
      pushed_feeds: 0,
      disk: { free_bytes: expect.any(Number) },
      sites: [],
    })
    for (const words of ['All systems working.', '3 days old', '7.1.1', '2 queued']) expect(page).toContain(words)
  })

  it('the health page names what the operator adds to yt-dlp, and how downloads with it ended last', async () => {
    const alice = await administrator(sql, 'alice')
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
    const operator = { options: ['--limit-rate', '--cookies'], plugins: ['bgutil.zip'], problem: null }
    const [one, two] = [
      { ...operator, completed_at: ago(2), failed_at: ago(30), failed_reason: 'rate_limited' },
      { ...operator, completed_at: ago(9), failed_at: ago(5), failed_reason: 'bot_check' },
    ]
    await beatWorker(sql, 'pool-a', report({ operator: one }))
    await beatWorker(sql, 'pool-b', report({ operator: two }))

    const { health, page } = await healthOf(alice)

    expect(health.operator).toEqual({ ...two, completed_at: one.completed_at })
    for (const words of [
      'limit-rate, cookies',
      'bgutil.zip',
      'Last completed 2 hours ago · last failed 5 hours ago: bot check',
    ])
      expect(page).toContain(words)
    await sql`delete from workers`
    await beatWorker(sql, 'pool-a', report({ operator: { ...one, problem: 'A plugin cannot be loaded.' } }))
    expect((await healthOf(alice)).health.warnings).toEqual(['A plugin cannot be loaded.'])
    await beatWorker(sql, 'pool-a', report({ operator: null }))
    expect((await healthOf(alice)).page).not.toContain('Downloads with them')
  })

  it('a site that asks for a bot check has the remedies next to it', async () => {
    const alice = await administrator(sql, 'alice')
    await follows(alice, 'kitchen', ['v1', 'v2'])
    await failed(alice, 'v1', 'bot_check')

    const { health, page } = await healthOf(alice)

    expect(health.sites).toMatchObject([
      { reasons: ['bot_check'], remedy: expect.stringContaining('PO-token provider') },
    ])
    for (const words of ['PO-token provider', 'DOWNLOAD_PROXY', 'cookies', 'docs/yt-dlp.md'])
      expect(page).toContain(words)
  })

  it('a site that refuses yt-dlp by its fingerprint has next to it what to install', async () => {
    const alice = await administrator(sql, 'alice')
    await follows(alice, 'kitchen', ['v1', 'v2'])
    await failed(alice, 'v1', 'fingerprint')

    const { health, page } = await healthOf(alice)

    expect(health.sites).toMatchObject([
      { reasons: ['fingerprint'], remedy: expect.stringContaining('Install curl_cffi') },
    ])
    for (const words of ['Install curl_cffi', 'YTDLP_PATH']) expect(page).toContain(words)
  })

  it('the health page shows of how many feeds a hub announces new videos', async () => {
    const alice = await administrator(sql, 'alice')
    await sql`truncate push_subscriptions`
    expect((await healthOf(alice)).page).not.toContain('Push')
    for (const [nth, lease] of ['1 hour', '1 day', '-1 second', null].entries())
      await sql`
        insert into push_subscriptions (push_id, rss_url, hub, topic, secret, lease_until)
        values (${`p${nth}`}, ${`https://h.example/${nth}`}, 'h', 't', 's', now() + ${lease}::interval)`
    const { health, page } = await healthOf(alice)
    expect(health.pushed_feeds).toBe(2)
    expect(page).toMatch(/<dt>Push<\/dt>\s*<dd>2 feeds<\/dd>/)
  })

  it('the health page shows how many pictures wait and how many are not available', async () => {
    const alice = await administrator(sql, 'alice')
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
    const alice = await administrator(sql, 'alice')
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
    const alice = await administrator(sql, 'alice')
    const { ytdlp_source, renewal, ...earlier } = report()
    await beatWorker(sql, 'pool-a', earlier as WorkerReport)

    const { health } = await healthOf(alice)

    expect(health).toMatchObject({ workers: 1, ytdlp: { version: released(3), source: null }, renewal: null })
  })

  it.each([
    ['a yt-dlp that is months old', { ytdlp_version: released(91) }, /days old/],
    ['a yt-dlp with holes', { ytdlp_version: '2026.07.03' }, /known security holes/],
    ['a clock that was ahead', { clock: 'The clock was ahead by 2 days.' }, /^The clock was ahead/],
    ['a missing ffmpeg', { missing: 'ffmpeg is not installed.', ytdlp_version: null }, /^ffmpeg is not installed/],
  ])('health warns of %s', async (_, found, words) => {
    const alice = await administrator(sql, 'alice')
    await beatWorker(sql, 'pool-good', report())
    await beatWorker(sql, 'pool-bad', report(found))

    const { health, page } = await healthOf(alice)

    expect(health.status).toBe('warning')
    expect(health.warnings).toEqual([expect.stringMatching(words)])
    expect(page).toContain(health.warnings[0])
  })

  it('health warns that nothing is downloaded when no worker is running', async () => {
    const alice = await administrator(sql, 'alice')
    await beatWorker(sql, 'pool-dead', report())
    await sql`update workers set heartbeat_at = now() - interval '10 minutes'`

    const { health } = await healthOf(alice)

    expect(health).toMatchObject({ workers: 0, ytdlp: null, status: 'warning' })
    expect(health.warnings[0]).toContain('No worker is running')
  })

  it('the downloads and the sites of all people are counted, without a title, a channel or a name', async () => {
    const [admin, alice, bob] = [
      await administrator(sql, 'admin'),
      await person(sql, 'alice'),
      await person(sql, 'bob'),
    ]
    await follows(alice, 'kitchen', ['v1', 'v2', 'v3'])
    await follows(bob, 'kitchen', ['v1'])
    const before = await healthOf(admin)
    await failed(alice, 'v1', 'members')
    await failed(alice, 'v2', 'rate_limited', true)
    await failed(bob, 'v1', 'members')
    await alice.library.downloads.request(['v3'])

    const { health, page } = await healthOf(admin)

    expect(health.queue).toMatchObject({
      failed: before.health.queue.failed + 3,
      waiting: before.health.queue.waiting + 1,
    })
    const site = health.sites.find(({ host }) => host === 'videos.example')
    expect(site).toMatchObject({
      reasons: expect.arrayContaining(['members', 'rate_limited']),
      rests_until: expect.any(String),
      paused: ['downloads'],
    })
    expect(page).toMatch(/\d+ failed: .*members only.*rate limited/)
    expect(page).toContain('paused, resumes')
    for (const secret of ['Video v1', 'Channel kitchen', alice.user.username, bob.user.username])
      expect([secret, page.includes(secret), JSON.stringify(health).includes(secret)]).toEqual([secret, false, false])
  })

  it('a member and a member’s token get the answer of an unknown address', async () => {
    const alice = await person(sql, 'alice')
    await alice.library.secrets.make({ kind: 'token', opens: { scope: 'write' }, name: 'phone', lasts_s: null })
    for (const [path, method] of [
      ['/health', 'GET'],
      ['/api/health', 'GET'],
      ['/health/retry', 'POST'],
      ['/health/end-pause', 'POST'],
      ['/health/check-ytdlp', 'POST'],
    ] as const) {
      const unknown = path.replace('health', 'unknown')
      const [answer, other] = [await ask(path, { as: alice, method }), await ask(unknown, { as: alice, method })]
      expect([path, answer.status]).toEqual([path, 404])
      expect(await answer.text()).toBe(await other.text())
    }
  })
})

describe('repairs', () => {
  const acts = () => sql`select actor, act, detail from admin_acts order by id desc limit 1`
  const told = async (path: string, form: Record<string, string>, as: Person) => {
    const answer = await ask(path, { as, form })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/health'])
    return flashOf(answer).text
  }

  it('an administrator ends the pauses of a host, and what waited runs', async () => {
    const [admin, alice] = [await administrator(sql, 'admin'), await person(sql, 'alice')]
    await follows(alice, 'kitchen', ['v1', 'v2'])
    await failed(alice, 'v1', 'rate_limited', true)

    expect(await told('/health/end-pause', { host: 'videos.example' }, admin)).toContain('has ended')

    expect(await sql`select from host_pauses where until > now()`).toHaveLength(0)
    expect(await acts()).toEqual([{ actor: admin.user.username, act: 'pause_ended', detail: 'videos.example' }])
    expect(await told('/health/end-pause', { host: 'videos.example' }, admin)).toContain('is not paused')
  })

  it('an administrator retries the failed downloads of one host for all people', async () => {
    const [admin, alice, bob] = [
      await administrator(sql, 'admin'),
      await person(sql, 'alice'),
      await person(sql, 'bob'),
    ]
    for (const who of [alice, bob]) {
      await follows(who, 'kitchen', ['v1'])
      await failed(who, 'v1', 'unavailable')
    }

    expect(await told('/health/retry', { host: 'elsewhere.example' }, admin)).toBe('No download has failed.')
    expect(await told('/health/retry', { host: 'videos.example' }, admin)).toMatch(/downloads queued again/)

    for (const who of [alice, bob]) expect((await who.library.videos.find('v1'))?.queued).toBe(true)
    expect(await acts()).toEqual([{ actor: admin.user.username, act: 'downloads_retried', detail: 'videos.example' }])
  })

  it('a check for a new yt-dlp reaches the workers, where one updates it', async () => {
    const admin = await administrator(sql, 'admin')
    const { promise: heard, resolve } = Promise.withResolvers<string>()
    onTestFinished(await listenForToolChecks(everyoneIn(sql), resolve))
    expect(await told('/health/check-ytdlp', {}, admin)).toContain('No worker is running')
    await beatWorker(sql, 'pool-a', report())
    expect(await told('/health/check-ytdlp', {}, admin)).toContain('does not update this yt-dlp')
    expect((await healthOf(admin)).page).not.toContain('check-ytdlp')

    await beatWorker(sql, 'pool-a', report({ renewal: RenewalReport.parse(no_renewal) }))
    expect((await healthOf(admin)).page).toContain('check-ytdlp')
    expect(await told('/health/check-ytdlp', {}, admin)).toContain('look for a new yt-dlp')

    await heard
    expect(await acts()).toEqual([{ actor: admin.user.username, act: 'tools_renewed', detail: '' }])
  })
})
