/** Playlists and the history, by the API. */
import { describe, expect, it } from 'vitest'
import { unfollowChannel } from '../../../src/domain/channels/channels.ts'
import { max_playlist_videos, max_playlists } from '../../../src/schema/watching/playlist.ts'
import { useApp } from '../../support/app/app.ts'
import { aLockIsWaitedFor } from '../../support/app/database.ts'
import { follows, has, type Person, person, personWith } from '../../support/app/people.ts'

const app = useApp({ connections: 4 })
const { ask, sql, jsonAt } = app
const none = '00000000-0000-4000-8000-000000000000'

const create = async (as: Person, name: string) => jsonAt('/api/playlists', { as, json: { name } })
const listOf = async (as: Person) => (await jsonAt('/api/playlists', { as })).playlists
const read = async (as: Person, playlist_id: string, query = '') =>
  jsonAt(`/api/playlists/${playlist_id}${query}`, { as })
const choose = (as: Person, playlist_id: string, video_ids: string[]) =>
  ask(`/api/playlists/${playlist_id}/videos`, { as, method: 'PUT', json: { video_ids } })

async function withPlaylist(...video_ids: string[]) {
  const alice = await personWith(sql, 'alice', 'bread', ['b1', 'b2', 'b3'])
  const { playlist_id } = await create(alice, 'Bread')
  expect((await choose(alice, playlist_id, video_ids)).status).toBe(200)
  return { alice, playlist_id }
}

describe('playlists', () => {
  it('a playlist has its videos in the order that was sent, page by page, and can be renamed and deleted', async () => {
    const { alice, playlist_id } = await withPlaylist('b3', 'b1', 'b2')
    expect(await listOf(alice)).toEqual([{ playlist_id, name: 'Bread', videos: 3 }])

    const first = await read(alice, playlist_id, '?limit=2')
    expect(first).toMatchObject({ name: 'Bread', videos: 3, video_ids: ['b3', 'b1', 'b2'] })
    expect(first.entries).toMatchObject([{ video_id: 'b3' }, { video_id: 'b1' }])
    const second = await read(alice, playlist_id, `?limit=2&cursor=${first.next_cursor}`)
    expect(second).toMatchObject({ entries: [{ video_id: 'b2' }], next_cursor: null })

    await choose(alice, playlist_id, ['b2', 'b3', 'b2'])
    expect((await read(alice, playlist_id)).video_ids).toEqual(['b2', 'b3'])
    const renamed = await ask(`/api/playlists/${playlist_id}`, { as: alice, method: 'PUT', json: { name: 'Loaves' } })
    expect(await renamed.json()).toEqual({ playlist_id, name: 'Loaves', videos: 2 })
    expect((await ask(`/api/playlists/${playlist_id}`, { as: alice, method: 'DELETE' })).status).toBe(204)
    expect(await listOf(alice)).toEqual([])
    expect((await ask(`/api/playlists/${playlist_id}`, { as: alice })).status).toBe(404)
  })

  it('a playlist with a video of another person or a missing one stays as it was', async () => {
    const { alice, playlist_id } = await withPlaylist('b1')
    const bob = await personWith(sql, 'bob', 'his', ['h1'])
    for (const video_ids of [['b2', 'h1'], ['gone']])
      expect((await choose(alice, playlist_id, video_ids)).status).toBe(404)
    expect((await read(alice, playlist_id)).video_ids).toEqual(['b1'])
    expect((await choose(bob, playlist_id, ['h1'])).status).toBe(404)
    expect((await choose(alice, none, ['b1'])).status).toBe(404)
  })

  it('a video that is deleted while it is added again leaves the playlist, without a deadlock', async () => {
    const { alice, playlist_id } = await withPlaylist('b1', 'b2')
    await alice.library.playlists.takeOut(playlist_id, ['b1'])
    const b1 = sql`user_id = ${alice.user.user_id} and video_id = 'b1'`

    let adding: Promise<unknown> | undefined
    await sql.begin(async tx => {
      await tx`select from video_entries where ${b1} for update`
      adding = alice.library.playlists.addVideos(playlist_id, ['b1'])
      await aLockIsWaitedFor(sql)
      await tx`delete from video_entries where ${b1}`
    })

    expect(await adding).toMatchObject({ added: 0 })
    expect((await read(alice, playlist_id)).video_ids).toEqual(['b2'])
  })

  it('a video that was taken out has no place to step from, and can still be put back', async () => {
    const { alice, playlist_id } = await withPlaylist('b1', 'b2')
    const taken = await alice.library.playlists.takeOut(playlist_id, ['b1'])

    expect(await alice.library.playlists.put(playlist_id, 'b1', 'down')).toBe(false)
    expect(await alice.library.playlists.putBack(playlist_id, taken?.removed_at ?? '')).toBe(1)
    expect((await read(alice, playlist_id)).video_ids).toEqual(['b1', 'b2'])
  })

  it('a video of two channels is in a playlist once, and stays while one of the channels is followed', async () => {
    const { alice, playlist_id } = await withPlaylist('b2', 'b1')
    await follows(alice, 'twin', ['b1'])
    expect((await read(alice, playlist_id)).entries).toMatchObject([{ video_id: 'b2' }, { video_id: 'b1' }])

    await unfollowChannel(alice.library, { files: app.files, bin: { hours: 0, quota_bytes: 0 } }, 'bread')

    expect(await read(alice, playlist_id)).toMatchObject({
      videos: 1,
      video_ids: ['b1'],
      entries: [{ video_id: 'b1' }],
    })
    expect(await sql`select from playlist_videos where user_id = ${alice.user.user_id}`).toHaveLength(1)
  })

  it('an unfollowed channel takes its videos out of the playlists, and brings them back to their places', async () => {
    const { alice, playlist_id } = await withPlaylist('b3', 'b1', 'b2')
    await follows(alice, 'tea', ['t1', 't2'])
    await choose(alice, playlist_id, ['b3', 't1', 'b1', 't2'])
    const bin = { hours: 24, quota_bytes: 0 }
    await unfollowChannel(alice.library, { files: app.files, bin }, 'tea')
    expect(await read(alice, playlist_id)).toMatchObject({ videos: 2, video_ids: ['b3', 'b1'] })
    expect(await alice.library.playlists.put(playlist_id, 'b1', 1)).toBe(true)

    await alice.library.bin.restoreChannel('tea', bin)

    expect((await read(alice, playlist_id)).video_ids).toEqual(['b1', 'b3', 't1', 't2'])
  })

  it('two playlists of one person differ in their names, whatever the case', async () => {
    const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
    await create(alice, 'Bread')
    expect((await ask('/api/playlists', { as: alice, json: { name: ' BREAD' } })).status).toBe(409)
    expect((await ask('/api/playlists', { as: bob, json: { name: 'Bread' } })).status).toBe(201)
    expect((await ask('/api/playlists', { as: alice, json: { name: '' } })).status).toBe(422)
  })

  it('a person has a limited number of playlists, and a playlist of videos', async () => {
    const { alice, playlist_id } = await withPlaylist()
    const { user_id } = alice.user
    await sql`
      insert into playlists (user_id, name)
      select ${user_id}, 'List ' || n from generate_series(2, ${max_playlists}) n`
    expect((await ask('/api/playlists', { as: alice, json: { name: 'One more' } })).status).toBe(422)
    const ids = Array.from({ length: max_playlist_videos + 1 }, (_, at) => `v${at}`)
    expect((await choose(alice, playlist_id, ids)).status).toBe(422)
    await sql`
      insert into playlist_videos (user_id, playlist_id, video_id, place)
      select ${user_id}, ${playlist_id}, 'gone-' || n, n from generate_series(1, ${max_playlist_videos}) n`
    await expect(alice.library.playlists.addVideos(playlist_id, ['b1'])).rejects.toThrow('at most 5000')
  })

  it('a video is added at the end once, moved to any place, and taken out again', async () => {
    const { alice, playlist_id } = await withPlaylist('b2')
    const { playlists } = alice.library
    const added = await playlists.addVideos(playlist_id, ['b3', 'b2', 'gone', 'b1'])
    expect(added?.added).toBe(2)
    expect(await playlists.videoIds(playlist_id)).toEqual(['b2', 'b3', 'b1'])

    const orders: Record<number, string[]> = { 1: ['b1', 'b2', 'b3'], 2: ['b2', 'b1', 'b3'], 9: ['b2', 'b3', 'b1'] }
    for (const [place, order] of Object.entries(orders)) {
      await playlists.put(playlist_id, 'b1', Number(place))
      expect(await playlists.videoIds(playlist_id)).toEqual(order)
    }
    expect((await playlists.takeOut(playlist_id, ['b3']))?.removed).toBe(1)
    expect((await playlists.takeOut(playlist_id, ['b3', 'gone']))?.removed).toBe(0)
    expect(await playlists.takeBack(playlist_id, added?.added_at ?? '')).toBe(2)
    expect(await playlists.videoIds(playlist_id)).toEqual(['b2'])
    for (const change of [
      playlists.put(none, 'b1', 1),
      playlists.addVideos(none, ['b1']),
      playlists.takeOut(none, ['b1']),
      playlists.takeBack(none, added?.added_at ?? ''),
      playlists.putBack(none, added?.added_at ?? ''),
    ])
      expect(await change).toBe(undefined)
  })

  it('videos that are taken out go back to their places, whatever has moved, and count as gone until then', async () => {
    const { alice, playlist_id } = await withPlaylist('b3', 'b1', 'b2')
    await follows(alice, 'tea', ['t1', 't2'])
    const { playlists } = alice.library
    const ids = () => playlists.videoIds(playlist_id)
    await playlists.addVideos(playlist_id, ['t1', 't2'])
    const taken = await playlists.takeOut(playlist_id, ['b1', 't1', 'b3'])
    expect(await read(alice, playlist_id)).toMatchObject({ videos: 2, video_ids: ['b2', 't2'] })
    expect(await playlists.list()).toMatchObject([{ videos: 2 }])
    expect(await playlists.choices(['b1', 'b2'])).toMatchObject([{ videos: 2, has: 1 }])
    await playlists.put(playlist_id, 't2', 1)
    expect(await ids()).toEqual(['t2', 'b2'])
    expect(await playlists.putBack(playlist_id, taken?.removed_at ?? '')).toBe(3)
    expect(await ids()).toEqual(['b3', 'b1', 't2', 'b2', 't1'])
    expect(await playlists.putBack(playlist_id, taken?.removed_at ?? '')).toBe(0)
  })

  it('a video that is added again after it was taken out is at the new place, and Undo leaves it there', async () => {
    const again = {
      add: (playlist_id: string) => alice.library.playlists.addVideos(playlist_id, ['b3']),
      put: (playlist_id: string) => alice.library.playlists.put(playlist_id, 'b3', 2),
      choose: (playlist_id: string) => alice.library.playlists.setVideos(playlist_id, ['b2', 'b3']),
    }
    const { alice } = await withPlaylist()
    const { playlists } = alice.library
    for (const [how, add] of Object.entries(again)) {
      const { playlist_id } = await create(alice, how)
      await choose(alice, playlist_id, ['b3', 'b1', 'b2'])
      const taken = await playlists.takeOut(playlist_id, ['b3', 'b1'])
      await add(playlist_id)
      expect(await playlists.videoIds(playlist_id), how).toEqual(['b2', 'b3'])
      expect(await playlists.putBack(playlist_id, taken?.removed_at ?? ''), how).toBe(1)
      expect((await playlists.videoIds(playlist_id)).indexOf('b3'), how).toBeGreaterThan(0)
    }
  })

  it('what was taken out a day ago is forgotten with the next change, and takes no room before', async () => {
    const { alice, playlist_id } = await withPlaylist('b1', 'b2')
    const { playlists } = alice.library
    await sql`
      insert into playlist_videos (user_id, playlist_id, video_id, place, removed_at)
      select ${alice.user.user_id}, ${playlist_id}, 'gone-' || n, n, now() from generate_series(1, ${max_playlist_videos}) n`
    expect((await playlists.addVideos(playlist_id, ['b3']))?.added).toBe(1)
    await sql`update playlist_videos set removed_at = now() - interval '25 hours' where removed_at is not null`
    await playlists.put(playlist_id, 'b1', 3)
    expect(await sql`select from playlist_videos where playlist_id = ${playlist_id}`).toHaveLength(3)
  })

  it('Undo tells two changes apart, also when the clock has not moved on', async () => {
    const { alice, playlist_id } = await withPlaylist()
    const { playlists } = alice.library
    const first = await playlists.addVideos(playlist_id, ['b1'])
    await sql`update playlist_videos set added_at = now() + interval '1 hour' where playlist_id = ${playlist_id}`
    const second = await playlists.addVideos(playlist_id, ['b2'])
    const third = await playlists.addVideos(playlist_id, ['b3'])
    const [out, next] = [await playlists.takeOut(playlist_id, ['b1']), await playlists.takeOut(playlist_id, ['b2'])]
    const times = [first?.added_at, second?.added_at, third?.added_at, out?.removed_at, next?.removed_at]
    expect(times).toEqual([...new Set(times)].toSorted())
    expect(await playlists.putBack(playlist_id, next?.removed_at ?? '')).toBe(1)
    expect(await playlists.takeBack(playlist_id, second?.added_at ?? '')).toBe(1)
    expect(await playlists.videoIds(playlist_id)).toEqual(['b3'])
  })
})

describe('the history', () => {
  const watched = async (as: Person, query = '') => jsonAt(`/api/watched${query}`, { as })
  const idsIn = ({ entries }: { entries: { video_id: string }[] }) => entries.map(({ video_id }) => video_id)

  /** Has played b1, marked b2, then played b3 to its end. */
  async function withHistory() {
    const alice = await personWith(sql, 'alice', 'bread', ['b1', 'b2', 'b3', 'b4'])
    await follows(alice, 'twin', ['b1'])
    const { viewings } = alice.library
    await viewings.record('b1', { position_seconds: 30, duration_seconds: 100 })
    await viewings.record('b2', { seen: true })
    await viewings.record('b3', { position_seconds: 99, duration_seconds: 100, seen: true })
    await viewings.record('b4', { later: true })
    return alice
  }

  it('has what was played or marked, the last one first, page by page, and is searched', async () => {
    const alice = await withHistory()
    expect(idsIn(await watched(alice))).toEqual(['b3', 'b2', 'b1'])
    const first = await watched(alice, '?limit=2')
    expect(first.entries[0].watched_at).toMatch(/^\d{4}-/)
    expect(idsIn(await watched(alice, `?limit=2&cursor=${first.next_cursor}`))).toEqual(['b1'])
    expect(idsIn(await watched(alice, '?q=video+b2'))).toEqual(['b2'])
    expect((await ask('/api/watched?cursor=nonsense', { as: alice })).status).toBe(422)
    expect(await watched(await person(sql, 'bob'))).toEqual({ entries: [], next_cursor: null })
  })

  it('a removed video leaves Continue watching too, stays watched, and returns when it is watched again', async () => {
    const alice = await withHistory()
    await has(alice, 'b1', 'b1.mp4', 7)
    const { library } = alice
    expect(await library.viewings.unfinished({ limit: 9 })).toHaveLength(1)

    for (const video_id of ['b1', 'b3'])
      expect((await ask(`/api/watched/${video_id}`, { as: alice, method: 'DELETE' })).status).toBe(204)

    expect(idsIn(await watched(alice))).toEqual(['b2'])
    expect(await library.viewings.unfinished({ limit: 9 })).toEqual([])
    expect(await library.videos.find('b1')).toMatchObject({ position_seconds: null })
    expect((await library.videos.find('b3'))?.seen_at).not.toBe(null)
    await library.viewings.record('b1', { position_seconds: 5 })
    expect(idsIn(await watched(alice))).toEqual(['b1', 'b2'])
    expect(await library.viewings.unfinished({ limit: 9 })).toHaveLength(1)
  })

  it('all of it is removed at once, and put back as it was', async () => {
    const alice = await withHistory()
    const at = (await alice.library.watched.forget()) ?? ''
    expect(idsIn(await watched(alice))).toEqual([])
    await alice.library.watched.restore(at)
    expect(idsIn(await watched(alice))).toEqual(['b3', 'b2', 'b1'])
    expect(await alice.library.videos.find('b1')).toMatchObject({ position_seconds: 30 })
  })

  it('a removed video is in the history again while it is marked as watched, alone or with all others', async () => {
    const alice = await withHistory()
    const { viewings, watched: history } = alice.library
    for (const mark of [
      () => viewings.markSome('seen_at', ['b1'], new Date()),
      () => viewings.markAll({ until: new Date() }, new Date()),
      () => viewings.record('b1', { seen: true }),
    ]) {
      await viewings.record('b1', { seen: false })
      await history.forget('b1')
      await mark()
      expect(idsIn(await watched(alice))).toContain('b1')
      expect(await alice.library.videos.find('b1')).toMatchObject({ position_seconds: null })
      await viewings.record('b1', { seen: false })
      expect(idsIn(await watched(alice))).not.toContain('b1')
      await viewings.record('b1', { position_seconds: 30 })
    }
  })
})
