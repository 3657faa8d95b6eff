/** What stored files say, read with the real ffprobe. */
import { readFile as bytesOf, copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { queueUnreadFiles } from '../../../src/db/downloads/everyone/due-downloads.ts'
import { performDownload } from '../../../src/domain/downloads/perform-download.ts'
import { readFile } from '../../../src/domain/downloads/read-file.ts'
import type { Downloaded } from '../../../src/ytdlp/run/download.ts'
import { useDatabase } from '../../support/app/database.ts'
import { follows, type Person, person } from '../../support/app/people.ts'
import { openTestStorage, storage_kinds, type TestStorage } from '../../support/app/storages.ts'
import { getFilm, minute_s } from '../../support/media/films.ts'
import { toolsForTests } from '../../support/process/tools.ts'

const { sql } = useDatabase()
const never = new AbortController().signal

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
    await queueUnreadFiles(sql)
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
    const alice = await aliceHas('new', { in_file: { duration_seconds: minute_s, chapters } })

    expect([await lengthOf(alice, 'new'), await queued(alice)]).toEqual([minute_s, []])
    const [row] = await sql`select chapters from video_entries where user_id = ${alice.user.user_id}`
    expect(row?.chapters).toEqual(chapters)
  })

  it('what the site said stays', async () => {
    const said = { live_status: null, availability: null, published_precision: null, published_at: null }
    const about = { ...said, duration_seconds: 59, chapters: [{ start_seconds: 0, title: 'All' }] }
    const alice = await aliceHas('said', { about: about as Downloaded['about'] })

    await read(alice, 'said')

    expect(await lengthOf(alice, 'said')).toBe(59)
  })
})
