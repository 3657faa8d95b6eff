/** Sound that is cut out of real films by the real ffmpeg, and films that get none. */
import { describe, expect, it } from 'vitest'
import { memoized } from '../../../src/runtime/cache.ts'
import { soundPath } from '../../../src/store/paths.ts'
import { useDatabase } from '../../support/app/database.ts'
import { boxesOf, packetsOf, probed, sizeOf, useFilms } from '../../support/app/sounds.ts'
import { storage_kinds } from '../../support/app/storages.ts'
import { duration_s, getFilm } from '../../support/media/films.ts'

const { sql } = useDatabase()

/** The sound in a film, read once for both storages. */
const inFilm = memoized(async film => {
  const file = await getFilm(film)
  const { streams } = await probed(file)
  return { packets: await packetsOf(file), stream: streams.find(({ codec_type }) => codec_type === 'audio') }
})

describe.each(storage_kinds)('in %s', kind => {
  const { storage, has, cut, cutFrom, soundOf, pathOf, about, bytesOf, isQueued } = useFilms(sql, kind)

  /** The sound of a film. Each is cut once. */
  const soundFrom = memoized(async film => (await soundOf(await cutFrom(film))) ?? expect.fail('no sound'))

  describe('the sound', () => {
    it.each(['/talk.mp4', '/talk-opus.mp4', '/talk-ac3.mp4', '/long-index-last.mp4'])(
      'of %s has every packet of the film, the same length, and its index first',
      async film => {
        const sound = await soundFrom(film)
        const { packets, stream } = await inFilm(film)

        expect(await packetsOf(sound)).toBe(packets)
        expect(await probed(sound)).toMatchObject({ streams: [{ ...stream, index: 0 }] })
        expect(await boxesOf(sound)).toEqual(['ftyp', 'moov', expect.any(String), 'mdat'])
      },
    )

    it('keeps the title and the chapters', async () => {
      const { format, chapters } = await probed(await soundFrom('/talk.mp4'))

      expect(format.tags).toMatchObject({ title: 'Bread & ünïcode', major_brand: 'M4A ' })
      expect(chapters.map(({ start_time, tags }) => [Number(start_time), tags.title])).toEqual([
        [0, 'Part from 0'],
        [2, 'Part from 2'],
      ])
    })

    it('is encoded where an M4A cannot hold it', async () => {
      const { streams } = await probed(await soundFrom('/talk-vorbis.mp4'))

      expect(streams).toMatchObject([{ codec_name: 'aac' }])
      expect(Math.abs(Number(streams[0]?.duration) - duration_s)).toBeLessThan(0.1)
    })

    it('of a download that is sound only is the download itself', async () => {
      const alice = await has('alice', '/talk.mp4')
      await sql`update video_entries set download_path = replace(download_path, '.mp4', '.m4a') where user_id = ${alice.user.user_id}`

      expect(await isQueued(alice)).toBe(false)
      expect(await about(alice)).toMatchObject({ size: await sizeOf('/talk.mp4'), fault: null })
    })

    it('is cut once', async () => {
      const alice = await has('alice', '/talk.mp4')
      expect(await isQueued(alice)).toBe(true)

      await cut(alice)

      expect(await isQueued(alice)).toBe(false)
      await cut(alice, { findTools: () => Promise.reject(new Error('no tool is needed')) })
    })

    it('is cut again where its file is missing, and counts once', async () => {
      const alice = await cutFrom('/talk.mp4')
      const bytes = await bytesOf(alice)
      await storage().files.remove(soundPath(await pathOf(alice)))

      expect(await soundOf(alice)).toBeUndefined()
      expect([await bytesOf(alice), await isQueued(alice)]).toEqual([await sizeOf('/talk.mp4'), true])
      await cut(alice)
      expect([await bytesOf(alice), await soundOf(alice)]).toEqual([bytes, expect.any(String)])
    })
  })

  describe('a film without a sound', () => {
    it('says why, and is not tried again', async () => {
      const alice = await cutFrom('/silent.mp4')

      expect(await about(alice)).toMatchObject({ size: null, fault: 'This video has no sound.' })
      expect([await isQueued(alice), await soundOf(alice)]).toEqual([false, undefined])
      expect(await bytesOf(alice)).toBe(await sizeOf('/silent.mp4'))
    })

    it.each([
      ['the disk', { min_free_bytes: 1e18, quota_bytes: 0 }, 'not enough space left on the disk'],
      ['the quota', { min_free_bytes: 0, quota_bytes: 1000 }, 'GB you can keep here'],
    ])('is tried again later when %s had no room', async (_, room, words) => {
      const alice = await has('alice', '/talk.mp4')

      await cut(alice, { room })

      expect(await about(alice)).toMatchObject({ size: null, fault: expect.stringContaining(words) })
      expect(await isQueued(alice)).toBe(false)
      await sql`update sounds set retry_at = now() where user_id = ${alice.user.user_id}`
      expect(await isQueued(alice)).toBe(true)
      await cut(alice)
      expect(await about(alice)).toMatchObject({ size: expect.any(Number), fault: null })
    })

    it('is one whose sound alone exceeds the quota', async () => {
      const alice = await has('alice', '/talk.mp4')
      const quota_bytes = (await sizeOf('/talk.mp4')) + 100

      await cut(alice, { room: { min_free_bytes: 0, quota_bytes } })

      expect(await about(alice)).toMatchObject({ size: null, fault: expect.stringContaining('GB you can keep here') })
      expect([await bytesOf(alice), await storage().files.exists(soundPath(await pathOf(alice)))]).toEqual([
        quota_bytes - 100,
        false,
      ])
    })
  })
})
