/** The answers to requests for a podcast and its files: bytes, tags, headers, and 404 for everything else. */
import { readFile } from 'node:fs/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { accountsIn } from '../../../src/db/account/accounts.ts'
import { subtitlePath } from '../../../src/store/paths.ts'
import { unlimited, useApp } from '../../support/app/app.ts'
import { lock, unlock } from '../../support/app/locks.ts'
import { type Person, person } from '../../support/app/people.ts'
import { planPicture, storePicture } from '../../support/app/pictures.ts'
import { podcastsThrough } from '../../support/app/podcasts.ts'
import { statementsOf } from '../../support/app/statements.ts'

const toJpeg = vi.fn(async (_: Uint8Array) => Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 1))
const app = useApp({ limits: unlimited, toJpeg })
const { ask, sql } = app
const { withVideos, podcastOf } = podcastsThrough(app)
afterEach(() => vi.restoreAllMocks())

const openedFiles = () => [vi.spyOn(app.files, 'open'), vi.spyOn(app.files, 'read')]
const change = ({ user }: Person, video_id: string, columns: Record<string, unknown>) => sql`
  update video_entries set ${sql(columns)} where user_id = ${user.user_id} and video_id = ${video_id}`

describe('the feed', () => {
  it('has a tag that is the same until something of it changes, and a 304 opens no file', async () => {
    const alice = await withVideos('a', 'b')
    const { get } = await podcastOf(alice)
    const first = await get('feed.xml')
    const etag = first.headers.get('etag') ?? ''
    const again = () => get('feed.xml', { headers: { 'if-none-match': etag } })

    const opened = openedFiles()
    const unchanged = await again()
    expect([unchanged.status, await unchanged.text(), unchanged.headers.get('etag')]).toEqual([304, '', etag])
    for (const spy of opened) expect(spy).not.toHaveBeenCalled()
    expect((await get('feed.xml', { headers: { 'if-none-match': `"other", W/${etag}` } })).status).toBe(304)
    await change(alice, 'b', { title: 'Another title' })
    expect((await again()).status).toBe(200)
  })

  it('says what it is, is kept by no cache without a question, and names no one who asks', async () => {
    const alice = await withVideos('a')
    const { get, url } = await podcastOf(alice)

    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await get('feed.xml', { method })
      expect([status, headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=utf-8'])
      expect(headers.get('cache-control')).toBe('private, no-cache')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-robots-tag')).toBe('noindex')
      expect(headers.get('set-cookie')).toBeNull()
    }
    expect(await (await get('feed.xml', { method: 'HEAD' })).text()).toBe('')
    expect(await (await get('feed.xml')).text()).not.toContain(alice.user.username)
    // The texts of strangers are next to the secret: the length of a compressed answer would tell about it.
    const packed = await ask(new URL(url).pathname, { headers: { 'accept-encoding': 'gzip, br' } })
    expect(packed.headers.get('content-encoding')).toBeNull()
  })

  it('takes as many statements for 500 episodes as for one', async () => {
    const alice = await withVideos('one')
    const { get } = await podcastOf(alice, { list: 'all' }, { newest: 500 })
    const statements = () => statementsOf(sql, async () => (await get('feed.xml')).text())
    // The first answer also notes the use of the podcast.
    await get('feed.xml')
    const for_one = await statements()
    await sql`
      insert into video_entries (user_id, channel_id, video_id, title, video_url, published_at, download_status, download_path, file_size,
                                 download_completed_at, description)
      select user_id, channel_id, 'v' || nth, 'Video ' || nth, video_url || nth, now(), 'COMPLETED', download_path || nth, nth, now(),
             repeat('bread & butter ', 300)
      from   video_entries, generate_series(1, 600) as nth
      where  user_id = ${alice.user.user_id}`

    expect((await statements()).length).toBe(for_one.length)
    expect(for_one.length).toBeLessThan(6)
    expect((await (await get('feed.xml')).text()).match(/<item>/g)?.length).toBe(500)
  })

  it('notes its use, to the minute', async () => {
    const alice = await withVideos('a')
    const { get } = await podcastOf(alice)
    const [before] = await alice.library.podcasts.list()
    await get('feed.xml')
    const [after] = await alice.library.podcasts.list()
    expect([before?.last_used_at, after?.last_used_at]).toEqual([null, expect.any(Date)])
  })
})

describe('the files of an episode', () => {
  it('the file is sent whole, in parts and by HEAD, without a sign-in, and 304 for the same file', async () => {
    const alice = await withVideos('a')
    const { get } = await podcastOf(alice)

    const whole = await get('a.mp4')
    expect([await whole.text(), whole.headers.get('content-length')]).toEqual(['the file of a', '13'])
    const part = await get('a.mp4', { headers: { range: 'bytes=4-7' } })
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, 'file', 'bytes 4-7/13'])
    const head = await get('a.mp4', { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '13', ''])
    const same = await get('a.mp4', { headers: { 'if-none-match': whole.headers.get('etag') ?? '' } })
    expect(same.status).toBe(304)
    expect((await get('a.m4a')).status).toBe(404)
  })

  it('subtitles, chapters and the picture are there as the feed names them', async () => {
    const alice = await withVideos('a', 'plain')
    await change(alice, 'a', { subtitles: ['de', 'en'], chapters: sql.json([{ start_seconds: 1.5, title: 'Dough' }]) })
    await app.storage.give(subtitlePath(`${alice.user.user_id}/kitchen/a.mp4`, 'de'), 'WEBVTT\n')
    await storePicture(app, 'video', 'https://videos.example/a.jpg')
    const { get, episodes, url } = await podcastOf(alice)
    const base = url.replace('feed.xml', '')

    const [a, plain] = await episodes()
    expect(a?.podcast).toMatchObject({
      transcripts: [{ url: `${base}a.vtt`, type: 'text/vtt', language: 'de' }],
      chapters: { url: `${base}a.chapters.json`, type: 'application/json+chapters' },
    })
    expect([a?.itunes?.image, plain?.itunes?.image, plain?.podcast]).toEqual([`${base}a.jpg`, undefined, undefined])
    expect(await (await get('a.vtt')).text()).toBe('WEBVTT\n')
    const chapters = await get('a.chapters.json')
    expect(chapters.headers.get('content-type')).toBe('application/json+chapters')
    expect(await chapters.json()).toEqual({ version: '1.2.0', chapters: [{ startTime: 1.5, title: 'Dough' }] })
    for (const name of ['plain.vtt', 'plain.chapters.json', 'plain.jpg']) expect((await get(name)).status).toBe(404)
    for (const name of ['a.vtt', 'a.chapters.json', 'a.jpg']) {
      const { headers } = await get(name)
      const same = await get(name, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
      expect([name, same.status]).toEqual([name, 304])
      expect([name, (await get(name, { method: 'HEAD' })).status]).toEqual([name, 200])
    }
  })

  it('chapters that only the description lists are those of the player, and a list beyond the end is none', async () => {
    const alice = await withVideos('a', 'short')
    const description = '0:00 Flour & water\n1:30 The oven'
    await change(alice, 'a', { description, chapters: sql.json([]) })
    await change(alice, 'short', { description, duration_seconds: 60 })
    const { get, episodes, url } = await podcastOf(alice)

    const [a, short] = await episodes()
    expect([a?.podcast?.chapters?.url, short?.podcast]).toEqual([url.replace('feed.xml', 'a.chapters.json'), undefined])
    expect(await (await get('a.chapters.json')).json()).toMatchObject({
      chapters: [
        { startTime: 0, title: 'Flour & water' },
        { startTime: 90, title: 'The oven' },
      ],
    })
    expect((await get('short.chapters.json')).status).toBe(404)
  })

  it.each([
    [[], 'fr', 'fr'],
    [['de', 'fr'], 'fr', 'de-DE'],
    [['pt', 'en'], null, 'en'],
    [['pt'], null, 'en'],
  ])(
    'of subtitles in several languages, the transcript for who prefers %j of a video in %s is in %s',
    async (preferred, spoken, language) => {
      const alice = await withVideos('a')
      await alice.library.settings.save({ subtitle_languages: preferred })
      const site_facts = spoken === null ? null : sql.json({ language: spoken })
      await change(alice, 'a', { subtitles: ['en', 'de-DE', 'fr'], site_facts })
      for (const name of ['en', 'de-DE', 'fr'])
        await app.storage.give(subtitlePath(`${alice.user.user_id}/kitchen/a.mp4`, name), `WEBVTT\n\nNOTE ${name}\n`)
      const { get, episodes } = await podcastOf(alice)

      expect((await episodes())[0]?.podcast?.transcripts?.[0]?.language).toBe(language)
      expect(await (await get('a.vtt')).text()).toContain(`NOTE ${language}`)
    },
  )

  it('a picture is made a JPEG once, and without ffmpeg it is sent as it is stored', async () => {
    const alice = await withVideos('b', 'c')
    for (const name of ['b', 'c']) await storePicture(app, 'video', `https://videos.example/${name}.jpg`)
    const { get } = await podcastOf(alice)
    toJpeg.mockClear()

    const pictures = await Promise.all(['b.jpg', 'b.jpg', 'b.jpg'].map(name => get(name)))
    expect(pictures.map(({ headers }) => headers.get('content-type'))).toEqual(Array(3).fill('image/jpeg'))
    expect(toJpeg).toHaveBeenCalledTimes(1)
    toJpeg.mockRejectedValueOnce(new Error('There is no ffmpeg.'))
    expect((await get('c.jpg')).headers.get('content-type')).toBe('image/webp')
  })

  it('a podcast without any picture has the icon of Backlot', async () => {
    const { get } = await podcastOf(await withVideos('f'))
    toJpeg.mockClear()
    expect((await get('feed.jpg')).headers.get('content-type')).toBe('image/jpeg')
    expect(toJpeg.mock.calls).toMatchObject([[await readFile('static/icon-512.png')]])
  })

  it('a podcast has the picture of its channel, or else of its first episode with a picture', async () => {
    const alice = await withVideos('d', 'e')
    await storePicture(app, 'video', 'https://videos.example/e.jpg')
    const { get } = await podcastOf(alice)
    const tag = async () => (await get('feed.jpg')).headers.get('etag')

    const of_episode = await planPicture(sql, 'video', 'https://videos.example/e.jpg')
    expect(await tag()).toBe(`"${of_episode}-square"`)
    await sql`update channels set image_url = 'https://videos.example/k.png' where user_id = ${alice.user.user_id}`
    await storePicture(app, 'channel', 'https://videos.example/k.png')
    const of_channel = await planPicture(sql, 'channel', 'https://videos.example/k.png')
    expect(await tag()).toBe(`"${of_channel}-square"`)
  })
})

describe('an address opens nothing but its podcast', () => {
  const isOpen = async (get: (name: string) => Promise<Response>, name: string) => (await get(name)).status === 200

  it('not a video that the podcast does not list, whatever it has', async () => {
    const alice = await withVideos('in', 'beyond', 'last')
    await change(alice, 'beyond', { subtitles: ['en'], chapters: sql.json([{ start_seconds: 1, title: 'Hers' }]) })
    await app.storage.give(subtitlePath(`${alice.user.user_id}/kitchen/beyond.mp4`, 'en'), 'WEBVTT\n')
    await storePicture(app, 'video', 'https://videos.example/beyond.jpg')
    const { playlist_id } = await alice.library.playlists.create('One')
    await alice.library.playlists.addVideos(playlist_id, ['last'])
    const [newest, playlist] = [
      await podcastOf(alice, { list: 'all' }, { newest: 1 }),
      await podcastOf(alice, { playlist_id }),
    ]

    expect([await isOpen(newest.get, 'in.mp4'), await isOpen(playlist.get, 'last.mp4')]).toEqual([true, true])
    for (const name of ['beyond.mp4', 'beyond.vtt', 'beyond.jpg', 'beyond.chapters.json'])
      for (const { get } of [newest, playlist]) expect([name, (await get(name)).status]).toEqual([name, 404])
    await alice.library.playlists.takeOut(playlist_id, ['last'])
    expect(await isOpen(playlist.get, 'last.mp4')).toBe(false)
  })

  it('not the videos of another person with the same ids', async () => {
    const alice = await withVideos('same')
    const bob = await person(sql, 'bob')
    const { get } = await podcastOf(bob, { list: 'all' })
    expect(await isOpen(get, 'same.mp4')).toBe(false)
    expect(await isOpen((await podcastOf(alice)).get, 'same.mp4')).toBe(true)
  })

  it('not a page, a name without an ending, or another path', async () => {
    const alice = await withVideos('a')
    const { get } = await podcastOf(alice)
    for (const name of ['', 'a', 'feed', 'a.mp4/', '..%2Fs.mp4', '%00.mp4', 'a.webp', '.mp4'])
      expect([name, (await get(name)).status]).toEqual([name, 404])
    expect((await get('feed.xml', { method: 'POST', form: {} })).status).toBe(404)
  })

  it('nothing once the podcast is deleted, its person is locked, the address is revoked, or the subject is gone', async () => {
    const alice = await withVideos('a')
    const { group_id } = await alice.library.groups.create('Food')
    await alice.library.groups.setOfChannel('kitchen', [group_id])
    const { get, podcast_id } = await podcastOf(alice)
    const of_group = await podcastOf(alice, { group_id })
    const open = async (of: typeof get) => [await isOpen(of, 'feed.xml'), await isOpen(of, 'a.mp4')]

    await lock(sql, alice)
    expect(await open(get)).toEqual([false, false])
    await unlock(sql, alice)
    expect(await open(get)).toEqual([true, true])
    await alice.library.groups.remove(group_id)
    expect(await open(of_group.get)).toEqual([false, false])
    await alice.library.groups.restore(group_id)
    expect(await open(of_group.get)).toEqual([true, true])
    await sql`delete from secrets where opens->>'podcast_id' = ${of_group.podcast_id}`
    expect(await open(of_group.get)).toEqual([false, false])
    expect((await ask(`/api/podcasts/${podcast_id}`, { as: alice, method: 'DELETE' })).status).toBe(204)
    expect(await open(get)).toEqual([false, false])
  })

  it('nothing of a person who deleted their account', async () => {
    const alice = await withVideos('a')
    const { get } = await podcastOf(alice)
    await accountsIn(sql).remove(alice.user)
    expect((await get('feed.xml')).status).toBe(404)
  })

  it('every refusal is the same', async () => {
    const alice = await withVideos('a')
    const { get, url } = await podcastOf(alice, { list: 'later' })
    const paths = ['/f/x/feed.xml', `/f/${'0'.repeat(64)}/feed.xml`, new URL(url).pathname.replace('feed.xml', 'a.mp4')]
    const answers = await Promise.all(paths.map(path => ask(path)))
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    const texts = await Promise.all(answers.map(answer => answer.text()))
    expect(new Set(texts).size).toBe(1)
    expect(texts[0]).not.toContain(new URL(url).pathname.split('/')[2])
    expect((await get('feed.xml')).status).toBe(200)
  })
})
