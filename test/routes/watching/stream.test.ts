/** Streaming and saving video files. */
import { rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { requestDownload } from '../../../src/domain/downloads/downloads.ts'
import { subtitlePath } from '../../../src/store/paths.ts'
import { useApp } from '../../support/app/app.ts'
import { entry, has, person } from '../../support/app/people.ts'
import { storage_kinds } from '../../support/app/storages.ts'

describe.each(storage_kinds)('from %s', storage => {
  const app = useApp({ storage })
  const { ask, sql } = app

  async function aliceWith(bytes: string | Uint8Array, title = 'Ten bytes') {
    const alice = await person(sql, 'alice')
    await alice.library.channels.save({ channel_id: 'c', title: 'C', rss_url: 'https://videos.example/c' }, [
      entry('v1', { title }),
    ])
    const download_path = `${alice.user.user_id}/c/v1.mp4`
    const file = await app.storage.give(download_path, bytes)
    await has(alice, 'v1', download_path, bytes.length)
    return { alice, file, download_path }
  }

  const ten = '0123456789'

  describe('streaming', () => {
    it('a request without Range gets the whole file and Accept-Ranges', async () => {
      const { alice } = await aliceWith(ten)
      const answer = await ask('/stream/v1', { as: alice })
      expect(answer.status).toBe(200)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'accept-ranges': 'bytes',
        'content-length': '10',
        'content-type': 'video/mp4',
        'x-content-type-options': 'nosniff',
        etag: expect.stringMatching(/^"[^"]+"$/),
        'last-modified': expect.stringMatching(/GMT$/),
        'cache-control': 'private, no-cache',
      })
      expect(answer.headers.get('content-range')).toBeNull()
      expect(await answer.text()).toBe(ten)
    })

    it.each([
      ['bytes=0-4', '01234', 'bytes 0-4/10'],
      ['bytes=5-9', '56789', 'bytes 5-9/10'],
      ['bytes=-3', '789', 'bytes 7-9/10'],
      ['bytes=3-', '3456789', 'bytes 3-9/10'],
    ])('the range %s gets its part', async (range, text, content_range) => {
      const { alice } = await aliceWith(ten)
      const answer = await ask('/stream/v1', { as: alice, headers: { range } })
      expect([answer.status, answer.headers.get('content-range')]).toEqual([206, content_range])
      expect([answer.headers.get('content-length'), await answer.text()]).toEqual([String(text.length), text])
    })

    it('a range after the end of the file gets 416 with the size', async () => {
      const { alice } = await aliceWith(ten)
      const answer = await ask('/stream/v1', { as: alice, headers: { range: 'bytes=10-' } })
      expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */10'])
      expect(await answer.text()).not.toContain(ten)
    })

    it('HEAD gets no body and ignores Range', async () => {
      const { alice } = await aliceWith(ten)
      const answer = await ask('/stream/v1', { as: alice, method: 'HEAD', headers: { range: 'bytes=0-4' } })
      expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '10', ''])
    })

    it('If-Range gets a part of the same file only', async () => {
      const { alice } = await aliceWith(ten)
      const etag = (await ask('/stream/v1', { as: alice, method: 'HEAD' })).headers.get('etag') ?? ''
      const status = async (headers: Record<string, string>) => {
        const answer = await ask('/stream/v1', { as: alice, headers })
        await answer.body?.cancel()
        return answer.status
      }

      expect(await status({ range: 'bytes=0-0', 'if-range': etag })).toBe(206)
      expect(await status({ range: 'bytes=0-0', 'if-range': '"other"' })).toBe(200)
      expect(await status({ range: 'bytes=50-', 'if-range': '"other"' })).toBe(200)
      expect(await status({ range: 'bytes=0-4', 'if-none-match': etag })).toBe(304)
      expect(await status({ range: 'bytes=50-', 'if-none-match': etag })).toBe(304)
      expect(await status({ range: 'bytes=0-4', 'if-match': '"other"' })).toBe(412)
    })

    it('many megabytes arrive complete', async () => {
      const bytes = new Uint8Array(5_000_000).map((_, n) => n % 251)
      const { alice } = await aliceWith(bytes)
      const answer = await ask('/stream/v1', { as: alice, headers: { range: 'bytes=1-' } })
      expect(Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(bytes.subarray(1)))).toBe(true)
    })

    it('an empty file is sent without an error', async () => {
      const { alice } = await aliceWith('')
      expect((await ask('/stream/v1', { as: alice })).status).toBe(200)
      expect((await ask('/stream/v1', { as: alice, headers: { range: 'bytes=0-' } })).status).toBe(416)
    })
  })

  describe('subtitles', () => {
    it('the subtitles of a language are sent whole, to their owner alone, and another language gets 404', async () => {
      const { alice, download_path } = await aliceWith(ten)
      await app.storage.give(subtitlePath(download_path, 'en'), 'WEBVTT\n\nGood day')
      await sql`update video_entries set subtitles = '{en,fr}' where user_id = ${alice.user.user_id}`
      const answer = await ask('/stream/v1/subtitles/en', { as: alice })
      expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-length')]).toEqual([
        ...[200, 'text/vtt; charset=utf-8', '16'],
      ])
      expect(await answer.text()).toBe('WEBVTT\n\nGood day')
      const part = await ask('/stream/v1/subtitles/en', { as: alice, headers: { range: 'bytes=8-' } })
      expect([part.status, await part.text()]).toEqual([206, 'Good day'])
      const bob = await person(sql, 'bob')
      for (const [as, language] of [
        [bob, 'en'],
        [alice, 'de'],
        [alice, 'fr'],
      ] as const)
        expect((await ask(`/stream/v1/subtitles/${language}`, { as })).status).toBe(404)
    })
  })

  describe('a missing file', () => {
    it('a video that is not downloaded gets 404', async () => {
      const alice = await person(sql, 'alice')
      await alice.library.channels.save({ channel_id: 'c', title: 'C', rss_url: 'https://videos.example/c' }, [
        entry('v1'),
      ])
      const answer = await ask('/stream/v1', { as: alice })
      expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('Download it first')])
    })

    it('a missing file is noticed, and the video can be downloaded again', async () => {
      const { alice, download_path } = await aliceWith(ten)
      await app.files.remove(download_path)
      expect((await ask('/stream/v1', { as: alice, headers: { range: 'bytes=0-4' } })).status).toBe(404)
      expect(await alice.library.videos.find('v1')).toMatchObject({ download_status: 'pending', download_path: null })
    })
  })

  describe('a storage that is away', () => {
    /** As if the disk were unmounted, or the bucket deleted. */
    async function takeAway() {
      const { bucket } = app.storage
      if (!bucket) return rename(app.folder, `${app.folder}-away`)
      bucket.before = async c => {
        c.status = 404
        c.type = 'application/xml'
        c.body = '<Error><Code>NoSuchBucket</Code></Error>'
      }
    }
    async function bringBack() {
      const { bucket } = app.storage
      if (!bucket) return rename(`${app.folder}-away`, app.folder)
      bucket.before = undefined
    }

    it.each(['/stream/v1', '/download/v1', '/stream/v1/subtitles/en'])(
      '%s gets 503, and the video stays downloaded',
      async path => {
        const { alice, download_path } = await aliceWith(ten)
        await app.storage.give(subtitlePath(download_path, 'en'), 'WEBVTT')
        await sql`update video_entries set subtitles = '{en}' where user_id = ${alice.user.user_id}`
        await takeAway()
        const answer = await ask(path, { as: alice })
        const asked_again = await requestDownload(alice.library, app.files, 'v1').catch(String)
        await bringBack()

        const text = await answer.text()
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
        expect(text).toContain('Try again in a moment')
        expect(text).not.toContain(app.folder)
        expect(text).not.toContain(alice.user.user_id)
        expect(text).not.toMatch(/NoSuchBucket|127\.0\.0\.1/)
        expect(asked_again).toMatch(/answered 404|Mount the disk again/)
        expect(await alice.library.videos.find('v1')).toMatchObject({ download_status: 'completed', download_path })
        expect((await ask(path, { as: alice, method: 'HEAD' })).status).toBe(200)
      },
    )
  })

  describe('saving', () => {
    it('a refused download has no file name', async () => {
      const { alice } = await aliceWith(ten)
      const answer = await ask('/download/v1', { as: alice, headers: { range: 'bytes=99-' } })
      expect([answer.status, answer.headers.get('content-disposition')]).toEqual([416, null])
    })

    it('a downloaded file is named after the title', async () => {
      const { alice } = await aliceWith(ten, 'Crème brûlée: part 2')
      const answer = await ask('/download/v1', { as: alice })
      expect(answer.headers.get('content-disposition')).toBe(
        `attachment; filename="Creme brulee part 2.mp4"; filename*=UTF-8''Cr%C3%A8me%20br%C3%BBl%C3%A9e%20part%202.mp4`,
      )
      expect(await answer.text()).toBe(ten)
    })
  })

  // The files of a bucket stay where they are until the bin is emptied.
  if (storage === 'a folder') {
    it('a deletion on a disk that is away is refused in words, by page and API, and the video stays downloaded', async () => {
      const { alice } = await aliceWith(ten)
      await rename(app.folder, `${app.folder}-away`)
      const api = await ask('/api/download/v1', { as: alice, method: 'DELETE' })
      const page = await ask('/downloads/v1/remove', { as: alice, method: 'POST', headers: { 'hx-request': 'true' } })
      await rename(`${app.folder}-away`, app.folder)

      expect([api.status, page.status]).toEqual([503, 503])
      for (const answer of [api, page])
        expect(await answer.text()).toContain('reached right now. Try again in a moment')
      expect(await alice.library.videos.find('v1')).toMatchObject({ download_status: 'completed' })
    })

    it('the file is closed when the client disconnects', async () => {
      const { alice, file } = await aliceWith(new Uint8Array(5_000_000))
      const opened = async () => {
        const { readdir, readlink } = await import('node:fs/promises')
        const fds = await readdir('/proc/self/fd')
        const links = await Promise.all(fds.map(fd => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
        return links.filter(link => link === file).length
      }
      const answer = await ask('/stream/v1', { as: alice })
      const reader = answer.body?.getReader()
      await reader?.read()
      const while_reading = await opened()
      await reader?.cancel()
      expect([while_reading, await opened()]).toEqual([1, 0])
    })

    it.each(['../outside.mp4', '/etc/hostname', 'link.mp4', '.', 'a\u0000b'])(
      'a path outside the downloads folder is never opened: %j',
      async path => {
        const { alice } = await aliceWith(ten)
        await writeFile(join(app.folder, '..', 'outside.mp4'), 'secret')
        await symlink('/etc/hostname', join(app.folder, 'link.mp4')).catch(() => {})
        expect(await app.files.open(path)).toBeUndefined()
        await app.files.remove(path)
        if (!path.includes('\0'))
          await sql`update video_entries set download_path = ${path} where user_id = ${alice.user.user_id}`
        const answer = await ask('/stream/v1', { as: alice })
        expect(answer.status).toBe(path.includes('\0') ? 200 : 404)
        await answer.arrayBuffer()
        await rm(join(app.folder, '..', 'outside.mp4'))
      },
    )
  }
})
