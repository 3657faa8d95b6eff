/** Which films get a sound, without a request; and workers that end while they cut one. */
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath, platform } from 'node:process'
import { execa } from 'execa'
import { describe, expect, it, vi } from 'vitest'
import { cutSoundTask } from '../../../jobs/tasks/downloads.ts'
import { no_limits } from '../../../src/domain/downloads/room.ts'
import { soundPath } from '../../../src/store/paths.ts'
import { useDatabase } from '../../support/app/database.ts'
import { lock } from '../../support/app/locks.ts'
import { follows, type Person, person } from '../../support/app/people.ts'
import { packetsOf, sizeOf, useFilms } from '../../support/app/sounds.ts'
import { storage_kinds } from '../../support/app/storages.ts'
import { getFilm } from '../../support/media/films.ts'
import { toolsForTests } from '../../support/process/tools.ts'

const { sql, url } = useDatabase()

/** Takes the waiting jobs of this person. */
const takeJobs = async ({ user }: Person) => {
  const jobs = await sql<{ payload: unknown }[]>`
    delete from graphile_worker._private_jobs
    where  starts_with(key, ${`sound:${user.user_id}:`})
    returning payload`
  return jobs.map(({ payload }) => payload)
}

describe.each(storage_kinds)('in %s', kind => {
  const { storage, downloads, cut, soundOf, about, bytesOf, pathOf } = useFilms(sql, kind)
  const run = (payload: unknown, is_sharing = true) => {
    const task = cutSoundTask({ ...parts, sql, files: storage().files, is_sharing })
    return Reflect.apply(task, undefined, [payload, {}])
  }
  const parts = { findTools: async () => toolsForTests(), room: no_limits }

  it('a film in a podcast of sound gets its sound after the download', async () => {
    const alice = await person(sql, 'alice')
    await follows(alice, 'kitchen', ['v'])
    await sql`insert into podcast_feeds (user_id, list, kind) values (${alice.user.user_id}, 'all', 'audio')`

    await downloads(alice, '/talk.mp4')
    const [job] = await takeJobs(alice)
    await run(job)

    expect(await packetsOf((await soundOf(alice)) ?? '')).toBe(await packetsOf(await getFilm('/talk.mp4')))
    expect(await takeJobs(alice)).toEqual([])
  })

  it('a film that another person has too gets the sound that was cut for them', async () => {
    // Files of earlier tests are not in this storage, and only a few owners of a file are looked at.
    await sql`update video_entries set address_hash = null`
    const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
    for (const who of [alice, bob]) await follows(who, 'kitchen', ['v'])
    await downloads(alice, '/talk.mp4')
    await cut(alice)
    await downloads(bob, '/silent.mp4', { sharing: sql })
    expect((await bob.library.videos.find('v'))?.file_size).toBe(await sizeOf('/talk.mp4'))

    await cut(bob, { sharing: sql, findTools: async () => ({ ...toolsForTests(), ffmpeg: '/nowhere/ffmpeg' }) })

    expect(await about(bob)).toEqual({ ...(await about(alice)), download_path: await pathOf(bob) })
    expect(await packetsOf((await soundOf(bob)) ?? '')).toBe(await packetsOf(await getFilm('/talk.mp4')))
    expect(await bytesOf(bob)).toBe(await bytesOf(alice))
    await storage().files.remove(await pathOf(alice))
    expect(await soundOf(bob)).toEqual(expect.any(String))
  })

  it('a film that is another one than that of the other person gets a sound of its own', async () => {
    const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
    for (const who of [alice, bob]) await follows(who, 'kitchen', ['v'])
    await downloads(alice, '/talk-ac3.mp4')
    await cut(alice)
    await downloads(bob, '/talk.mp4')

    await cut(bob, { sharing: sql })

    expect(await packetsOf((await soundOf(bob)) ?? '')).toBe(await packetsOf(await getFilm('/talk.mp4')))
  })
})

describe('podcasts of sound', () => {
  const { downloads } = useFilms(sql, 'a folder')

  it('of a locked person get none', async () => {
    const alice = await person(sql, 'alice')
    await follows(alice, 'kitchen', ['v'])
    await downloads(alice, '/talk.mp4')
    await alice.library.sounds.want(['v'])

    await lock(sql, alice)
    await alice.library.sounds.want(['v'])

    expect(await takeJobs(alice)).toEqual([])
  })

  describe('whose films wait for their sound', () => {
    const withFilms = async (name: string, video_ids: string[]) => {
      const made = await person(sql, name)
      await follows(made, 'kitchen', video_ids)
      await sql`
        update video_entries
        set    download_status = 'COMPLETED', download_path = 'place/' || video_id || '.mp4', file_size = 1, download_completed_at = now()
        where  user_id = ${made.user.user_id}`
      await made.library.sounds.want(video_ids)
      return made
    }
    const jobsOf = ({ user }: Person) => sql<{ attempts: number; priority: number; run_at: Date }[]>`
      select   attempts, priority, run_at
      from     graphile_worker.jobs
      where    starts_with(key, ${`sound:${user.user_id}:`})
      order by priority`
    const attempted = (who: Person, attempts: number) => sql`
      update graphile_worker._private_jobs set attempts = ${attempts} where starts_with(key, ${`sound:${who.user.user_id}:`})`

    it('is read again: their jobs stay as they are, until all attempts are used up', async () => {
      const alice = await withFilms('alice', ['a', 'b'])
      await attempted(alice, 2)
      const before = await jobsOf(alice)

      await alice.library.sounds.want(['a', 'b'])
      expect([before.length, await jobsOf(alice)]).toEqual([2, before])

      await attempted(alice, 5)
      await alice.library.sounds.want(['a', 'b'])
      expect((await jobsOf(alice)).map(({ attempts }) => attempts)).toEqual([0, 0])
    })

    it('delay the first film of another person by one', async () => {
      const many = Array.from({ length: 20 }, (_, at) => `v${at}`)
      const alice = await withFilms('alice', many)
      const bob = await withFilms('bob', ['b'])

      const [his] = await jobsOf(bob)
      expect((await jobsOf(alice)).filter(({ priority }) => priority <= (his?.priority ?? 0))).toHaveLength(1)
    })
  })

  const isWanted = async (feed: (who: Person) => Promise<unknown>) => {
    const alice = await person(sql, 'alice')
    await follows(alice, 'kitchen', ['v'])
    await feed(alice)
    await downloads(alice, '/silent.mp4')
    return (await takeJobs(alice)).length > 0
  }
  const add = (user_id: string, of: object, kind = 'audio') => sql`
    insert into podcast_feeds ${sql({ user_id, kind, ...of })}`

  it('of everything, of a channel, of a group, of a playlist and of Watch later want the sound', async () => {
    const channel = async ({ user: { user_id } }: Person) => {
      const [{ id } = { id: 0 }] = await sql<{ id: number }[]>`select id from channels where user_id = ${user_id}`
      await add(user_id, { channel_id: id })
    }
    const group = async ({ user: { user_id } }: Person) => {
      const [made] = await sql<{ group_id: string }[]>`
        insert into groups (user_id, name) values (${user_id}, 'Food') returning group_id`
      await sql`insert into channel_groups (user_id, channel_id, group_id) values (${user_id}, 'kitchen', ${made?.group_id ?? ''})`
      await add(user_id, { group_id: made?.group_id })
    }
    const playlist = async ({ user: { user_id } }: Person) => {
      const [made] = await sql<{ playlist_id: string }[]>`
        insert into playlists (user_id, name) values (${user_id}, 'Bread') returning playlist_id`
      const playlist_id = made?.playlist_id ?? ''
      await sql`insert into playlist_videos ${sql({ user_id, playlist_id, video_id: 'v', place: 1 })}`
      await add(user_id, { playlist_id })
    }
    const later = async ({ user: { user_id } }: Person) => {
      await sql`insert into viewings (user_id, video_id, later_at) values (${user_id}, 'v', now())`
      await add(user_id, { list: 'later' })
    }
    const of_all = ({ user }: Person) => add(user.user_id, { list: 'all' })
    for (const feed of [of_all, channel, group, playlist, later]) expect(await isWanted(feed)).toBe(true)
  })

  it('of other things do not, and neither do podcasts of videos', async () => {
    const video = ({ user }: Person) => add(user.user_id, { list: 'all' }, 'video')
    const later = ({ user }: Person) => add(user.user_id, { list: 'later' })
    for (const feed of [video, later, async () => {}]) expect(await isWanted(feed)).toBe(false)
  })
})

describe('a worker that is killed', () => {
  const { storage, has, cut, soundOf, about, bytesOf, pathOf } = useFilms(sql, 'a folder')

  it.skipIf(platform !== 'linux')('leaves no half sound, and another one cuts it', async () => {
    const alice = await has('alice', '/minute.mp4')
    const { folder, files } = storage()
    const slow = join(folder, 'slow-ffmpeg')
    // It reads the film as slowly as people watch it.
    await writeFile(slow, `#!/bin/sh\nexec '${toolsForTests().ffmpeg}' -re "$@"\n`, { mode: 0o755 })
    const request = { url, folder, user_id: alice.user.user_id, tools: { ...toolsForTests(), ffmpeg: slow } }
    const worker = execa(execPath, ['test/support/process/lone-cutter.ts', JSON.stringify(request)], {
      reject: false,
      stdin: 'ignore',
    })
    const halves = async () =>
      (await readdir(join(folder, '.work'), { recursive: true })).filter(name => name.endsWith('/sound.m4a'))
    await vi.waitFor(async () => expect(await halves()).toHaveLength(1), { timeout: 60_000 })

    worker.kill('SIGKILL')
    await worker

    const path = await pathOf(alice)
    expect([await files.exists(soundPath(path)), await about(alice)]).toEqual([
      false,
      expect.objectContaining({ size: null, fault: null }),
    ])
    expect(await bytesOf(alice)).toBe(await sizeOf('/minute.mp4'))
    await cut(alice)
    expect(await packetsOf((await soundOf(alice)) ?? '')).toBe(await packetsOf(await getFilm('/minute.mp4')))
    // What it left is removed when it is an hour old.
    await files.forgetAbandoned(new Set(), new Date((await stat(folder)).mtimeMs + 2 * 3_600_000))
    expect(await halves()).toEqual([])
  })
})
