/** Saves plan the pictures of what they have written. */
import { beforeEach, expect, it } from 'vitest'
import { describeChannel } from '../../../src/db/channels/everyone/listings.ts'
import { saveForFollowers } from '../../../src/db/channels/everyone/save-for-followers.ts'
import { picturesOf } from '../../../src/db/saving/saving.ts'
import { useDatabase } from '../../support/app/database.ts'
import { entry, follows, person } from '../../support/app/people.ts'
import { statementsOf } from '../../support/app/statements.ts'

const { sql } = useDatabase()
beforeEach(() => sql`truncate pictures`)

const planned = () => sql<{ kind: string; url: string; is_wanted: boolean }[]>`
  select kind, url, is_wanted from pictures order by kind, url`
const video = (id: string, is_wanted = true) => ({ kind: 'video', url: `https://videos.example/${id}.jpg`, is_wanted })

it('following a channel plans its picture and those of its videos, and they come first', async () => {
  const alice = await person(sql, 'alice')
  const channel = {
    channel_id: 'c',
    title: 'C',
    rss_url: 'https://videos.example/c',
    image_url: 'https://i.example/c.png',
  }
  await alice.library.channels.save(channel, [entry('v1'), entry('v2'), entry('v3', { thumbnail_url: null })])
  const of_channel = { kind: 'channel', url: 'https://i.example/c.png', is_wanted: true }
  expect(await planned()).toEqual([of_channel, video('v1'), video('v2')])
})

it('a feed of many followers plans its pictures once, and an unchanged one none', async () => {
  const people = [await person(sql, 'alice'), await person(sql, 'bob'), await person(sql, 'carol')]
  for (const someone of people) await follows(someone, 'many', ['v1'])
  await sql`truncate pictures`
  const update = {
    rss_url: 'https://videos.example/many.xml',
    feed: { channel_id: 'many', title: 'Many', entries: [entry('v1'), entry('v2')], skipped: 0 },
    followers: people.map(({ user }) => ({ user_id: user.user_id, channel_id: 'many' })),
    known: { etag: null, last_modified: null, body_hash: null, every_minutes: null },
    next_fetch_at: new Date(),
  }
  const plans = async () =>
    (await statementsOf(sql, () => saveForFollowers(sql, [update]))).filter(text =>
      text.includes('insert into pictures'),
    )
  expect(await plans()).toHaveLength(1)
  expect(await planned()).toEqual([video('v1'), video('v2')])
  expect(await plans()).toHaveLength(0)
})

it('a picture that two feeds name at the same time is planned once', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, (_, at) => person(sql, `p${at}`)))
  const ids = Array.from({ length: 15 }, (_, at) => `v${at}`)
  await Promise.all(people.map((one, at) => follows(one, `c${at}`, at % 2 === 0 ? ids : ids.toReversed())))
  expect(await planned()).toHaveLength(ids.length)
})

it('another picture of a known video is planned, though the video does not count as updated', async () => {
  const alice = await person(sql, 'alice')
  await follows(alice, 'kitchen', [entry('a', { thumbnail_url: 'https://i.example/old.jpg' })])
  await sql`delete from pictures`
  const channel = { channel_id: 'kitchen', title: 'Kitchen', rss_url: 'https://videos.example/kitchen.xml' }
  const { saved } = await alice.library.channels.save(channel, [
    entry('a', { thumbnail_url: 'https://i.example/new.jpg' }),
  ])
  expect(saved).toEqual({ inserted: 0, updated: 0, unchanged: 1 })
  expect(await planned()).toEqual([{ kind: 'video', url: 'https://i.example/new.jpg', is_wanted: true }])
})

it('what a listing gives a channel is planned', async () => {
  const alice = await person(sql, 'alice')
  await follows(alice, 'listed', [])
  const image_url = 'https://i.example/listed.png'
  await describeChannel(sql, 'https://videos.example/listed.xml', { title: null, image_url, page_url: null })
  expect(await planned()).toEqual([{ kind: 'channel', url: image_url, is_wanted: true }])
})

it('older videos of a listing, and those far down in a feed, do not come first', () => {
  const entries = Array.from({ length: 61 }, (_, at) => ({ thumbnail_url: `https://i.example/${at}.jpg` }))
  const results = [{ feed: 0, created: false, is_written: true }]
  const wanted = (source: 'feed' | 'listing') =>
    picturesOf([{ row: { image_url: null }, entries }], results, source).filter(({ is_wanted }) => is_wanted).length
  expect([wanted('feed'), wanted('listing')]).toEqual([60, 0])
})
