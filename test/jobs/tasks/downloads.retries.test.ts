/** Downloads of rules are tried again: their plan, the one download that tries for the others, and old failures. */
import { join } from 'node:path'
import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { earliestStart, skippedFlags } from '../../../jobs/tasks/download-slots.ts'
import { retryWithNewTools } from '../../../jobs/tasks/housekeeping.ts'
import { forgetOldHolds } from '../../../src/db/downloads/everyone/holds.ts'
import { late_priority } from '../../../src/db/queue/queue.ts'
import { beatWorker } from '../../../src/db/service/everyone/operations.ts'
import { cancelDownload, requestDownload } from '../../../src/domain/downloads/downloads.ts'
import { performDownload } from '../../../src/domain/downloads/perform-download.ts'
import { changeRule } from '../../../src/domain/rules/rules.ts'
import type { Reason } from '../../../src/schema/downloads/run.ts'
import { RuleRequest } from '../../../src/schema/rules/rule.ts'
import { filesIn } from '../../../src/store/local-files.ts'
import type { Failure } from '../../../src/ytdlp/failures/failure.ts'
import type { Downloader } from '../../../src/ytdlp/fetch/download.ts'
import { silent } from '../../support/app/app.ts'
import { useDatabase } from '../../support/app/database.ts'
import { entry, type Person, person } from '../../support/app/people.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const { sql } = useDatabase()
const folder = newFolder()
const files = filesIn(folder)

const host_limits = { host_concurrency: 2, host_pause_seconds: 0, isOurs: () => true }
let alice: Person
beforeEach(async () => {
  await sql`truncate graphile_worker._private_jobs, workers, tool_versions, rule_holds`
  await sql`delete from channels`
  alice = await person(sql, 'alice')
  await has('site.example', ['v1', 'v2', 'v3', 'v4'])
})

/** A channel with a rule that asked for all of its videos. */
async function has(host: string, video_ids: string[]): Promise<void> {
  const videos = video_ids.map(id => entry(id, { video_url: `https://${host}/${id}` }))
  await alice.library.channels.save({ channel_id: host, title: host, rss_url: `https://${host}/f` }, videos)
  await changeRule(alice.library, host, RuleRequest.parse({ auto_download: true }))
  await alice.library.downloads.request(video_ids, 'rule')
}

const fails = (reason: Reason, kind: Failure['kind'] = 'operator'): Downloader => {
  return async () => ({ failure: { kind, reason, sentence: 'It failed.', detail: '' } })
}
const works: Downloader = async ({ folder }) => {
  const file = join(folder, 'video.mp4')
  await (await import('node:fs/promises')).writeFile(file, 'a video')
  return { file, file_size: 7 }
}

/** As a worker does it: the job is taken, run, and gone. */
async function run(video_id: string, download: Downloader) {
  await sql`delete from graphile_worker._private_jobs where key like ${`%:${video_id}`}`
  const stopping = new AbortController().signal
  return performDownload(
    { library: alice.library, files, download, stopping, earliestStart: earliestStart(host_limits) },
    video_id,
  )
}
const find = async (video_id: string) => (await alice.library.videos.find(video_id)) ?? expect.fail('no such video')
const jobOf = async (video_id: string) => {
  const [job] = await sql<{ priority: number; due: boolean }[]>`
    select priority, run_at <= now() as due from graphile_worker.jobs where key like ${`%:${video_id}`}`
  return job
}
const hours = (date: Date | null | undefined) => Math.round(((date?.getTime() ?? 0) - Date.now()) / 3_600_000) + 0
/** Until every plan is due, as if that much time had gone by. */
const later = async () => {
  await sql`update rule_holds set next_probe_at = now()`
  await sql`update graphile_worker._private_jobs set run_at = now()`
}

it('the job of a retry has the attempts of its download, and the job after its last attempt begins with none', async () => {
  await alice.library.downloads.request(['v1'])
  const attempts = async () => {
    const [job] = await sql`select attempts, max_attempts from graphile_worker.jobs where key like '%:v1'`
    return job
  }
  expect(await attempts()).toEqual({ attempts: 0, max_attempts: 3 })
  for (const count of [1, 2]) {
    await run('v1', fails('silent', 'transient'))
    // A worker that takes it counts one more: "2 of 3".
    expect(await attempts()).toEqual({ attempts: count, max_attempts: 3 })
  }
  await later()
  await run('v1', fails('silent', 'transient'))
  expect(await attempts()).toEqual({ attempts: 0, max_attempts: 3 })
})

describe('what a rule asked for', () => {
  it('a rule’s download is tried again later when only time can help, behind all others, with all attempts', async () => {
    await run('v1', fails('geography', 'permanent'))

    const video = await find('v1')
    expect(video).toMatchObject({
      download_status: 'failed',
      queued: true,
      keeps_trying: true,
      attempts: 0,
      download_error: 'It failed.',
    })
    expect(hours(video.next_attempt_at)).toBe(24)
    expect(await jobOf('v1')).toEqual({ priority: late_priority, due: false })
    expect(await run('v1', works)).toBe('completed')
  })

  it('a rule’s download ends when its video is gone for good', async () => {
    await run('v1', fails('removed', 'permanent'))
    expect(await find('v1')).toMatchObject({
      download_status: 'failed',
      queued: false,
      keeps_trying: false,
      next_attempt_at: null,
    })
  })

  it('a rule’s download keeps its plan when a person retries it, and loses it when they cancel', async () => {
    await run('v1', fails('geography', 'permanent'))
    await requestDownload(alice.library, files, 'v1')
    expect((await jobOf('v1'))?.priority).toBe(0)
    await run('v1', fails('geography', 'permanent'))
    expect(await find('v1')).toMatchObject({ queued: true, keeps_trying: true })

    await cancelDownload(alice.library, files, 'v1')
    expect(await find('v1')).toMatchObject({ queued: false, keeps_trying: false, download_status: 'pending' })
    expect(await alice.library.downloads.request(['v1'], 'rule')).toEqual(new Map([['v1', 'already_queued']]))
    expect((await find('v1')).queued).toBe(false)
  })

  it('a download is not tried again once its rule is off', async () => {
    await changeRule(alice.library, 'site.example', RuleRequest.parse({ auto_download: false }))
    await run('v1', fails('geography', 'permanent'))
    expect(await find('v1')).toMatchObject({ queued: false, next_attempt_at: null, download_error: 'It failed.' })
  })

  it('a person’s download is tried three times in all', async () => {
    await sql`update video_entries set download_by_rule = false, download_asked_by = 'person'`
    await run('v1', fails('geography', 'permanent'))
    expect(await find('v1')).toMatchObject({ queued: false, keeps_trying: false, next_attempt_at: null })
  })
})

describe('while a site fails a person’s rules', () => {
  it('a hold that ended long ago is deleted', async () => {
    await sql`
      insert into rule_holds (user_id, host, reason, failures, next_probe_at)
      select ${alice.user.user_id}, days || '.example', 'silent', 9, now() - days * interval '1 day' from unnest(array[0, 6, 8]) days`
    await forgetOldHolds(sql)
    expect(await sql`select host from rule_holds order by host`).toEqual([{ host: '0.example' }, { host: '6.example' }])
  })

  const passes = async () => (await skippedFlags(sql, host_limits)).filter(flag => flag.startsWith('rule:'))

  it('one download tries for the others, which wait with their attempts', async () => {
    await run('v1', fails('bot_check'))
    // One failure may be the video's own, so the next one tries at once.
    expect(await passes()).toEqual([])
    await run('v2', fails('bot_check'))
    expect(await passes()).toEqual([`rule:${alice.user.user_id}:site.example`])

    expect(await run('v3', works)).toBe('postponed')
    expect(await find('v3')).toMatchObject({ download_status: 'pending', queued: true, attempts: 0 })
    const { held_until } = await find('v3')
    expect((held_until?.getTime() ?? 0) - Date.now()).toBeGreaterThan(14 * 60_000)

    await later()
    const claim = crypto.randomUUID()
    await alice.library.downloads.start('v3', claim, earliestStart(host_limits))
    expect(await passes()).toHaveLength(1)
    expect(await run('v4', works)).toBe('postponed')
  })

  it('all others start when that download succeeds, those that failed as well', async () => {
    await run('v1', fails('bot_check'))
    await run('v2', fails('bot_check'))
    await later()
    expect(hours((await find('v1')).next_attempt_at)).toBe(1)

    expect(await run('v3', works)).toBe('completed')

    expect(await passes()).toEqual([])
    expect(hours((await find('v1')).next_attempt_at)).toBe(0)
    expect(await jobOf('v1')).toEqual({ priority: late_priority, due: true })
    expect(await run('v4', works)).toBe('completed')
    expect(await run('v1', works)).toBe('completed')
  })

  it('the hold waits longer after each failure', async () => {
    const waits = []
    for (const id of ['v1', 'v2', 'v3', 'v4']) {
      await later()
      await run(id, fails('bot_check'))
      const [hold] = await sql`select next_probe_at from rule_holds`
      waits.push(Math.round((hold?.next_probe_at.getTime() - Date.now()) / 60_000) + 0)
    }
    expect(waits).toEqual([0, 15, 60, 180])
  })

  it('the next download tries at once when only the video was the reason', async () => {
    await run('v1', fails('bot_check'))
    await run('v2', fails('bot_check'))
    await later()
    await run('v3', fails('geography', 'permanent'))
    expect(await passes()).toEqual([])
    expect(await run('v4', works)).toBe('completed')
  })

  it('a hold delays neither other sites nor clicks nor other people', async () => {
    await has('other.example', ['w1'])
    await run('v1', fails('bot_check'))
    await run('v2', fails('bot_check'))
    expect(await run('w1', works)).toBe('completed')
    await sql`update rule_holds set next_probe_at = now() + interval '1 hour', failures = 5`
    await requestDownload(alice.library, files, 'v3')
    expect(await run('v3', works)).toBe('completed')
  })

  it('a proxy that does not answer holds all of a person’s rules, until one download shows that it does', async () => {
    await has('other.example', ['w1'])
    await run('v1', fails('proxy', 'outage'))
    expect(await passes()).toEqual([`rule:${alice.user.user_id}:`])
    expect(await run('w1', works)).toBe('postponed')
    await later()
    await run('w1', fails('proxy', 'outage'))
    expect(await run('v2', works)).toBe('postponed')

    await later()
    expect(await run('v2', works)).toBe('completed')
    expect(await passes()).toEqual([])
    for (const video_id of ['v1', 'w1']) {
      expect(await jobOf(video_id)).toEqual({ priority: late_priority, due: true })
      expect(await run(video_id, works)).toBe('completed')
    }
  })

  it('a lack of space holds all of a person’s rules, and one download tries again within the hour', async () => {
    await has('other.example', ['w1'])
    await run('v1', fails('quota', 'local'))
    expect(await passes()).toEqual([`rule:${alice.user.user_id}:`])
    expect(await run('w1', works)).toBe('postponed')
    expect(hours((await find('w1')).held_until)).toBe(1)
  })
})

it('a new version of yt-dlp makes downloads that failed for lack of it run again at once', async () => {
  const report = { ytdlp_version: '2026.08.19', ffmpeg_version: null, javascript: null, missing: null }
  const beat = (ytdlp_version: string) => beatWorker(sql, 'w', { ...report, ytdlp_version })
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: line => void lines.push(line) })
  await beat('2026.08.19')
  await retryWithNewTools({ sql, log })
  expect(lines, 'the first yt-dlp of a service is not new').toEqual([])
  await run('v1', fails('extraction'))
  await run('v2', fails('geography', 'permanent'))
  await retryWithNewTools({ sql, log: silent })
  expect(hours((await find('v1')).next_attempt_at)).toBe(6)

  await beat('2026.11.21')
  await retryWithNewTools({ sql, log })
  expect(lines).toHaveLength(1)

  expect(hours((await find('v1')).next_attempt_at)).toBe(0)
  expect((await jobOf('v1'))?.due).toBe(true)
  expect(hours((await find('v2')).next_attempt_at)).toBe(24)
})
