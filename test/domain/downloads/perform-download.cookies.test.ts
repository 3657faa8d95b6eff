/** Runs that are private to their person, where something goes wrong beside the download itself. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { performDownload, type RunParts } from '../../../src/domain/downloads/perform-download.ts'
import { storeCookies } from '../../../src/domain/downloads/site-cookies.ts'
import { filesIn } from '../../../src/store/local-files.ts'
import type { Downloader } from '../../../src/ytdlp/fetch/download.ts'
import { useDatabase } from '../../support/app/database.ts'
import { type Person, personWith } from '../../support/app/people.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const { sql } = useDatabase()
const stopping = new AbortController().signal
const secret_key = 'a-key-of-more-than-thirty-two-letters'
const folder = newFolder()
let alice: Person
beforeEach(async () => {
  alice = await personWith(sql, 'alice', 'kitchen', ['v1'])
  await sql`update video_entries set video_url = 'https://films.example/v1' where user_id = ${alice.user.user_id}`
  await alice.library.downloads.request(['v1'])
})

const work = (download: Downloader, parts: Partial<RunParts> = {}) =>
  performDownload({ library: alice.library, files: filesIn(folder), download, stopping, secret_key, ...parts }, 'v1')

/** Shows its film only to people who are signed in. */
const forMembers: Downloader = async ({ folder, cookies }) => {
  if (cookies === undefined)
    return { failure: { kind: 'permanent', reason: 'members', sentence: 'Members only.', detail: '' } }
  const file = join(folder, 'video.mp4')
  await writeFile(file, 'whole')
  return { file, file_size: 5 }
}

it('a download with cookies is complete, although it cannot be noted that they worked', async () => {
  const text = '.films.example\tTRUE\t/\tTRUE\t0\tsession\tof-alice'
  await storeCookies(alice.library, secret_key, { host: 'films.example', text }, new Date())
  const recordUse = async () => {
    throw new Error('The database is away.')
  }
  const library = { ...alice.library, cookies: { ...alice.library.cookies, recordUse } }

  expect(await work(forMembers, { library })).toBe('completed_privately')
  expect(await alice.library.videos.status('v1')).toMatchObject({ download_status: 'completed' })
})

it.each(['https://youtu.be/abcdefghijk', 'http://www.youtube.com/watch?v=abcdefghijk'])(
  'a video at %s, as its feed spells it, is of the site that its platform names',
  async video_url => {
    await sql`update video_entries set video_url = ${video_url} where user_id = ${alice.user.user_id}`
    const text = '.youtube.com\tTRUE\t/\tTRUE\t0\tLOGIN_INFO\tof-alice'
    await storeCookies(alice.library, secret_key, { host: 'youtube.com', text }, new Date())

    expect(await work(forMembers)).toBe('completed_privately')
  },
)

it('a video at an http address of no known platform is not asked for with cookies', async () => {
  await sql`update video_entries set video_url = 'http://films.example/v1' where user_id = ${alice.user.user_id}`
  const text = '.films.example\tTRUE\t/\tTRUE\t0\tsession\tof-alice'
  await storeCookies(alice.library, secret_key, { host: 'films.example', text }, new Date())

  expect(await work(forMembers)).toBe('failed')
})

it('a run that has lost its claim does not go on with private files that it found', async () => {
  const files = filesIn(folder)
  const isPrivate = async () => {
    await sql`update video_entries set download_claim = ${crypto.randomUUID()} where user_id = ${alice.user.user_id}`
    return true
  }

  expect(await work(() => expect.unreachable(), { files: { ...files, isPrivate } })).toBe('lost')
})
