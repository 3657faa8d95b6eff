/** The sound of a film takes space as the film does, and is gone with it. */
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { deskOf } from '../../../src/db/admin/desk.ts'
import { figuresIn } from '../../../src/db/service/everyone/figures.ts'
import { inSnapshot } from '../../../src/db/service/everyone/snapshot.ts'
import { restoreDownload } from '../../../src/domain/bin/restore.ts'
import { unfollowChannel } from '../../../src/domain/channels/channels.ts'
import { deleteFile, emptyBin } from '../../../src/domain/downloads/deletions.ts'
import { filesAmong, removeCounted } from '../../../src/domain/downloads/downloads.ts'
import { sweepSounds } from '../../../src/domain/downloads/sounds.ts'
import { listFiles } from '../../../src/store/file-list.ts'
import type { Files } from '../../../src/store/files.ts'
import { soundPath } from '../../../src/store/paths.ts'
import { useDatabase } from '../../support/app/database.ts'
import { packetsOf, sizeOf, useFilms } from '../../support/app/sounds.ts'
import { storage_kinds } from '../../support/app/storages.ts'

const { sql } = useDatabase()
const bin = { hours: 24, quota_bytes: 0 }

describe.each(storage_kinds)('in %s', kind => {
  const { storage, downloads, has, cut, cutFrom, soundOf, pathOf, about, bytesOf, isQueued } = useFilms(sql, kind)

  it('the sound counts wherever the space of a person is summed, and not as a part of the film', async () => {
    const everyone = await figuresIn(sql).files()
    const alice = await cutFrom('/talk.mp4')
    const film = await sizeOf('/talk.mp4')
    const all = film + ((await about(alice))?.size ?? 0)
    const { library, user } = alice

    expect(all).toBeGreaterThan(film)
    expect((await library.videos.find('v'))?.file_size).toBe(film)
    expect((await library.videos.status('v'))?.file_size).toBe(film)
    expect(await bytesOf(alice)).toBe(all)
    expect(await library.videos.bytesUsed('')).toBe(all)
    expect(await library.space.byChannel()).toMatchObject([{ files: 1, bytes: all }])
    expect(await library.space.ofChannel('kitchen')).toMatchObject({ bytes: all })
    expect(await library.channels.holdings(['kitchen'])).toMatchObject({ bytes: all })
    expect(await filesAmong(library, ['v'])).toMatchObject({ bytes: all })
    expect(await figuresIn(sql).files()).toEqual({ files: everyone.files + 1, bytes: everyone.bytes + all })
    expect(await deskOf(sql, { user_id: user.user_id, name: user.username }).people.find(user.username)).toMatchObject({
      on_disk_bytes: all,
    })
    expect(await removeCounted(library, { files: storage().files, bin }, ['v'])).toEqual({ files: 1, bytes: all })
    expect(await library.bin.page({ hours: 24, limit: 1 })).toMatchObject({ entries: [{ bytes: all }], bytes: all })
  })

  it('a backup lists the sound with its film, on disk and in the bin', async () => {
    const alice = await cutFrom('/talk.mp4')
    const path = await pathOf(alice)
    const listed = async () => {
      const kept = await inSnapshot(sql, async ({ keptFiles }) => (await Array.fromAsync(keptFiles())).flat())
      const own = kept.filter(({ name }) => name === path)
      const lists = await Array.fromAsync(
        listFiles(storage().files, Readable.from(own), Readable.from([])[Symbol.asyncIterator]()),
      )
      return lists.flat().flatMap(({ files }) => files)
    }
    const sound = { path: expect.stringMatching(/\.sound$/), size: (await about(alice))?.size }

    expect(await listed()).toMatchObject([{ path, size: await sizeOf('/talk.mp4') }, sound])
    await deleteFile(alice.library, { files: storage().files, bin }, 'v')
    expect(await listed()).toMatchObject([{ size: await sizeOf('/talk.mp4') }, sound])
  })

  describe('is gone with its film', () => {
    const is_there = async (path: string) => [
      await storage().files.exists(soundPath(path)),
      await storage().files.exists(soundPath(storage().files.inBin(path))),
    ]
    const nowhere = [false, false]

    it('when the file is deleted for good', async () => {
      const alice = await cutFrom('/talk.mp4')
      const path = await pathOf(alice)

      await deleteFile(alice.library, { files: storage().files, bin: { ...bin, hours: 0 } }, 'v')

      expect([await is_there(path), await about(alice), await bytesOf(alice)]).toEqual([nowhere, undefined, 0])
    })

    it('into the bin, from which both return, and for good when the bin is emptied', async () => {
      const alice = await cutFrom('/talk.mp4')
      const [path, bytes, packets] = [
        await pathOf(alice),
        await bytesOf(alice),
        await packetsOf((await soundOf(alice)) ?? ''),
      ]

      await deleteFile(alice.library, { files: storage().files, bin }, 'v')
      expect([await bytesOf(alice), await soundOf(alice)]).toEqual([0, undefined])
      if (kind === 'a folder') expect(await is_there(path)).toEqual([false, true])
      await restoreDownload(alice.library, { files: storage().files, bin }, 'v')

      expect([await bytesOf(alice), await isQueued(alice)]).toEqual([bytes, false])
      expect(await packetsOf((await soundOf(alice)) ?? '')).toBe(packets)
      await deleteFile(alice.library, { files: storage().files, bin }, 'v')
      expect(await emptyBin(alice.library, storage().files)).toBe(bytes)
      expect(await is_there(path)).toEqual(nowhere)
    })

    it.each([0, 24])('when its channel is unfollowed, with a bin of %i hours', async hours => {
      const alice = await cutFrom('/talk.mp4')
      const path = await pathOf(alice)

      await unfollowChannel(alice.library, { files: storage().files, bin: { hours, quota_bytes: 0 } }, 'kitchen')
      await emptyBin(alice.library, storage().files)

      expect(await is_there(path)).toEqual(nowhere)
    })

    it('when its person is deleted', async () => {
      const alice = await cutFrom('/talk.mp4')
      const path = await pathOf(alice)

      await sql`delete from users where id = ${alice.user.user_id}`
      await storage().files.forgetUser(alice.user.user_id)

      expect(await is_there(path)).toEqual(nowhere)
      expect(await sql`select from sounds where user_id = ${alice.user.user_id}`).toHaveLength(0)
    })

    it('when a later film of the video takes its place, even if the sound was left', async () => {
      const alice = await cutFrom('/talk.mp4')
      await deleteFile(alice.library, { files: storage().files, bin }, 'v')

      await downloads(alice, '/talk-opus.mp4')

      expect([await soundOf(alice), await bytesOf(alice)]).toEqual([undefined, await sizeOf('/talk-opus.mp4')])
      expect(await is_there(await pathOf(alice))).toEqual(nowhere)
      expect(await isQueued(alice)).toBe(true)
    })

    it('also where a version that knows no sounds deletes the film', async () => {
      const alice = await cutFrom('/talk.mp4')
      const path = await pathOf(alice)
      const sound = await storage().files.read(soundPath(path))
      await deleteFile(alice.library, { files: storage().files, bin: { ...bin, hours: 0 } }, 'v')
      // It leaves the sound.
      await storage().files.write(soundPath(path), sound ?? new Uint8Array())

      await sweepSounds(sql, storage().files, 100)

      expect(await is_there(path)).toEqual(nowhere)
      expect(await sql`select from sounds where user_id = ${alice.user.user_id}`).toHaveLength(0)
    })

    it('and not when other films are', async () => {
      const alice = await cutFrom('/talk.mp4')
      await sweepSounds(sql, storage().files, 100)
      expect(await soundOf(alice)).toEqual(expect.any(String))
    })
  })

  it('a deletion at the same moment leaves no sound', async () => {
    const alice = await has('alice', '/talk.mp4')
    const path = await pathOf(alice)
    const stage: Files['stage'] = async (...given) => {
      const staged = await storage().files.stage(...given)
      await deleteFile(alice.library, { files: storage().files, bin: { ...bin, hours: 0 } }, 'v')
      return staged
    }

    await cut(alice, { files: { ...storage().files, stage } })

    expect([await storage().files.exists(soundPath(path)), await about(alice)]).toEqual([false, undefined])
  })
})
