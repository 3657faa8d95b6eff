/** Who waits for a host that refuses: the person who met it, until the service itself has seen the host refuse. */
import type { RequestListener } from 'node:http'
import type { JobHelpers } from 'graphile-worker'
import { beforeEach, describe, expect, it } from 'vitest'
import { commands } from '../../../jobs/cli/commands.ts'
import { earliestStart } from '../../../jobs/tasks/download-slots.ts'
import { downloadTask } from '../../../jobs/tasks/downloads.ts'
import { refreshFeedTask } from '../../../jobs/tasks/feeds.ts'
import { checkHostTask } from '../../../jobs/tasks/hosts.ts'
import { queueDueFeeds } from '../../../src/db/channels/everyone/feed-plans.ts'
import { blockedFlags } from '../../../src/db/downloads/everyone/hosts.ts'
import { hostFlag } from '../../../src/db/queue/flags.ts'
import {
  captions_prefix,
  feeds_prefix,
  forgetOldPauses,
  looks_prefix,
  pauseHost,
  pictures_prefix,
} from '../../../src/db/queue/host-pauses.ts'
import { bestOf, createDiscover, import_budget } from '../../../src/domain/channels/discovery.ts'
import { webSources } from '../../../src/domain/channels/feed-search.ts'
import { beginImport } from '../../../src/domain/imports/imports.ts'
import { performImport } from '../../../src/domain/imports/perform-import.ts'
import { createHostChecker } from '../../../src/feed/fetch/fetch.ts'
import { createChangeFetcher } from '../../../src/feed/fetch/fetch-feed.ts'
import type { AddressPolicy } from '../../../src/net/addresses.ts'
import { filesIn } from '../../../src/store/local-files.ts'
import { createDownloader } from '../../../src/ytdlp/fetch/download.ts'
import { silent } from '../../support/app/app.ts'
import { useDatabase } from '../../support/app/database.ts'
import { idleParts } from '../../support/app/parts.ts'
import { entry, type Person, person } from '../../support/app/people.ts'
import { siteWith } from '../../support/media/feed-site.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const { sql } = useDatabase()
let [alice, bob]: [Person, Person] = [{} as Person, {} as Person]
beforeEach(async () => {
  await sql`delete from host_pauses`
  await sql`delete from host_looks`
  await sql`delete from host_probes`
  await sql`delete from channels`
  await sql`truncate graphile_worker._private_jobs`
  ;[alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
})

const { host_limits } = idleParts(sql)
/** Every name leads to this machine. */
const policy: AddressPolicy = { resolve: async () => [{ address: '127.0.0.1', family: 4 }] }
const helpers = { abortSignal: new AbortController().signal } as JobHelpers
const minutesUntil = (date: Date | null | undefined) => ((date?.getTime() ?? 0) - Date.now()) / 60_000

async function wants(who: Person, video_url: string, video_id = 'v1') {
  const rss_url = `https://feeds.test/${who.user.username}`
  await who.library.channels.save({ channel_id: 'c', title: 'c', rss_url }, [entry(video_id, { video_url })])
  await who.library.downloads.request([video_id])
}
const start = (who: Person, video_id = 'v1', claim: string = crypto.randomUUID()) =>
  who.library.downloads.start(video_id, claim, earliestStart(host_limits))

/** Starts it, and returns the claim of the run. */
async function begins(who: Person, video_id: string) {
  const claim = crypto.randomUUID()
  await start(who, video_id, claim)
  return claim
}
const nothing = async () => {}
const succeeds = ({ library }: Person, video_id: string, claim: string) =>
  library.downloads.finish(video_id, claim, { download_path: 'a/b.mp4', file_size: 1 }, nothing, nothing)

/** A download of this person meets a site that asks to slow down. */
async function isRefused(who: Person, video_id = 'v1') {
  const claim = await begins(who, video_id)
  await who.library.downloads.fail(video_id, claim, {
    download_error: 'The site asks us to slow down.',
    next_attempt_at: null,
    slow_down: true,
  })
}
const looksAsked = async () =>
  (await sql<{ key: string }[]>`select key from graphile_worker.jobs where task_identifier = 'look-at-host'`).map(
    ({ key }) => key,
  )
const pauses = () => sql`
  select   host, username, refusals, extract(epoch from until - since)::float / 60 as minutes
  from     host_pauses
  left join users on users.id = user_id
  order by host, username nulls first`

/** The service looks at the host, whose root answers this. */
async function look(host: string, answer: RequestListener) {
  const site = await siteWith(answer)
  const look = createHostChecker({ policy }, () => [`http://${host}:${site.port}/`])
  await checkHostTask({ sql, checkHost: look, log: silent })({ host }, helpers)
  return site
}
const refuses =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end()

describe('a download that is refused', () => {
  it('a refused download pauses its host for minutes, for its own person only', async () => {
    await wants(alice, 'https://videos.test/1', 'v1')
    await wants(bob, 'https://www.videos.test/2', 'v1')
    await isRefused(alice)
    await wants(alice, 'https://videos.test/2', 'v2')

    const hers = await start(alice, 'v2')
    const his = await start(bob)

    expect(minutesUntil(hers?.free_at)).toBeCloseTo(5, 0)
    expect(his).toMatchObject({ attempt: 1 })
    expect(minutesUntil((await alice.library.videos.find('v2'))?.site_rests_until)).toBeCloseTo(5, 0)
    expect(await bob.library.videos.find('v1')).toMatchObject({ site_rests_until: null })
    expect(await blockedFlags(sql, host_limits)).toEqual([])
  })

  it('the service checks a refusing host once in a few minutes, however many people are refused', async () => {
    const everyone = [alice, bob, await person(sql, 'charlie')]
    for (const who of everyone) await wants(who, 'https://videos.test/1')
    for (const who of everyone) await isRefused(who)

    expect(await looksAsked()).toEqual(['look:videos.test'])
    await sql`truncate graphile_worker._private_jobs`
    await sql`update host_looks set looked_at = now() - interval '4 minutes'`
    await sql`delete from host_pauses`
    await wants(alice, 'https://videos.test/1', 'v2')
    await isRefused(alice, 'v2')
    expect(await looksAsked()).toEqual(['look:videos.test'])
  })

  it('few host checks wait for one person, and those for other people are still added', async () => {
    const mallory = await person(sql, 'mallory')
    for (let n = 0; n < 10; n++) {
      await wants(mallory, `https://v${n}.evil.test/1`, `v${n}`)
      await isRefused(mallory, `v${n}`)
    }
    await wants(bob, 'https://videos.test/1')
    await isRefused(bob)

    expect(await looksAsked()).toHaveLength(6)
    expect(await looksAsked()).toContain('look:videos.test')
    // What was not asked for can be asked for as soon as there is room.
    await sql`delete from graphile_worker._private_jobs`
    await mallory.library.downloads.request(['v9'])
    await sql`delete from host_pauses`
    await isRefused(mallory, 'v9')
    expect(await looksAsked()).toEqual(['look:v9.evil.test'])
  })

  it('a person’s pause doubles with each refusal, up to a day, and is short again after a success', async () => {
    await wants(alice, 'https://videos.test/1')
    const again = async () => {
      await sql`update host_pauses set since = now() - (until - since), until = now()`
      await alice.library.downloads.request(['v1'])
      await isRefused(alice)
      return (await pauses())[0]?.minutes
    }

    await isRefused(alice)
    expect([await again(), await again(), await again()]).toEqual([10, 20, 40])
    for (let n = 0; n < 9; n++) await again()
    expect(await again()).toBe(24 * 60)

    await sql`update host_pauses set until = now()`
    await alice.library.downloads.request(['v1'])
    const claim = await begins(alice, 'v1')
    await succeeds(alice, 'v1', claim)
    expect(await pauses()).toEqual([])
  })

  it('parallel downloads that are refused count as one refusal', async () => {
    await wants(alice, 'https://videos.test/1', 'v1')
    await wants(alice, 'https://videos.test/2', 'v2')
    const claims = [await begins(alice, 'v1'), await begins(alice, 'v2')]
    const end = { download_error: 'Slow down.', next_attempt_at: null, slow_down: true }
    await alice.library.downloads.fail('v1', claims[0] ?? '', end)
    await alice.library.downloads.fail('v2', claims[1] ?? '', end)

    expect(await pauses()).toMatchObject([{ refusals: 1, minutes: 5 }])
  })
})

describe('a download that tries a paused site', () => {
  /** The downloads that a worker takes while the host is paused for everyone. */
  const takenAnyway = async () => {
    const jobs = await sql<{ key: string }[]>`
      select key from graphile_worker._private_jobs
      where  key like 'download:%' and not flags ? ${hostFlag('videos.test')} order by key`
    return jobs.map(({ key }) => key.split(':').at(-1))
  }
  /** Alice's v1 was refused; v2 and v3 wait. */
  async function aliceWaits() {
    for (const id of ['v1', 'v2', 'v3']) await wants(alice, `https://videos.test/${id}`, id)
    await isRefused(alice)
  }

  it('is the only one that starts, and no second one within a minute, whoever asks', async () => {
    await aliceWaits()

    expect(await alice.library.downloads.tryHost('videos.test')).toBe('trying')
    expect(await alice.library.downloads.tryHost('videos.test')).toBe('just_tried')

    expect(await takenAnyway()).toEqual(['v2'])
    expect(await start(alice, 'v2')).toMatchObject({ attempt: 1 })
    expect(minutesUntil((await start(alice, 'v3'))?.free_at)).toBeCloseTo(5, 0)

    expect(await bob.library.downloads.tryHost('videos.test')).toBe('nothing_waits')
    await wants(bob, 'https://videos.test/1')
    expect(await bob.library.downloads.tryHost('videos.test')).toBe('just_tried')
    await sql`update host_probes set probed_at = now() - interval '1 minute'`
    expect(await alice.library.downloads.tryHost('videos.test')).toBe('trying')
  })

  it('still tries when it is put back because the host is busy, or because its worker stops', async () => {
    await aliceWaits()
    await alice.library.downloads.tryHost('videos.test')
    const claim = crypto.randomUUID()
    const busy = earliestStart({ ...host_limits, host_pause_seconds: 60 })

    const postponed = await alice.library.downloads.start('v2', claim, busy)

    expect(minutesUntil(postponed?.free_at)).toBeCloseTo(1, 0)
    expect(await takenAnyway()).toEqual(['v2'])
    expect(await start(alice, 'v2', claim)).toMatchObject({ attempt: 1 })
    await alice.library.downloads.handBack('v2', claim, { refund: true })
    expect(await takenAnyway()).toEqual(['v2'])
  })

  it('waits with the others once it has failed, or once its site was refused again', async () => {
    await aliceWaits()
    await alice.library.downloads.tryHost('videos.test')
    const claim = await begins(alice, 'v2')
    const soon = new Date(Date.now() + 1000)
    await alice.library.downloads.fail('v2', claim, { download_error: 'It failed.', next_attempt_at: soon })
    expect(await takenAnyway()).toEqual([])

    await sql`update host_probes set probed_at = now() - interval '2 minutes'`
    await alice.library.downloads.tryHost('videos.test')
    await sql`update host_pauses set since = now()`
    await sql`update host_probes set probed_at = now() - interval '1 minute'`
    expect(minutesUntil((await start(alice, 'v2'))?.free_at)).toBeCloseTo(5, 0)
    expect(await takenAnyway()).toEqual([])
  })

  it('that is refused extends the pause of its person, and changes nothing for others', async () => {
    await aliceWaits()
    await wants(bob, 'https://videos.test/1')
    await alice.library.downloads.tryHost('videos.test')
    await isRefused(alice, 'v2')

    expect(await pauses()).toMatchObject([{ username: alice.user.username, refusals: 2, minutes: 10 }])
    await alice.library.downloads.request(['v2'])
    expect(minutesUntil((await start(alice, 'v2'))?.free_at)).toBeCloseTo(10, 0)
    expect(await start(bob)).toMatchObject({ attempt: 1 })
  })

  it('that succeeds ends the pause of its person, and a pause for everyone stays', async () => {
    await aliceWaits()
    await wants(bob, 'https://videos.test/1')
    await look('videos.test', refuses(429))
    await alice.library.downloads.tryHost('videos.test')
    const claim = await begins(alice, 'v2')
    await succeeds(alice, 'v2', claim)

    expect(await pauses()).toMatchObject([{ username: null, refusals: 1 }])
    expect(minutesUntil((await start(bob))?.free_at)).toBeCloseTo(5, 0)
    await sql`delete from host_pauses`
    expect(await start(alice, 'v3')).toMatchObject({ attempt: 1 })
  })

  it('is not replaced while it runs, by its person or by another one', async () => {
    await aliceWaits()
    await wants(bob, 'https://videos.test/1', 'b1')
    await wants(bob, 'https://videos.test/2', 'b2')
    await isRefused(bob, 'b1')
    await alice.library.downloads.tryHost('videos.test')
    const claim = await begins(alice, 'v2')
    const minuteLater = () => sql`update host_probes set probed_at = probed_at - interval '1 minute'`
    await sql`update host_pauses set since = since - interval '3 minutes'`

    await minuteLater()
    expect(await alice.library.downloads.tryHost('videos.test')).toBe('trying')
    expect(minutesUntil((await start(alice, 'v3'))?.free_at)).toBeCloseTo(5, 0)
    expect(await bob.library.downloads.tryHost('videos.test')).toBe('trying')
    await minuteLater()
    await succeeds(alice, 'v2', claim)

    expect(await pauses()).toMatchObject([{ username: bob.user.username }])
    await isRefused(bob, 'b2')
    expect(await pauses()).toMatchObject([{ username: bob.user.username, refusals: 2, minutes: 10 }])
  })

  it('is the only one when two people try at the same moment', async () => {
    const people = [alice, bob]
    for (const who of people) await wants(who, 'https://videos.test/1')

    const tried = await Promise.all(people.map(({ library }) => library.downloads.tryHost('videos.test')))

    expect(tried.toSorted()).toEqual(['just_tried', 'trying'])
  })

  it('a download that ran before the pause does not end it', async () => {
    for (const id of ['v1', 'v2']) await wants(alice, `https://videos.test/${id}`, id)
    const claim = await begins(alice, 'v2')
    await isRefused(alice)
    await succeeds(alice, 'v2', claim)

    expect(await pauses()).toMatchObject([{ username: alice.user.username }])
  })
})

describe('a check of a host by the service', () => {
  it.each([
    ['429', refuses(429), 5],
    ['429 for two minutes', refuses(429, { 'retry-after': '120' }), 2],
    ['429 for years', refuses(429, { 'retry-after': '99999999' }), 5],
    ['503 with a time', refuses(503, { 'retry-after': '3600' }), 5],
  ])('a checked host that answers %s is paused for everyone, for minutes at first', async (_, answer, minutes) => {
    await wants(bob, 'https://videos.test/1')

    await look('videos.test', answer)

    expect(minutesUntil((await start(bob))?.free_at)).toBeCloseTo(minutes, 0)
    expect(minutesUntil((await bob.library.videos.find('v1'))?.site_rests_until)).toBeCloseTo(minutes, 0)
    expect(await blockedFlags(sql, host_limits)).toEqual([hostFlag('videos.test')])
  })

  it.each([feeds_prefix, looks_prefix, captions_prefix, pictures_prefix])(
    'downloads do not wait for a pause of "%s"',
    async prefix => {
      await pauseHost(sql, `${prefix}videos.test`, { reason: 'refused' })
      expect(await blockedFlags(sql, host_limits)).toEqual([])
      await pauseHost(sql, 'videos.test', { reason: 'refused' })
      expect(await blockedFlags(sql, host_limits)).toEqual([hostFlag('videos.test')])
    },
  )

  it.each([
    ['200', refuses(200)],
    ['403', refuses(403)],
    ['404', refuses(404)],
    ['503 without a time', refuses(503)],
    ['nothing', ((_, response) => response.destroy()) as RequestListener],
  ])('a checked host that answers %s is not paused', async (_, answer) => {
    await look('videos.test', answer)

    expect(await pauses()).toEqual([])
  })

  it('a check requests only the root of its host, and no other host can answer for it', async () => {
    const strict = await siteWith(refuses(429, { 'retry-after': '86400' }))
    const site = await look('videos.test', (_, response) =>
      response.writeHead(302, { location: `http://strict.test:${strict.port}/` }).end(),
    )

    expect(site.asked).toEqual(['/'])
    expect(strict.asked).toEqual(['/'])
    expect(await pauses()).toEqual([])
  })

  it('a host and its www. host are paused together', async () => {
    await look('videos.test', (request, response) =>
      request.headers.host?.startsWith('www.')
        ? response.writeHead(429).end()
        : response.writeHead(301, { location: `http://www.${request.headers.host}/` }).end(),
    )

    expect(await pauses()).toMatchObject([{ host: 'videos.test', username: null }])
  })

  it('a pause for everyone grows while the host keeps refusing, and is short again after it stops', async () => {
    const over = () => sql`update host_pauses set since = now() - (until - since), until = now()`
    const minutes = async (answer: RequestListener) => {
      await over()
      await look('videos.test', answer)
      await forgetOldPauses(sql)
      return (await pauses()).map(({ minutes }) => minutes)
    }

    expect(await minutes(refuses(429))).toEqual([5])
    expect(await minutes(refuses(429))).toEqual([10])
    expect(await minutes(refuses(429, { 'retry-after': '900' }))).toEqual([15])
    expect(await minutes(refuses(200))).toEqual([])
    expect(await minutes(refuses(429))).toEqual([5])
  })
})

describe('the operator', () => {
  const ask = (name: string, id = '') => commands[name]?.({ sql, files: filesIn('.') }, { id, limit: 200 })

  it('the operator sees each pause, its person and reason, and ends pauses by host name', async () => {
    await wants(alice, 'https://videos.test/1')
    await isRefused(alice)
    await look('videos.test', refuses(429))
    await bob.library.imports.pauseHost('videos.test', undefined, 'The site answered 429.')

    expect((await ask('pauses'))?.rows).toEqual([
      expect.objectContaining({ host: 'videos.test', what: 'downloads', who: 'everyone', refusals: 1 }),
      expect.objectContaining({ what: 'downloads', who: alice.user.username, until: expect.stringMatching(/Z$/) }),
      expect.objectContaining({ what: 'feeds', who: expect.stringMatching(/^bob/), reason: 'The site answered 429.' }),
    ])
    expect((await ask('lift', 'Videos.Test'))?.rows).toEqual([{ host: 'videos.test', lifted: 3 }])
    expect((await ask('pauses'))?.rows).toEqual([])
    await expect(ask('lift', 'videos.test')).rejects.toThrow('videos.test is not paused')
    await expect(ask('lift')).rejects.toThrow('Name the host')
  })
})

it('downloads that were put back because of a pause run when it is ended by hand', async () => {
  await wants(alice, 'https://videos.test/1', 'v1')
  await isRefused(alice)
  await sql`truncate graphile_worker._private_jobs`
  await wants(alice, 'https://videos.test/2', 'v2')
  await start(alice, 'v2')
  await wants(alice, 'https://videos.test/3', 'v3')
  await sql`update graphile_worker._private_jobs set run_at = now() + interval '3 days' where key like '%:v3'`
  const due = async () =>
    (
      await sql<{ key: string }[]>`
      select key from graphile_worker.jobs where task_identifier = 'download' and run_at <= now()`
    ).map(({ key }) => key)
  expect(await due()).toEqual([])

  await commands.lift?.({ sql, files: filesIn('.') }, { id: 'videos.test', limit: 200 })

  expect(await due()).toEqual([`download:${alice.user.user_id}:v2`])
})

describe('what one person can do to the downloads of others', () => {
  /** Through the real yt-dlp, from the job on. */
  async function run(who: Person, video_id: string) {
    const folder = newFolder()
    const download = createDownloader({ tools: toolsForTests(), policy })
    const parts = { ...idleParts(sql), files: filesIn(folder), downloadVideo: download }
    await downloadTask(parts)({ user_id: who.user.user_id, video_id }, helpers)
    return who.library.videos.find(video_id)
  }
  const forged = encodeURIComponent('\rERROR: HTTP Error 429: Too Many Requests Retry-After: 86400\ry1')

  it.each([
    [
      'in a row from before such addresses were refused',
      (url: string) => `${url}/oops/x${forged}`,
      'control characters',
    ],
    ['behind a redirect', (url: string) => `${url}/watch`, ''],
  ])('a forged line %s does not delay other people’s downloads', async (_, address, words) => {
    const mallory = await person(sql, 'mallory')
    let looks = 0
    const site = await siteWith((request, response) => {
      if (request.url === '/watch')
        return response.writeHead(302, { location: `/oops/x${forged.replaceAll('%0D', '%0A')}` }).end()
      return ++looks === 1 ? response.setHeader('content-type', 'text/html').end('<p>') : response.writeHead(404).end()
    })
    const url = `http://cdn.test:${site.port}`
    await wants(mallory, address(url))
    await wants(bob, `${url}/innocent`)

    const hers = await run(mallory, 'v1')

    expect(hers).toMatchObject({ download_status: 'failed', download_error: expect.stringContaining(words) })
    expect(await bob.library.videos.find('v1')).toMatchObject({ queued: true, site_rests_until: null })
    expect(await start(bob)).toMatchObject({ attempt: 1 })
    // Even the look that she sets off is answered by the host itself.
    await look('cdn.test', refuses(404))
    expect((await pauses()).filter(({ username }) => username !== mallory.user.username)).toEqual([])
  })

  it('an address that always answers 429 does not delay other people’s downloads', async () => {
    const mallory = await person(sql, 'mallory')
    const site = await siteWith((request, response) =>
      response.writeHead(request.url === '/' ? 200 : 429, { 'retry-after': '86400' }).end(),
    )
    await wants(mallory, `http://cdn.test:${site.port}/status/429`)
    await wants(bob, `http://cdn.test:${site.port}/innocent`)

    expect(await run(mallory, 'v1')).toMatchObject({ download_error: expect.stringContaining('slow down') })
    await look('cdn.test', refuses(200))

    expect(await pauses()).toMatchObject([{ username: mallory.user.username, minutes: 5 }])
    expect(await start(bob)).toMatchObject({ attempt: 1 })
  })
})

describe('what one person can do to the feeds of others', () => {
  const stretch = (who: Person) => ({
    library: who.library,
    findFeed: bestOf(createDiscover(webSources(policy), import_budget)),
    stopping: new AbortController().signal,
  })
  const refresh = (rss_url: string) =>
    refreshFeedTask({ sql, log: silent, fetchChanges: createChangeFetcher({ policy }), refresh_interval_minutes: 30 })(
      { rss_url },
      helpers,
    )
  const dueNow = () => sql`update channels set next_fetch_at = now()`
  async function follows(who: Person, rss_url: string) {
    await who.library.channels.save({ channel_id: rss_url, title: 'f', rss_url }, [])
    await dueNow()
  }
  /** cdn.test, which redirects anywhere; and evil.test, which always refuses. */
  async function sites() {
    const evil = await siteWith(refuses(429, { 'retry-after': '86400' }))
    const cdn = await siteWith((request, response) => {
      const to = new URL(request.url ?? '', 'http://cdn.test').searchParams.get('to')
      if (to) return response.writeHead(302, { location: to }).end()
      const item = '<item><title>v</title><link>http://cdn.test/v</link></item>'
      return response.end(`<rss><channel><title>${request.url}</title>${item}</channel></rss>`)
    })
    const cdn_url = `http://cdn.test:${cdn.port}`
    return { cdn_url, trap: `${cdn_url}/redir?to=http://evil.test:${evil.port}/r429`, evil }
  }

  it('an import that is refused behind a redirect does not pause feeds of the host that redirected', async () => {
    const mallory = await person(sql, 'mallory')
    const { cdn_url, trap } = await sites()
    await follows(bob, `${cdn_url}/feed?k=bob`)
    const before = (await bob.library.channels.list())[0]?.next_fetch_at

    const { import_id } = await beginImport(mallory.library, trap)
    await performImport(stretch(mallory), import_id)

    expect((await bob.library.channels.list())[0]?.next_fetch_at).toEqual(before)
    expect(await queueDueFeeds(sql, { max_feeds: 10, apart_ms: 0 })).toBe(1)
    const his = await beginImport(bob.library, `${cdn_url}/feed?k=other`)
    expect(await performImport(stretch(bob), his.import_id)).toBe('finished')
    expect((await bob.library.imports.lines(his.import_id, 1))[0]).toMatchObject({ outcome: 'added' })
    expect(await pauses()).toMatchObject([{ host: expect.stringMatching(/^feeds:evil\.test/), minutes: 5 }])
  })

  it('an import that a host refuses waits alone; scheduled fetches and other people’s imports continue', async () => {
    const mallory = await person(sql, 'mallory')
    const { evil } = await sites()
    const url = `http://evil.test:${evil.port}`
    await follows(bob, `${url}/feed`)

    const text = ['a', 'b', 'c', 'd', 'e'].map(name => `${url}/${name}`).join('\n')
    const { import_id } = await beginImport(mallory.library, text)
    expect(await performImport(stretch(mallory), import_id)).toBe('more')

    expect(evil.asked.length).toBeLessThanOrEqual(2)
    expect(await mallory.library.imports.pauses()).toHaveLength(1)
    expect(await bob.library.imports.pauses()).toEqual([])
    expect(await queueDueFeeds(sql, { max_feeds: 10, apart_ms: 0 })).toBe(1)
  })

  it('feeds of one person that always refuse wait alone; a second person’s feed pauses the host for minutes', async () => {
    const [mallory, carol] = [await person(sql, 'mallory'), await person(sql, 'carol')]
    const { evil } = await sites()
    const url = `http://evil.test:${evil.port}`
    for (const name of ['x', 'y']) await follows(mallory, `${url}/${name}`)
    await follows(bob, `${url}/innocent`)

    await refresh(`${url}/x`)
    expect(await pauses()).toEqual([])
    expect(await looksAsked()).toEqual([`look:feeds:evil.test:${evil.port}`])
    const next = async (who: Person, name: string) =>
      minutesUntil((await who.library.channels.find(`${url}/${name}`))?.next_fetch_at)
    expect(await next(mallory, 'x')).toBeGreaterThan(23 * 60)
    await refresh(`${url}/y`)
    expect(await pauses()).toEqual([])
    expect(await next(bob, 'innocent')).toBeLessThan(1)

    await follows(carol, `${url}/y`)
    for (let n = 0; n < 3; n++) {
      await sql`update host_pauses set since = since - interval '1 hour', until = now()`
      await dueNow()
      await refresh(`${url}/y`)
      expect(await next(bob, 'innocent')).toBeLessThan(5.1)
    }
    expect(await pauses()).toMatchObject([{ username: null, refusals: 1 }])
  })

  it('a refusal behind a redirect counts for the host that answered', async () => {
    const { trap, evil } = await sites()
    await follows(bob, trap)

    await refresh(trap)

    expect(await looksAsked()).toEqual([`look:feeds:evil.test:${evil.port}`])
  })

  it('the feeds of a host are paused when its own root refuses', async () => {
    const { evil } = await sites()
    await follows(bob, `http://evil.test:${evil.port}/feed`)

    const host = `feeds:evil.test:${evil.port}`
    await checkHostTask({ sql, checkHost: createHostChecker({ policy }), log: silent })({ host }, helpers)

    expect(await queueDueFeeds(sql, { max_feeds: 10, apart_ms: 0 })).toBe(0)
    expect(await pauses()).toMatchObject([{ host, username: null, minutes: 5 }])
  })
})
