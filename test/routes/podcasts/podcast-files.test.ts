/** What the address of a podcast lists, as an app requests it. `podcast-files.answers.test.ts` has the files. */
import { describe, expect, it } from 'vitest'
import { unlimited, useApp } from '../../support/app/app.ts'
import { onDisk } from '../../support/app/files.ts'
import { entry, follows, has } from '../../support/app/people.ts'
import { podcastsThrough } from '../../support/app/podcasts.ts'

const app = useApp({ limits: unlimited })
const { sql } = app
const { withVideos, podcastOf } = podcastsThrough(app)

describe('what a podcast lists', () => {
  it('the newest videos on disk of its channel, with the addresses of their files', async () => {
    const alice = await withVideos('new', 'middle', 'old')
    await follows(alice, 'other', ['elsewhere'])
    await onDisk(app.folder, alice, 'elsewhere', 'a file', 'other')
    const podcast = await podcastOf(alice, { channel_id: 'kitchen' }, { newest: 2 })

    const [first, second, ...others] = await podcast.episodes()
    expect(others).toEqual([])
    expect([first?.guid?.value, second?.guid?.value]).toEqual(['new', 'middle'])
    expect(first?.enclosures).toEqual([
      { url: podcast.url.replace('feed.xml', 'new.mp4'), length: 'the file of new'.length, type: 'video/mp4' },
    ])
  })

  it('a group has the videos of its channels once, and everything has all', async () => {
    const alice = await withVideos('both', 'one')
    await follows(alice, 'other', [entry('both', { published_at: new Date('2026-05-30') }), 'two'])
    await onDisk(app.folder, alice, 'two', 'a file', 'other')
    const { group_id } = await alice.library.groups.create('Food')
    await alice.library.groups.setOfChannel('other', [group_id])
    expect(await (await podcastOf(alice, { group_id })).ids()).toEqual(['both', 'two'])
    await alice.library.groups.setOfChannel('kitchen', [group_id])
    expect(await (await podcastOf(alice, { group_id })).ids()).toEqual(['both', 'one', 'two'])
    expect(await (await podcastOf(alice, { list: 'all' })).ids()).toEqual(['both', 'one', 'two'])
  })

  it('a playlist and Watch later begin with what was added last', async () => {
    const alice = await withVideos('a', 'b', 'c')
    const { playlist_id } = await alice.library.playlists.create('Loaves')
    for (const video_id of ['b', 'a', 'c']) await alice.library.playlists.addVideos(playlist_id, [video_id])
    await alice.library.playlists.takeOut(playlist_id, ['c'])
    const later = new Date('2026-06-01T10:00:00Z')
    for (const [nth, video_id] of ['c', 'a'].entries())
      await alice.library.viewings.markSome('later_at', [video_id], new Date(later.getTime() + nth * 1000))

    expect(await (await podcastOf(alice, { playlist_id })).ids()).toEqual(['a', 'b'])
    expect(await (await podcastOf(alice, { list: 'later' })).ids()).toEqual(['a', 'c'])
  })

  it('what is hidden, or found when older videos were loaded, is not in New', async () => {
    const alice = await withVideos('shown', 'hidden', 'older')
    await alice.library.viewings.markSome('not_for_me_at', ['hidden'], new Date('2026-06-01'))
    await sql`update video_entries set source = 'listing' where user_id = ${alice.user.user_id} and video_id = 'older'`

    expect(await (await podcastOf(alice, { list: 'new' })).ids()).toEqual(['shown'])
    expect(await (await podcastOf(alice, { list: 'all' })).ids()).toEqual(['shown', 'older'])
  })

  it.each([
    ['m4a', 'audio/mp4'],
    ['mp3', 'audio/mpeg'],
  ])(
    'a sound podcast lists sound files as they are, and the feed of an empty list has no episodes: %s',
    async (extension, type) => {
      const alice = await withVideos('film')
      await follows(alice, 'radio', ['talk'])
      await app.storage.give(`${alice.user.user_id}/radio/talk.${extension}`, 'sound')
      await has(alice, 'talk', `${alice.user.user_id}/radio/talk.${extension}`, 5)
      const sound = await podcastOf(alice, { list: 'all' }, { kind: 'audio' })

      expect((await sound.episodes()).map(({ enclosures }) => enclosures?.[0])).toEqual([
        { url: sound.url.replace('feed.xml', `talk.${extension}`), length: 5, type },
      ])
      const file = await sound.get(`talk.${extension}`)
      expect([file.headers.get('content-type'), await file.text()]).toEqual([type, 'sound'])
      expect((await sound.get(`talk.${extension === 'mp3' ? 'm4a' : 'mp3'}`)).status).toBe(404)
      const films = await podcastOf(alice, { list: 'all' }, { kind: 'video' })
      expect((await films.get(`talk.${extension}`)).headers.get('content-type')).toBe(type)
      expect((await sound.get('film.mp4')).status).toBe(404)
      expect(await (await podcastOf(alice, { list: 'later' })).episodes()).toEqual([])
    },
  )
})
