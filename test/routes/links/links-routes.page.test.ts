/** The settings of links and podcasts, and the page that opens a video elsewhere. */
import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { personWithFilm } from '../../support/app/links.ts'
import { follows, type Person, person } from '../../support/app/people.ts'
import { flashOf } from '../../support/app/sign-in.ts'

const app = useApp()
const { ask, sql, textAt } = app
let alice: Person
let bob: Person

beforeAll(async () => {
  alice = await personWithFilm(app, 'alice', 'the film')
  bob = await person(sql, 'bob')
  await follows(alice, 'kitchen', ['tea'])
})

const send = (as: Person, path: string, form: Record<string, string> = {}) => ask(path, { as, form })
const textOf = async (as: Person, path: string) => textAt(path, { as })
/** The address that a page shows once. */
const shownIn = (page: string) => /<textarea id="secret"[^>]*>([^<]+)<\/textarea>/.exec(page)?.[1] ?? ''
const answerAt = (url: string) => ask(new URL(url).pathname)

describe('opening a video elsewhere', () => {
  it('an address of the file is shown once, and works without a sign-in', async () => {
    const made = await send(alice, '/watch/v1/elsewhere', { kind: 'play' })
    const url = shownIn(await made.text())

    expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(await (await answerAt(url)).text()).toBe('the film')
    expect(await textOf(alice, '/watch/v1/elsewhere')).not.toContain('/s/')
    expect(await textOf(alice, '/settings/links')).not.toContain('/s/')
  })

  it('a page is shared for a week', async () => {
    const url = shownIn(await (await send(alice, '/watch/v1/elsewhere', { kind: 'share' })).text())
    expect((await answerAt(url)).status).toBe(200)
    const [link] = await alice.library.secrets.links()
    const days = (Number(link?.expires_at) - Number(link?.created_at)) / 86_400_000
    expect([link?.kind, Math.round(days)]).toEqual(['share', 7])
  })

  it('a player gets a file with the address', async () => {
    const answer = await send(alice, '/watch/v1/elsewhere/playlist.m3u')
    const [start, about, url = ''] = (await answer.text()).split('\n')
    expect(answer.headers.get('content-type')).toBe('audio/x-mpegurl; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=".+\.m3u"/)
    expect([start, about]).toEqual(['#EXTM3U', expect.stringMatching(/^#EXTINF:-?\d+,/)])
    expect(await (await answerAt(url)).text()).toBe('the film')
  })

  it('is not offered for a video that is not on disk, or that is of another person', async () => {
    expect((await ask('/watch/tea/elsewhere', { as: alice })).status).toBe(404)
    expect((await send(alice, '/watch/tea/elsewhere', { kind: 'play' })).status).toBe(409)
    expect((await ask('/watch/v1/elsewhere', { as: bob })).status).toBe(404)
    expect((await send(bob, '/watch/v1/elsewhere/playlist.m3u')).status).toBe(404)
    expect(await textOf(alice, '/watch/v1')).toContain('href="/watch/v1/elsewhere"')
    expect(await textOf(alice, '/watch/tea')).not.toContain('/elsewhere"')
  })
})

describe('the settings', () => {
  it('a link is listed and revoked, by its person only', async () => {
    const url = shownIn(await (await send(alice, '/watch/v1/elsewhere', { kind: 'play' })).text())
    const [link] = await alice.library.secrets.links()
    const path = `/settings/links/${link?.link_id}/revoke`
    expect(await textOf(alice, '/settings/links')).toContain(path)

    expect((await send(bob, path)).status).toBe(404)
    expect(await (await answerAt(url)).text()).toBe('the film')
    const revoked = await send(alice, path)
    expect([revoked.status, revoked.headers.get('location')]).toEqual([303, '/settings/links'])
    expect(flashOf(revoked).text).toBe('Link revoked. Its address opens nothing from now on.')
    expect((await answerAt(url)).status).toBe(404)
    expect((await send(alice, path)).status).toBe(404)
  })

  it('a podcast of sound says why which videos have none', async () => {
    const form = { channel_id: 'c', kind: 'audio', newest: '9' }
    await send(alice, '/podcasts/new', form)
    expect(await textOf(alice, '/settings/links')).not.toContain('without sound')
    const film = await alice.library.sounds.wanted('v1')

    if (film) await alice.library.sounds.refuse(film, 'This video has no sound.', null)

    expect(await textOf(alice, '/settings/links')).toContain('1 video without sound: This video has no sound.')
    const [podcast] = await alice.library.podcasts.list()
    await send(alice, `/settings/links/podcasts/${podcast?.podcast_id}/delete`)
  })

  it('a podcast gets another address, and is deleted, by its person only', async () => {
    const form = { channel_id: 'kitchen', kind: 'video', newest: '9' }
    const first = shownIn(await (await send(alice, '/podcasts/new', form)).text())
    const [podcast] = await alice.library.podcasts.list()
    const path = `/settings/links/podcasts/${podcast?.podcast_id}`

    expect((await send(bob, `${path}/address`)).status).toBe(404)
    const made = await send(alice, `${path}/address`)
    const second = shownIn(await made.text())
    expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect([second.endsWith('/feed.xml'), second === first]).toEqual([true, false])
    expect(await textOf(alice, '/settings/links')).not.toContain('/f/')

    expect((await send(bob, `${path}/delete`)).status).toBe(404)
    const deleted = await send(alice, `${path}/delete`)
    expect([deleted.status, flashOf(deleted).text]).toEqual([
      303,
      'Podcast deleted. Its addresses open nothing from now on.',
    ])
    expect(await alice.library.podcasts.list()).toEqual([])
  })
})
