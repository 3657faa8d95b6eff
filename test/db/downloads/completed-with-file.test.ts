/** Downloads that are completed with a file that a person had already. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { FileInHand } from '../../../src/db/downloads/completed-with-file.ts'
import { useApp } from '../../support/app/app.ts'
import { aLockIsWaitedFor } from '../../support/app/database.ts'
import { entry, follows, has, type Person, person } from '../../support/app/people.ts'

const { sql } = useApp({ connections: 4 })

let alice: Person
let bob: Person
let puts: number
let purged: string[]
const taken = (more: Partial<FileInHand> = {}): FileInHand => ({
  claim: crypto.randomUUID(),
  download_path: `${alice.user.user_id}/kitchen/v1.mp4`,
  file_size: 7,
  subtitles: ['en'],
  put: async () => {
    puts += 1
  },
  purge: async path => {
    purged.push(path)
  },
  ...more,
})
const jobs = () => sql`select from graphile_worker._private_jobs where key like ${`download:${alice.user.user_id}%`}`

beforeEach(async () => {
  alice = await person(sql, 'alice')
  bob = await person(sql, 'bob')
  puts = 0
  purged = []
  await follows(alice, 'kitchen', ['v1', 'v2'])
  await follows(bob, 'kitchen', ['v1'])
})

describe('a file that its person had', () => {
  it('a file that its person had replaces the file of the same video in the bin, which is purged', async () => {
    const download_path = `${alice.user.user_id}/kitchen/v1.m4a`
    await has(alice, 'v1', download_path, 3)
    await alice.library.downloads.discardFile('v1', async () => {})

    expect(await alice.library.downloads.completeWithFile('v1', taken())).toBe('completed')

    expect([purged, puts]).toEqual([[download_path], 1])
    expect(await alice.library.bin.videoIds({ limit: 9 })).toEqual([])
  })

  it('a file that its person had completes the download of its person alone, as if that person had requested it', async () => {
    expect(await alice.library.downloads.completeWithFile('v1', taken())).toBe('completed')

    expect(await alice.library.videos.find('v1')).toMatchObject({
      download_status: 'completed',
      download_path: `${alice.user.user_id}/kitchen/v1.mp4`,
      file_size: 7,
      subtitles: ['en'],
      queued: false,
      title: 'Video v1',
    })
    const [row] =
      await sql`select download_asked_by from video_entries where user_id = ${alice.user.user_id} and video_id = 'v1'`
    expect([row, puts]).toEqual([{ download_asked_by: 'person' }, 1])
    expect(await bob.library.videos.find('v1')).toMatchObject({ download_status: 'pending' })
    expect(await jobs()).toHaveLength(0)
  })

  it('a file that its person had ends a waiting download, whose job is removed', async () => {
    await alice.library.downloads.request(['v1'], 'rule')
    expect(await jobs()).toHaveLength(1)
    expect(await alice.library.downloads.completeWithFile('v1', taken())).toBe('completed')
    expect(await jobs()).toHaveLength(0)
    expect(await alice.library.downloads.start('v1', crypto.randomUUID())).toBeUndefined()
  })

  it('a file that its person had replaces the failure of an earlier download', async () => {
    const claim = crypto.randomUUID()
    await alice.library.downloads.request(['v1'])
    await alice.library.downloads.start('v1', claim)
    await alice.library.downloads.fail('v1', claim, { download_error: 'It failed.', next_attempt_at: null })
    expect(await alice.library.downloads.completeWithFile('v1', taken())).toBe('completed')
    expect(await alice.library.videos.find('v1')).toMatchObject({ download_status: 'completed', download_error: null })
  })

  it('taking over a file never touches a running download, a completed one, or a video of another person', async () => {
    await alice.library.downloads.request(['v1'])
    await alice.library.downloads.start('v1', crypto.randomUUID())
    expect(await alice.library.downloads.completeWithFile('v1', taken())).toBe('running')
    expect(await alice.library.downloads.completeWithFile('v2', taken())).toBe('completed')
    expect(await alice.library.downloads.completeWithFile('v2', taken())).toBe('has_file')
    expect(await bob.library.downloads.completeWithFile('v2', taken())).toBe('gone')
    expect(puts).toBe(1)
  })

  it('taking over a file changes nothing when the file cannot be put into its place', async () => {
    const put = () => Promise.reject(new Error('no space'))
    await expect(alice.library.downloads.completeWithFile('v1', taken({ put }))).rejects.toThrow('no space')
    expect(await alice.library.videos.find('v1')).toMatchObject({ download_status: 'pending', queued: false })
  })

  it('of two files that a person had, given at once, one completes the download', async () => {
    let second: Promise<unknown> | undefined
    const put = async () => {
      second = alice.library.downloads.completeWithFile('v1', taken())
      await aLockIsWaitedFor(sql)
    }
    expect(await alice.library.downloads.completeWithFile('v1', taken({ put }))).toBe('completed')
    expect([await second, puts]).toEqual(['has_file', 0])
  })

  it('a file that its person had arrives together with its video, or not at all', async () => {
    const channel = { channel_id: 'studio', title: 'Studio' }
    const broken = taken({ put: () => Promise.reject(new Error('no space')) })
    await expect(alice.library.channels.addVideo(channel, entry('v9'), broken)).rejects.toThrow('no space')
    expect(await alice.library.videos.find('v9')).toBeUndefined()
    expect(await alice.library.channels.find('studio')).toBeUndefined()

    const added = await alice.library.channels.addVideo(channel, entry('v9'), taken())
    expect(added).toMatchObject({ video_id: 'v9', created: true, completed: 'completed' })
    expect(await alice.library.videos.find('v9')).toMatchObject({ download_status: 'completed', channel_id: 'studio' })
  })
})
