/** Links to a file that was fetched with the cookies of its person, and the podcast that has it: they work for this person alone. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { performDownload } from '../../../src/domain/downloads/perform-download.ts'
import { storeCookies } from '../../../src/domain/downloads/site-cookies.ts'
import type { Downloader } from '../../../src/ytdlp/fetch/download.ts'
import { unlimited, useApp } from '../../support/app/app.ts'
import { linkOf } from '../../support/app/links.ts'
import { type Person, personWith } from '../../support/app/people.ts'
import { podcastsThrough } from '../../support/app/podcasts.ts'

const app = useApp({ limits: unlimited })
const { ask, sql, textAt } = app
const { podcastOf } = podcastsThrough(app)
const secret_key = 'a-key-of-more-than-thirty-two-letters'

/** Shows its film only to people who are signed in. */
const forMembers: Downloader = async ({ folder, cookies }) => {
  if (cookies === undefined)
    return { failure: { kind: 'permanent', reason: 'members', sentence: 'Members only.', detail: '' } }
  const file = join(folder, 'video.mp4')
  await writeFile(file, 'for members')
  return { file, file_size: 11 }
}

/** A person who wants the one video of this site, and tries to get it. */
async function asks(name: string, with_cookies: boolean): Promise<Person> {
  const who = await personWith(sql, name, 'kitchen', ['v1'])
  await sql`update video_entries set video_url = 'https://films.example/v1' where user_id = ${who.user.user_id}`
  const text = '.films.example\tTRUE\t/\tTRUE\t0\tsession\tof-alice'
  if (with_cookies) await storeCookies(who.library, secret_key, { host: 'films.example', text }, new Date())
  await who.library.downloads.request(['v1'])
  const stopping = new AbortController().signal
  await performDownload({ library: who.library, files: app.files, download: forMembers, stopping, secret_key }, 'v1')
  return who
}

let alice: Person
let bob: Person
beforeEach(async () => {
  alice = await asks('alice', true)
  bob = await asks('bob', false)
})

it('a link plays it, and another person can make none', async () => {
  const { path } = await linkOf(app, alice)
  expect(await textAt(path)).toBe('for members')
  expect((await ask('/api/links', { as: bob, json: { video_id: 'v1' } })).status).toBe(409)
})

it('the podcast of its person has it, and that of another person does not', async () => {
  const podcast = await podcastOf(alice)
  expect(await podcast.ids()).toEqual(['v1'])
  expect(await (await podcast.get('v1.mp4')).text()).toBe('for members')

  const without = await podcastOf(bob)
  expect([await without.ids(), (await without.get('v1.mp4')).status]).toEqual([[], 404])
})
