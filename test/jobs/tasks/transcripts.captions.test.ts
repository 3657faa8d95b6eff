/** Captions of videos without subtitles on disk: whose, which, in which order and how often, against a platform in this process. */
import type { JobHelpers } from 'graphile-worker'
import { beforeEach, describe, expect, it } from 'vitest'
import { captions_apart_s, captionsTask } from '../../../jobs/tasks/transcripts.ts'
import { liftPauses, listPauses } from '../../../src/db/queue/host-pauses.ts'
import { max_people_asked, queueCaptions } from '../../../src/db/search/everyone/captions.ts'
import { search } from '../../../src/domain/search/search.ts'
import { isKnownHost } from '../../../src/feed/platforms/by-address.ts'
import type { FeedEntry } from '../../../src/schema/sources/feed.ts'
import { silent } from '../../support/app/app.ts'
import { useDatabase } from '../../support/app/database.ts'
import { entry, has, type Person, person } from '../../support/app/people.ts'
import { type FakePlatform, failing, fakePlatform, pageAt } from '../../support/app/platform.ts'

const { sql } = useDatabase()
const host = 'youtube.com'
const host_limits = { host_concurrency: 2, host_pause_seconds: 5, isOurs: () => false }
const said = (text: string) => `WEBVTT\n\n00:01.000 --> 00:02.000\n${text}\n`

let [platform, alice, bob]: [FakePlatform, Person, Person] = [fakePlatform(), {} as Person, {} as Person]
beforeEach(async () => {
  await sql`delete from channels`
  await sql`update users set captions_of_all = false`
  await sql`truncate host_pauses, host_looks`
  await sql`delete from graphile_worker._private_jobs`
  platform = fakePlatform()
  ;[alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
  await wants(alice)
})

const wants = ({ library }: Person, captions_of_all = true) => library.settings.save({ captions_of_all })
/** The first is the newest. */
const follows = ({ library }: Person, videos: (string | FeedEntry)[], channel_id = 'kitchen') =>
  library.channels.save(
    { channel_id, title: 'Kitchen', rss_url: `https://videos.example/${channel_id}.xml` },
    videos.map((video, nth) =>
      typeof video === 'string' ? of(video, { published_at: new Date(Date.UTC(2026, 4, 28 - nth)) }) : video,
    ),
  )
const of = (id: string, more: Partial<FeedEntry> = {}) => entry(id, { video_url: pageAt(id), ...more })

/** What housekeeping and one job at the host do. Returns what was asked for. */
async function ask(at = host): Promise<string[]> {
  platform.asked.splice(0)
  await queueCaptions(sql, { isKnownHost })
  const taken = await sql`delete from graphile_worker._private_jobs where key = ${`captions:${at}`} returning id`
  const task = captionsTask({ sql, log: silent, listings: platform.listings, host_limits })
  if (taken.length > 0) await task({ host: at }, {} as JobHelpers)
  return [...platform.asked]
}
/** Everyone has their turn again. */
const turns = () => sql`update users set captions_at = 'epoch'`
async function askOften(times: number): Promise<string[]> {
  const asked: string[] = []
  for (let n = 0; n < times; n++) {
    await turns()
    asked.push(...(await ask()))
  }
  return asked
}
const lineOf = async ({ library }: Person, video_id: string) =>
  (await library.transcripts.find(video_id))?.lines.map(({ text }) => text).join(' ')

describe('whose captions are fetched', () => {
  it('nobody’s until they want it, and then newest first', async () => {
    await follows(alice, ['v1', 'v2', 'v3'])
    await wants(alice, false)
    expect(await askOften(2)).toEqual([])

    await wants(alice)
    platform.said.set('v1', said('rye bread'))
    expect(await askOften(4)).toEqual(['v1', 'v2', 'v3'])

    expect(await alice.library.transcripts.find('v1')).toEqual({
      language: 'en',
      automatic: true,
      lines: [{ start_seconds: 1, text: 'rye bread' }],
    })
  })

  it('what turning it off leaves behind stays, and nothing more is asked for', async () => {
    await follows(alice, ['v1', 'v2'])
    platform.said.set('v1', said('rye bread'))
    await ask()
    await wants(alice, false)

    expect(await askOften(2)).toEqual([])
    expect(await lineOf(alice, 'v1')).toBe('rye bread')
  })

  it('a video of two people is asked for once, and saved for those who want it', async () => {
    const carol = await person(sql, 'carol')
    await wants(bob)
    for (const one of [alice, bob, carol]) await follows(one, ['v1'])
    platform.said.set('v1', said('rye bread'))

    expect(await askOften(3)).toEqual(['v1'])

    expect([await lineOf(alice, 'v1'), await lineOf(bob, 'v1'), await lineOf(carol, 'v1')]).toEqual([
      'rye bread',
      'rye bread',
      undefined,
    ])
  })

  it('the same id at another address is another video', async () => {
    await wants(bob)
    await follows(alice, ['v1'])
    await follows(bob, [of('v1', { video_url: `${pageAt('other')}&of=bob` })])
    platform.said.set('v1', said('rye bread')).set('other', said('not rye'))

    expect((await askOften(2)).toSorted()).toEqual(['other', 'v1'])

    expect([await lineOf(alice, 'v1'), await lineOf(bob, 'v1')]).toEqual(['rye bread', 'not rye'])
  })

  it('people take turns, however many videos one of them has', async () => {
    await wants(bob)
    await follows(alice, ['a1', 'a2', 'a3', 'a4'])
    await follows(bob, ['b1'])

    const first = await ask()
    const second = await ask()

    expect([...first, ...second].toSorted()).toEqual(['a1', 'b1'])
    expect(await ask()).toEqual([])
  })
})

describe('which videos', () => {
  it('not those that have subtitles or a download that may bring some, that cannot be watched, Shorts, or that are not for this person', async () => {
    const left_out = ['subtitled', 'queued', 'gone', 'members', 'live', 'soon', 'dismissed']
    await follows(alice, [
      ...left_out,
      of('short', { video_url: 'https://www.youtube.com/shorts/short' }),
      of('tagged', { title: 'Bread in a minute #Shorts' }),
      'wanted',
    ])
    await has(alice, 'subtitled', 'a/subtitled.mp4', 1, ['en'])
    await sql`update transcripts set lines = ''`
    await alice.library.downloads.request(['queued'])
    await alice.library.viewings.record('wanted', { seen: true })
    await alice.library.viewings.markSome('not_for_me_at', ['dismissed'], new Date())
    for (const [id, availability, live_status] of [
      ['gone', 'removed', null],
      ['members', 'members_only', null],
      ['live', null, 'live'],
      ['soon', null, 'upcoming'],
    ] as const)
      await sql`update video_entries set availability = ${availability}, live_status = ${live_status} where video_id = ${id}`

    expect(await askOften(3)).toEqual(['wanted'])
  })

  it('a video on disk without subtitles, or with forced ones only, whose captions its transcript and search then have', async () => {
    await follows(alice, ['disk', 'forced', 'spoken', 'v1'])
    await has(alice, 'forced', 'a/forced.mp4', 1, ['en-forced', 'en-forced-2'])
    await sql`update transcripts set lines = ''`
    await has(alice, 'spoken', 'a/spoken.mp4', 1)
    await alice.library.transcripts.save('spoken', {
      language: 'en',
      automatic: true,
      lines: [{ start_seconds: 0, text: 'oats' }],
    })
    await has(alice, 'disk', 'a/disk.mp4', 1)
    platform.said.set('disk', said('rye bread'))

    expect(await askOften(4)).toEqual(['disk', 'forced', 'v1'])

    expect(await lineOf(alice, 'disk')).toBe('rye bread')
    const { entries } = await search(alice.library, { q: 'rye on:disk', limit: 9 })
    expect(entries.map(({ video_id, moments }) => [video_id, moments[0]?.text])).toEqual([['disk', 'rye bread']])
  })

  it('a video without captions is asked for once more after a day, and then never', async () => {
    await follows(alice, ['v1'])
    const a_day_later = () => sql`update transcripts set asked_at = asked_at - interval '25 hours'`
    expect(await askOften(2)).toEqual(['v1'])
    await a_day_later()
    expect(await askOften(2)).toEqual(['v1'])
    await a_day_later()
    expect(await askOften(2)).toEqual([])
    expect(await alice.library.transcripts.find('v1')).toBeUndefined()
    expect(await alice.library.transcripts.about('v1')).toBeUndefined()
  })

  it('a video that fails is asked for as one without captions is', async () => {
    await follows(alice, ['v1', 'v2'])
    platform.said.set('v1', failing('geography'))
    expect(await askOften(3)).toEqual(['v1', 'v2'])
  })
})

describe('bounds', () => {
  it('a person gets the captions of twelve videos an hour, one after the other', async () => {
    await follows(alice, ['v1', 'v2'])
    await ask()
    expect(await ask()).toEqual([])
    const [{ wait } = { wait: null }] = await sql`
      select round(extract(epoch from captions_at - now()) / 60)::int as wait from users where id = ${alice.user.user_id}`
    expect(wait).toBe(5)
  })

  it('a host is asked once a minute at most, and one job for it waits at a time', async () => {
    await follows(alice, ['v1', 'v2'])
    await ask()
    await turns()
    expect(await queueCaptions(sql, { isKnownHost })).toBe(0)
    const jobs = await sql`
      select round(extract(epoch from run_at - now()))::int as wait from graphile_worker.jobs where key like 'captions:%'`
    expect(jobs).toEqual([{ wait: captions_apart_s }])
  })

  it('a crowd that waits for another host delays a person, and does not keep their turn away', async () => {
    await sql`update users set captions_at = now() - interval '1 minute' where id = ${alice.user.user_id}`
    await follows(alice, ['v1'])
    for (let nth = 0; nth <= max_people_asked; nth++) {
      const one = await person(sql, 'one')
      await wants(one)
      await follows(one, [of(`other${nth}`, { video_url: `https://videos.example/watch?v=other${nth}` })])
    }

    const asked = [await ask(), await ask('videos.example'), await ask(), await ask('videos.example'), await ask()]

    expect(asked.map(ids => ids.length)).toEqual([0, 1, 0, 1, 1])
    expect(asked.at(-1)).toEqual(['v1'])
  })

  it('a person without any such video is asked about again after a quarter of an hour', async () => {
    expect(await queueCaptions(sql, { isKnownHost })).toBe(0)
    await follows(alice, ['v1'])
    expect(await ask()).toEqual([])
    await turns()
    expect(await ask()).toEqual(['v1'])
  })

  it.each(['rate_limited', 'bot_check'] as const)(
    'a site that refuses (%s) is not asked for captions of the same person until the pause is over, and the video is not counted as asked',
    async reason => {
      await follows(alice, ['v1'])
      platform.said.set('v1', failing(reason))
      expect(await askOften(3)).toEqual(['v1'])
      expect(await listPauses(sql, 9)).toMatchObject([{ host, what: 'captions', username: alice.user.username }])
      const jobs = await sql`select task_identifier as task from graphile_worker.jobs`
      expect(jobs).toEqual([{ task: 'look-at-host' }])

      platform.said.set('v1', said('rye bread'))
      await liftPauses(sql, host)
      await askOften(1)
      expect(await lineOf(alice, 'v1')).toBe('rye bread')
      expect(await sql`select asks from transcripts where user_id = ${alice.user.user_id}`).toEqual([{ asks: 1 }])
    },
  )

  it.each(['tools', 'proxy'] as const)(
    'a fault of the %s is not counted either, and no host is checked for it',
    async reason => {
      await follows(alice, ['v1'])
      platform.said.set('v1', failing(reason))
      await ask()
      expect(await sql`select from graphile_worker.jobs`).toHaveLength(0)
      expect(await sql`select asks from transcripts where user_id = ${alice.user.user_id}`).toEqual([{ asks: 0 }])
    },
  )

  it('a worker that stops meanwhile does not count the video as asked', async () => {
    await follows(alice, ['v1'])
    const listings = { ...platform.listings, fetchCaptions: () => Promise.reject(new Error('the worker stops')) }
    const task = captionsTask({ sql, log: silent, listings, host_limits })
    await expect(task({ host }, {} as JobHelpers)).rejects.toThrow('the worker stops')
    expect(await askOften(1)).toEqual(['v1'])
  })

  it('a video at a paused host does not keep others waiting', async () => {
    await follows(alice, [
      'v1',
      of('v2', { video_url: 'https://videos.example/watch?v=v2', published_at: new Date(0) }),
    ])
    platform.said.set('v1', failing('rate_limited'))
    await ask()
    await turns()
    expect(await ask('videos.example')).toEqual(['v2'])
  })
})
