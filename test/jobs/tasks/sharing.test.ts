/** A person who requests what another one has gets it at once, and nothing that the other one has apart from it. */
import { rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openVideo } from '../../../src/domain/watching/video-file.ts'
import { closeSource } from '../../../src/runtime/sending.ts'
import { wordsHash } from '../../../src/schema/videos/video.ts'
import { useDatabase } from '../../support/app/database.ts'
import { follows, type Person } from '../../support/app/people.ts'
import { useSharing, watch } from '../../support/app/shared-video.ts'

const { sql } = useDatabase()
const scene = useSharing(sql)
const { wants, download, runJobs, status, fileOf } = scene
beforeEach(() => scene.begin())

const give = (more = {}) => runJobs('share-requested', more)
const pathOf = async ({ library }: Person) => (await library.videos.find('v1'))?.download_path ?? ''
const jobs = () => sql`select task_identifier from graphile_worker.jobs where task_identifier = 'download'`

async function aliceHas(video_url = watch): Promise<Person> {
  const alice = await wants('alice', video_url)
  await download(alice)
  expect(await status(alice)).toBe('completed')
  await sql`truncate graphile_worker._private_jobs`
  return alice
}

describe('a file that another person has', () => {
  it('a file that another person has is given at once, without a request to its site, and is stored once', async () => {
    const alice = await aliceHas()
    const bob = await wants('bob')
    await sql`insert into host_pauses (host, user_id, until, reason) values ('youtube.com', null, now() + interval '1 hour', 'asked')`

    await give()

    expect([await status(bob), scene.site().requests.length]).toEqual(['completed', 1])
    expect((await fileOf(bob))?.ino).toBe((await fileOf(alice))?.ino)
    expect(await pathOf(bob)).toContain(bob.user.user_id)
    expect(await jobs()).toEqual([])
    expect((await bob.library.videos.find('v1'))?.file_size).toBe((await fileOf(alice))?.size)
  })

  it('a shared file is the same at any of the addresses of the video', async () => {
    await aliceHas()
    const bob = await wants('bob', 'https://youtu.be/a-b_c1D2e3F?si=abc')
    await give()
    expect(await status(bob)).toBe('completed')
  })

  it('a shared file stays when the other person deletes theirs, and the other way round', async () => {
    const alice = await aliceHas()
    const bob = await wants('bob')
    await give()

    await alice.library.downloads.deleteFile('v1', path => scene.parts().files.remove(path))

    expect([await status(alice), await fileOf(alice)]).toEqual(['pending', undefined])
    expect([await status(bob), (await fileOf(bob))?.nlink]).toEqual(['completed', 1])
    await alice.library.downloads.request(['v1'])
    await give()
    expect((await fileOf(alice))?.ino).toBe((await fileOf(bob))?.ino)
    expect(scene.site().requests).toHaveLength(1)
  })

  it('a file is given with its subtitles and with what its site says about it', async () => {
    const published_at = new Date('2026-05-01T18:30:00Z')
    scene.site().says({
      duration_seconds: 63,
      live_status: 'was_live',
      published_at,
      published_precision: 'exact',
      chapters: [{ start_seconds: 0, title: 'Start' }],
    })
    const alice = await aliceHas()
    await sql`update video_entries set subtitles = '{en}' where user_id = ${alice.user.user_id}`
    await writeFile(join(scene.folder(), (await pathOf(alice)).replace('.mp4', '.en.vtt')), 'WEBVTT')
    const bob = await wants('bob', watch, { published_at: null })

    await give()

    const video = await bob.library.videos.find('v1')
    expect(video).toMatchObject({ subtitles: ['en'], duration_seconds: 63, live_status: 'was_live', published_at })
    expect(await bob.library.videos.chapters('v1')).toEqual([{ start_seconds: 0, title: 'Start' }])
    expect(await scene.parts().files.exists((await pathOf(bob)).replace('.mp4', '.en.vtt'))).toBe(true)
  })

  it('a file is given without what only the feed of the other person says about it', async () => {
    const bob = await wants('bob', watch, { duration_seconds: 86_400 })
    await sql`update video_entries set live_status = 'was_live', availability = 'age_restricted'`
    scene.site().says({ availability: 'public' })
    await download(bob)
    const alice = await wants('alice')

    await give()

    expect(await alice.library.videos.find('v1')).toMatchObject({
      download_status: 'completed',
      duration_seconds: null,
      live_status: null,
      availability: 'public',
    })
  })

  it('a file is given with what its site said when the first person got it, from one person to the next', async () => {
    scene.site().says({ duration_seconds: 63 })
    const alice = await aliceHas()
    await wants('bob', watch, { duration_seconds: 86_400 })
    await give()
    await alice.library.downloads.deleteFile('v1', path => scene.parts().files.remove(path))
    const carol = await wants('carol')
    await give()
    expect(await carol.library.videos.find('v1')).toMatchObject({ download_status: 'completed', duration_seconds: 63 })
  })

  it('a shared file is in both channels of a person who has the video in two', async () => {
    await aliceHas()
    const bob = await wants('bob')
    await follows(bob, 'second', ['other'])
    await sql`
      insert into video_entries (user_id, channel_id, video_id, video_url, title, download_requested_at)
      select user_id, 'second', video_id, video_url, title, download_requested_at
      from   video_entries where user_id = ${bob.user.user_id} and video_id = 'v1'`
    await give()
    const rows =
      await sql`select download_path, download_quality from video_entries where user_id = ${bob.user.user_id} and video_id = 'v1'`
    expect(rows).toHaveLength(2)
    expect(rows[0]).toEqual(rows[1])
  })

  it('a shared file has the time of the person who got it, so its headers do not say since when others have it', async () => {
    const alice = await aliceHas()
    const long_ago = new Date('2026-01-01T00:00:00Z')
    await utimes(join(scene.folder(), await pathOf(alice)), long_ago, long_ago)
    const bob = await wants('bob')
    await give()
    expect((await fileOf(bob))?.mtime).toEqual(long_ago)

    const { file } = await openVideo(bob.library, scene.parts().files, 'v1')

    await closeSource(file.source)
    expect(file.modified_at).toEqual((await bob.library.videos.find('v1'))?.download_completed_at)
    expect(file.etag).not.toContain(long_ago.getTime().toString(36))
  })

  it('a shared file counts in full towards the quota of the person who gets it', async () => {
    await aliceHas()
    const bob = await wants('bob')
    await give({ room: { min_free_bytes: 0, quota_bytes: 10 } })
    expect([await status(bob), await fileOf(bob)]).toEqual(['failed', undefined])
    expect((await bob.library.videos.find('v1'))?.download_error).toMatch(/GB you can keep/)
  })

  it('a shared file ends no pause of the host and begins none, because the site was not requested', async () => {
    await aliceHas()
    await sql`update video_entries set download_completed_at = now() - interval '1 minute'`
    const bob = await wants('bob')
    await give()
    const { blockedFlags } = await import('../../../src/db/downloads/everyone/hosts.ts')
    const limits = { host_concurrency: 2, host_pause_seconds: 5, isOurs: () => false }
    expect([await status(bob), await blockedFlags(sql, limits)]).toEqual(['completed', []])
  })
})

describe('a file that must not be given', () => {
  const expectStillQueued = async (bob: Person, more = {}) => {
    await give(more)
    expect([await status(bob), await fileOf(bob)]).toEqual(['pending', undefined])
    expect((await bob.library.videos.find('v1'))?.queued).toBe(true)
    expect(await jobs()).toHaveLength(1)
  }

  it('no file is given with SHARE_FILES=off, at the request or at the start of the download', async () => {
    await aliceHas()
    const bob = await wants('bob')
    await expectStillQueued(bob, { is_sharing: false })
    await download(bob, { is_sharing: false })
    expect([await status(bob), scene.site().requests.length]).toEqual(['completed', 2])
  })

  it('a file is not given in another quality', async () => {
    await aliceHas()
    const bob = await wants('bob')
    await bob.library.settings.save({ quality: '720' })
    await expectStillQueued(bob)
  })

  it('an imported file is not given, because its quality is unknown', async () => {
    await aliceHas()
    await sql`update video_entries set download_quality = null`
    await expectStillQueued(await wants('bob'))
  })

  it.each(['removed', 'private', 'members_only'])(
    'is not given once its video is %s, in either row',
    async availability => {
      const alice = await aliceHas()
      const bob = await wants('bob')
      await sql`update video_entries set availability = ${availability} where user_id = ${alice.user.user_id}`
      await expectStillQueued(bob)
      await sql`update video_entries set availability = case when user_id = ${bob.user.user_id} then ${availability} end`
      await expectStillQueued(bob)
    },
  )

  it.each([
    ['another address under the same id', 'https://evil.example/watch?v=a-b_c1D2e3F', 'v1'],
    ['an address that only looks like it', 'https://www.youtube.com/watch?x=;v=b-c_d2E3f4G&v=a-b_c1D2e3F', 'v1'],
  ])('a file is not given to a feed that claims its id for %s', async (_, video_url) => {
    await aliceHas()
    await expectStillQueued(await wants('bob', video_url))
  })

  it('a file is not given under an address that the feed of its owner named only after the download', async () => {
    const mallory = await aliceHas('https://evil.example/v1')
    await sql`update video_entries set video_url = ${watch} where user_id = ${mallory.user.user_id}`
    await expectStillQueued(await wants('bob'))
  })

  it('a file is not given with words of another person’s entry, but is given if the words are the same', async () => {
    const alice = await wants('alice', 'https://files.example/film.mp4')
    const video = await alice.library.videos.find('v1')
    if (video) scene.site().writesWords(wordsHash(video))
    await download(alice)
    const bob = await wants('bob', 'https://files.example/film.mp4', { title: 'Words of bob’s feed' })
    const carol = await wants('carol', 'https://files.example/film.mp4')
    await give()
    expect([await status(bob), await status(carol), scene.site().requests.length]).toEqual(['pending', 'completed', 1])
    const [row] = await sql`select words_hash from video_entries where user_id = ${carol.user.user_id}`
    expect(row?.words_hash).toBe(video && wordsHash(video))
  })

  it('a file that is missing on the disk is not given, and the video is downloaded', async () => {
    const alice = await aliceHas()
    await rm(join(scene.folder(), await pathOf(alice)))
    const bob = await wants('bob')
    await expectStillQueued(bob)
    await download(bob)
    expect([await status(bob), scene.site().requests.length]).toEqual(['completed', 2])
  })

  it('a file is not given if its owner replaced it between the query and the copy', async () => {
    const alice = await aliceHas()
    const bob = await wants('bob')
    const { files } = scene.parts()
    const stageCopy: typeof files.stageCopy = async (...copy) => {
      await sql`update video_entries set download_completed_at = now() where user_id = ${alice.user.user_id}`
      return files.stageCopy(...copy)
    }
    await expectStillQueued(bob, { files: { ...files, stageCopy } })
  })
})
