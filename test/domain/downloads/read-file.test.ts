/** What stored files say, read with the real ffprobe. */
import { readFile as bytesOf, copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unreadFilesQueue } from '../../../src/db/downloads/everyone/due-downloads.ts'
import { performDownload } from '../../../src/domain/downloads/perform-download.ts'
import { readFile } from '../../../src/domain/downloads/read-file.ts'
import type { Downloaded } from '../../../src/ytdlp/fetch/download.ts'
import { useDatabase } from '../../support/app/database.ts'
import { follows, type Person, person } from '../../support/app/people.ts'
import { openTestStorage, storage_kinds, type TestStorage } from '../../support/app/storages.ts'
import { getFilm, minute_s } from '../../support/media/films.ts'
import { toolsForTests } from '../../support/process/tools.ts'

const { sql } = useDatabase()
const never = new AbortController().signal
const streams = {
  video: { codec: 'av1', profile: 'Main', width: 1920, height: 1080, frame_rate: 60, bits: 10, is_hdr: true },
  sounds: [{ codec: 'opus', channels: 2, language: 'de', title: null }],
  duration_seconds: minute_s,
  is_compatible: false,
}

describe.each(storage_kinds)('in %s', kind => {
  let storage: TestStorage
  beforeAll(async () => {
    storage = await openTestStorage(kind)
  })
  afterAll(() => storage.close())

  /** Alice has a film of a minute. `more`: what else is known of it. */
  async function aliceHas(video_id: string, more: Partial<Downloaded> = {}): Promise<Person> {
    const alice = await person(sql, 'alice')
    await follows(alice, 'kitchen', [video_id])
    await alice.library.downloads.request([video_id])
    const film = await getFilm('/minute.mp4')
    const download = async ({ folder }: { folder: string }) => {
      await copyFile(film, join(folder, 'video.mp4'))
      return { file: join(folder, 'video.mp4'), file_size: (await bytesOf(film)).length, ...more }
    }
    const { files } = storage
    await performDownload({ library: alice.library, files, download, stopping: never }, video_id)
    return alice
  }
  const read = ({ library }: Person, video_id: string) =>
    readFile(library, { files: storage.files, findTools: async () => toolsForTests() }, video_id, never)
  const lengthOf = async ({ library }: Person, video_id: string) =>
    (await library.videos.find(video_id))?.duration_seconds
  /** The videos of one person whose files wait to be read. */
  const queued = async ({ user }: Person) => {
    await unreadFilesQueue()(sql)
    const jobs = await sql<{ video_id: string }[]>`
      delete from graphile_worker._private_jobs
      where  starts_with(key, ${`file:${user.user_id}:`})
      returning payload->>'video_id' as video_id`
    return jobs.map(({ video_id }) => video_id)
  }

  it('a file from before is queued, read once, and gives its length', async () => {
    const alice = await aliceHas('old')
    expect([await lengthOf(alice, 'old'), await queued(alice)]).toEqual([null, ['old']])

    await read(alice, 'old')

    expect([await lengthOf(alice, 'old'), await queued(alice)]).toEqual([minute_s, []])
  })

  it('a new download stores what its file says, and is not read again', async () => {
    const chapters = [
      { start_seconds: 0, title: 'One' },
      { start_seconds: 30, title: 'Two' },
    ]
    const alice = await aliceHas('new', { in_file: { duration_seconds: minute_s, chapters, streams } })

    expect([await lengthOf(alice, 'new'), await queued(alice)]).toEqual([minute_s, []])
    expect((await alice.library.videos.find('new'))?.file).toEqual(streams)
    const [row] = await sql`select chapters from video_entries where user_id = ${alice.user.user_id}`
    expect(row?.chapters).toEqual(chapters)
  })

  it('a file of which only length and chapters were read is read once more, for its streams', async () => {
    const alice = await aliceHas('before', { in_file: { duration_seconds: minute_s } })
    expect(await queued(alice)).toEqual(['before'])

    await read(alice, 'before')

    const { file } = (await alice.library.videos.find('before')) ?? {}
    expect(file?.video).toMatchObject({ codec: 'h264', bits: 8, is_hdr: false })
    expect([Math.round(file?.duration_seconds ?? 0), await queued(alice)]).toEqual([minute_s, []])
  })

  it('a file that cannot be read is not read again', async () => {
    const alice = await aliceHas('noise')
    const [row] = await sql`select download_path from video_entries where user_id = ${alice.user.user_id}`
    await storage.files.remove(row?.download_path)

    await read(alice, 'noise')

    expect([(await alice.library.videos.find('noise'))?.file, await queued(alice)]).toEqual([null, []])
  })

  it('what the site said stays', async () => {
    const said = { live_status: null, availability: null, published_precision: null, published_at: null }
    const facts = { ...said, duration_seconds: 59, chapters: [{ start_seconds: 0, title: 'All' }] }
    const alice = await aliceHas('said', { facts: facts as Downloaded['facts'] })

    await read(alice, 'said')

    expect(await lengthOf(alice, 'said')).toBe(59)
  })
})

it('goes on with the files after those it has looked at, of all people, and begins again at the end', async () => {
  const queue = unreadFilesQueue(2)
  const people = await Promise.all(['one', 'two', 'three'].map(name => person(sql, name)))
  for (const { user, ...alice } of people) {
    await follows({ user, ...alice }, `of-${user.username}`, ['v'])
    await sql`
      update video_entries
      set    download_status = 'COMPLETED', download_path = 'gone.mp4', file_size = 1, file_is_read = true
      where  user_id = ${user.user_id}`
  }
  const found = async () => {
    await sql`delete from graphile_worker._private_jobs`
    await queue(sql)
    const jobs = await sql`
      select from graphile_worker._private_jobs
      where  payload->>'user_id' = any(${people.map(({ user }) => user.user_id)}::text[])`
    return jobs.length
  }

  const all = await sql`select distinct user_id, video_id from video_entries where standing = 'done'`
  let seen = 0
  for (let calls = 0; calls <= all.length / 2; calls++) seen += await found()

  expect(seen).toBe(people.length)
})
