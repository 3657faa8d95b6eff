/** Playlists on their pages and in the menu of a video. */
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { has, type Person, personWith } from '../../support/app/people.ts'
import { flashOf } from '../../support/app/sign-in.ts'

const { ask, sql, textAt } = useApp()

const textOf = async (as: Person, path: string) => textAt(path, { as })
const send = (as: Person, path: string, form: Record<string, string | string[]> = {}, headers = {}) =>
  ask(path, { as, form, headers })
const fragment = { 'hx-request': 'true' }
const namesOf = async ({ library }: Person) => (await library.playlists.list()).map(({ name }) => name)

async function withPlaylist(...video_ids: string[]) {
  const alice = await personWith(sql, 'alice', 'bread', ['b1', 'b2', 'b3'])
  const { playlist_id } = await alice.library.playlists.create('Weekend')
  await alice.library.playlists.addVideos(playlist_id, video_ids)
  const idsIn = () => alice.library.playlists.videoIds(playlist_id)
  return { alice, playlist_id, path: `/playlists/${playlist_id}`, idsIn }
}

describe('all playlists', () => {
  it('says what playlists are for while there are none, and creates the first', async () => {
    const alice = await personWith(sql, 'alice', 'bread', ['b1'])
    expect(await textOf(alice, '/playlists')).toContain('A playlist is your own list of videos')
    const created = await send(alice, '/playlists', { name: ' Weekend ' })
    const [playlist] = await alice.library.playlists.list()
    expect([created.status, created.headers.get('location')]).toEqual([303, `/playlists/${playlist?.playlist_id}`])
    expect(await textOf(alice, '/playlists')).toMatch(/<bdi>Weekend<\/bdi>.*No videos/s)
    const refused = await send(alice, '/playlists', { name: 'WEEKEND' })
    expect([refused.status, await refused.text()]).toMatchObject([409, expect.stringContaining('with this name.')])
  })
})

describe('one playlist', () => {
  it('does not say that a video outside the library is in it', async () => {
    const { alice, path } = await withPlaylist('b1')
    const added = async (video_id: string) => flashOf(await send(alice, `${path}/add`, { video_id }))?.text
    expect(await added('b1')).toContain('Already in')
    expect(await added('no-such-video')).toBe('There is no such video in your library.')
  })

  it('is renamed, deleted and restored with its videos', async () => {
    const { alice, path, idsIn } = await withPlaylist('b2', 'b1')
    await send(alice, path, { name: 'Evenings' })
    expect(await namesOf(alice)).toEqual(['Evenings'])
    const deleted = await send(alice, `${path}/delete`)
    expect(await namesOf(alice)).toEqual([])
    expect(flashOf(deleted)).toMatchObject({ undo: { do: 'restore_playlist' } })
    expect(await textOf(alice, '/playlists')).not.toContain('Evenings')
    await send(alice, `${path}/restore`)
    expect(await namesOf(alice)).toEqual(['Evenings'])
    expect(await idsIn()).toEqual(['b2', 'b1'])
  })

  it('moves its videos by buttons, takes them out, and puts them back to their places', async () => {
    const { alice, path, idsIn } = await withPlaylist('b1', 'b2', 'b3')
    for (const [to, order] of [
      ['up', ['b1', 'b3', 'b2']],
      ['top', ['b3', 'b1', 'b2']],
      ['up', ['b3', 'b1', 'b2']],
      ['down', ['b1', 'b3', 'b2']],
      ['bottom', ['b1', 'b2', 'b3']],
      ['2', ['b1', 'b3', 'b2']],
    ] as const) {
      expect((await send(alice, `${path}/place`, { video_id: 'b3', to })).status).toBe(303)
      expect(await idsIn()).toEqual(order)
    }
    const removed = await send(alice, `${path}/remove`, { video_id: 'b3' })
    expect(await idsIn()).toEqual(['b1', 'b2'])
    const { undo } = flashOf(removed)
    expect(undo).toMatchObject({ do: 'put_back' })
    await send(alice, `${path}/put-back`, { removed_at: undo.removed_at })
    expect(await idsIn()).toEqual(['b1', 'b3', 'b2'])
  })

  it('takes out the selected videos, and puts them back to their places', async () => {
    const { alice, path, idsIn } = await withPlaylist('b1', 'b2', 'b3')
    expect(await textOf(alice, path)).toContain(`href="${path}?select=1"`)
    const page = await textOf(alice, `${path}?select=1`)
    expect(page).toMatch(new RegExp(`<button[^>]* formaction="${path}/remove"[^>]*>\\s*Remove\\s*<`))
    expect(page).toContain('<input type="checkbox" name="video_id" value="b2" form="chosen"')
    const removed = await send(alice, `${path}/remove`, { video_id: ['b3', 'b1', 'gone'] })
    expect(await idsIn()).toEqual(['b2'])
    expect(flashOf(removed).text).toBe('2 videos removed from Weekend.')
    const undone = await send(alice, `${path}/put-back`, { removed_at: flashOf(removed).undo.removed_at })
    expect(flashOf(undone).text).toBe('2 videos put back.')
    expect(await idsIn()).toEqual(['b1', 'b2', 'b3'])
    expect(flashOf(await send(alice, `${path}/remove`)).text).toBe('Select at least one video.')
    expect(flashOf(await send(alice, `${path}/remove`, { video_id: 'gone' })).undo).toBe(undefined)
  })

  it('plays its videos on disk in their order', async () => {
    const { alice, playlist_id, path } = await withPlaylist('b3', 'b2', 'b1')
    expect(await textOf(alice, path)).not.toContain('?now')
    for (const id of ['b3', 'b1']) await has(alice, id, `${id}.mp4`, 7)
    const list = `list=playlist%3A${playlist_id}`
    expect(await textOf(alice, path)).toContain(`href="/watch/b3?now&amp;${list}"`)
    const page = await textOf(alice, `/watch/b3?${list}`)
    expect(page).toContain('Weekend')
    expect(page).toMatch(new RegExp(`href="/watch/b1\\?[^"]*${list}"`))

    await alice.library.playlists.setVideos(playlist_id, ['b1', 'b2'])
    const last = await textOf(alice, `/watch/b1?${list}`)
    expect(last).toMatch(new RegExp(`href="/watch/b2\\?${list}">\\s*Next: .*It is not on disk yet`, 's'))
  })
})

describe('adding to a playlist', () => {
  it('the menu of a video leads to the playlists, with a tick where the video is', async () => {
    const { alice, path, idsIn } = await withPlaylist('b1')
    const menu = await ask('/videos/b1/menu', { as: alice, headers: fragment })
    expect(await menu.text()).toContain('href="/playlists/choose?video_id=b1"')

    const choose = async (id: string) => textAt(`/playlists/choose?video_id=${id}`, { as: alice, headers: fragment })
    expect(await choose('b1')).toMatch(new RegExp(`action="${path}/remove".*aria-pressed="true"`, 's'))
    expect(await choose('b2')).toMatch(new RegExp(`action="${path}/add".*aria-pressed="false"`, 's'))

    const added = await send(alice, `${path}/add`, { video_id: 'b2' }, fragment)
    const said = await added.text()
    expect(said).toContain('Added to Weekend.')
    expect(await idsIn()).toEqual(['b1', 'b2'])
    const added_at = /name="added_at" value="([^"]+)"/.exec(said)?.[1] ?? ''
    await send(alice, `${path}/take-back`, { added_at }, fragment)
    expect(await idsIn()).toEqual(['b1'])
  })

  it('selected videos are added to a playlist or to a new one', async () => {
    const { alice, path, idsIn } = await withPlaylist('b1')
    const page = await send(alice, '/playlists/choose', { video_id: ['b1', 'b2'] })
    expect(await page.text()).toMatch(/2 videos.*Weekend/s)
    const added = await send(alice, `${path}/add`, { video_id: ['b3', 'b1', 'b2'] })
    expect(flashOf(added).text).toBe('2 videos added to Weekend.')
    expect(await idsIn()).toEqual(['b1', 'b3', 'b2'])
    const made = await send(alice, '/playlists/choose/new', { name: 'Late', video_id: ['b3', 'b2'] })
    expect(made.headers.get('location')).toMatch(/^\/playlists\/[\w-]{36}$/)
    expect(await alice.library.playlists.list()).toMatchObject([{ name: 'Late', videos: 2 }, { name: 'Weekend' }])
    const refused = await send(alice, '/playlists/choose/new', { name: 'late', video_id: ['b1'] })
    expect(await refused.text()).toContain('You have a playlist called')
    expect((await send(alice, '/playlists/choose', {})).status).toBe(303)
    expect((await ask('/playlists/choose', { as: alice })).status).toBe(303)
  })

  it('the page of the choice leads to the chosen playlist, which then shows its videos', async () => {
    const { alice, path, idsIn } = await withPlaylist('b1', 'b2', 'b3')
    const page = await (await send(alice, '/playlists/choose', { video_id: ['b1', 'b2'] })).text()
    // Its ticks would not follow.
    expect(page.split('class="choose-playlist"')[1]?.split('</main>')[0]).not.toContain('hx-post')
    const headers = { referer: 'http://localhost/playlists/choose' }
    const removed = await send(alice, `${path}/remove`, { video_id: ['b1', 'b2'] }, headers)
    expect(removed.headers.get('location')).toBe(path)
    expect(await idsIn()).toEqual(['b3'])
  })

  it('an undo on the page of the playlist shows the page again', async () => {
    const { alice, path } = await withPlaylist('b1')
    const referer = `http://localhost${path}`
    const removed_at = '2026-01-01T00:00:00Z'
    const undone = await send(alice, `${path}/put-back`, { removed_at }, { ...fragment, referer })
    expect(undone.headers.get('hx-refresh')).toBe('true')
    expect((await send(alice, `${path}/put-back`, { removed_at }, fragment)).headers.get('hx-refresh')).toBe(null)
  })
})
