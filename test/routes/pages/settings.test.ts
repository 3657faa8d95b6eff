import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { untrackChannel } from '../../../src/domain/channels/channels.ts'
import { dropDownload } from '../../../src/domain/downloads/downloads.ts'
import { performDownload } from '../../../src/domain/downloads/perform-download.ts'
import type { Downloader } from '../../../src/ytdlp/run/download.ts'
import { type Ask, useApp } from '../../support/app/app.ts'
import { follows, type Person, person } from '../../support/app/people.ts'

const app = useApp()
const { ask, sql } = app

async function aliceFollows(...video_ids: string[]): Promise<Person> {
  const alice = await person(sql, 'alice')
  await follows(alice, 'kitchen', video_ids)
  return alice
}

/** Runs a download that was asked for; returns the quality that it was to have. */
async function downloads(alice: Person, video_id: string, extension = 'mp4', languages: string[] = []) {
  await alice.library.downloads.request([video_id])
  let asked: string | undefined
  const download: Downloader = async ({ folder, quality }) => {
    asked = quality
    const file = join(folder, `ready.${extension}`)
    await writeFile(file, 'a file')
    const subtitles = languages.map(language => ({ language, file: join(folder, `subtitles.${language}.vtt`) }))
    for (const { language, file } of subtitles)
      await writeFile(file, `WEBVTT\n\n00:00.000 --> 00:01.000\n${language}\n`)
    return { file, file_size: 6, subtitles }
  }
  const stopping = new AbortController().signal
  const outcome = await performDownload({ library: alice.library, files: app.files, download, stopping }, video_id)
  expect(outcome).toBe('completed')
  return asked
}

/** An answer whose file is closed again. */
async function read(path: string, how: Ask): Promise<Response> {
  const answer = await ask(path, how)
  await answer.arrayBuffer()
  return answer
}

const onDisk = (alice: Person) => readdir(join(app.folder, alice.user.user_id, 'kitchen')).catch(() => [])

describe('the quality of downloads', () => {
  it('the quality is the best available until one is chosen, and a channel may have its own', async () => {
    const alice = await aliceFollows('v1', 'v2', 'v3')
    const bob = await person(sql, 'bob')
    await follows(bob, 'kitchen', ['v1'])
    expect(await downloads(alice, 'v1')).toBe('best')

    await ask('/api/settings', { as: alice, method: 'PUT', json: { quality: '720' } })
    expect(await downloads(alice, 'v2')).toBe('720')
    await ask('/api/channels/kitchen/quality', { as: alice, method: 'PUT', json: { quality: '1080' } })
    expect(await downloads(alice, 'v3')).toBe('1080')

    expect(await downloads(bob, 'v1')).toBe('best')
  })

  it('the API sets the quality, and resets a channel to the default', async () => {
    const alice = await aliceFollows()
    const put = (path: string, quality: unknown) => ask(path, { as: alice, method: 'PUT', json: { quality } })

    expect(await (await ask('/api/settings', { as: alice })).json()).toEqual({ quality: 'best' })
    expect(await (await put('/api/settings', '480')).json()).toEqual({ quality: '480' })
    expect(await (await put('/api/channels/kitchen/quality', 'audio')).json()).toMatchObject({
      channel_id: 'kitchen',
      quality: 'audio',
    })
    const { channels } = (await (await ask('/api/channels', { as: alice })).json()) as { channels: object[] }
    expect(channels).toMatchObject([{ quality: 'audio' }])
    expect(await (await put('/api/channels/kitchen/quality', null)).json()).toMatchObject({ quality: null })
    expect(await alice.library.settings.qualityFor('kitchen')).toBe('480')
  })

  it.each(['/api/settings', '/api/channels/kitchen/quality'])('an unknown quality is refused by %s', async path => {
    const alice = await aliceFollows()

    for (const json of [{ quality: '719' }, { quality: 720 }, {}]) {
      const answer = await ask(path, { as: alice, method: 'PUT', json })
      expect(answer.status).toBe(422)
      expect(await answer.json()).toMatchObject({ errors: { quality: expect.any(String) } })
    }
    expect(await alice.library.settings.get()).toEqual({ quality: 'best' })
  })

  it('the database refuses an unknown quality, too', async () => {
    const alice = await aliceFollows()
    const { user_id } = alice.user

    await expect(sql`update users set quality = 'all' where id = ${user_id}`).rejects.toThrow(/users_quality/)
    await expect(sql`update channels set quality = 'all' where user_id = ${user_id}`).rejects.toThrow(
      /channels_quality/,
    )
  })

  it('the quality can be chosen by forms, without scripts', async () => {
    const alice = await aliceFollows()

    const saved = await ask('/settings', { as: alice, form: { quality: '1440' } })
    expect([saved.status, saved.headers.get('location')]).toEqual([303, '/settings'])
    expect(await (await ask('/settings', { as: alice })).text()).toMatch(/<option value="1440" selected[^>]*>/)

    const channel = await ask('/channels/kitchen/quality', { as: alice, form: { quality: 'audio' } })
    expect([channel.status, channel.headers.get('location')]).toEqual([303, '/channels/kitchen'])
    const page = await (await ask('/channels/kitchen/settings', { as: alice })).text()
    expect(page).toMatch(/<option value="audio" selected[^>]*>/)
    expect(page).toContain('Default (up to 1440p)')

    await ask('/channels/kitchen/quality', { as: alice, form: { quality: '' } })
    expect(await alice.library.channels.find('kitchen')).toMatchObject({ quality: null })
    expect((await ask('/settings', { as: alice, form: { quality: 'all' } })).status).toBe(422)
  })

  it('the settings name their methods in a 405', async () => {
    const alice = await aliceFollows()
    const answer = await ask('/api/settings', { as: alice, method: 'DELETE' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT'])
  })
})

describe('sound alone', () => {
  it('audio only is an M4A to stream, to save and to play', async () => {
    const alice = await aliceFollows('v1')
    await alice.library.settings.save({ quality: 'audio' })

    expect(await downloads(alice, 'v1', 'm4a')).toBe('audio')

    expect(await alice.library.videos.find('v1')).toMatchObject({
      download_path: `${alice.user.user_id}/kitchen/v1.m4a`,
    })
    const streamed = await read('/stream/v1', { as: alice, headers: { range: 'bytes=0-2' } })
    expect([streamed.status, streamed.headers.get('content-type')]).toEqual([206, 'audio/mp4'])
    const saved = await read('/download/v1', { as: alice })
    expect(saved.headers.get('content-type')).toBe('audio/mp4')
    expect(saved.headers.get('content-disposition')).toContain('filename="Video v1.m4a"')
    const page = await (await ask('/watch/v1', { as: alice })).text()
    expect(page).toMatch(/<audio [^>]*src="\/stream\/v1"/)
    expect(page).not.toContain('<video')
    expect(await (await ask('/downloads', { as: alice })).text()).toMatch(/>\s*Listen\s*</)
  })

  it('a file keeps its type when another quality is chosen later', async () => {
    const alice = await aliceFollows('v1')
    await downloads(alice, 'v1', 'm4a')
    await alice.library.settings.save({ quality: '720' })

    expect((await read('/stream/v1', { as: alice })).headers.get('content-type')).toBe('audio/mp4')
  })
})

describe('subtitles', () => {
  it('subtitles are stored next to the file, offered in the player, and served', async () => {
    const alice = await aliceFollows('v1')
    await downloads(alice, 'v1', 'mp4', ['en', 'pt-BR'])

    expect(await onDisk(alice)).toEqual(['v1.en.vtt', 'v1.mp4', 'v1.pt-BR.vtt'])
    const history = await (await ask('/api/history/kitchen', { as: alice })).json()
    expect(history).toMatchObject({ entries: [{ subtitles: ['en', 'pt-BR'] }] })
    const page = await (await ask('/watch/v1', { as: alice })).text()
    expect(page).toMatch(/<track kind="subtitles" src="\/stream\/v1\/subtitles\/en" srclang="en" label="English"/)
    expect(page).toContain('label="Brazilian Portuguese"')
    const answer = await ask('/stream/v1/subtitles/pt-BR', { as: alice })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/vtt; charset=utf-8'])
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await answer.text()).toMatch(/^WEBVTT/)
  })

  it.each(['fr', 'EN', '..%2Fv1', 'en.vtt', '%00', '%2e%2e'])('subtitles in %s are not found', async language => {
    const alice = await aliceFollows('v1')
    await downloads(alice, 'v1', 'mp4', ['en'])

    expect((await ask(`/stream/v1/subtitles/${language}`, { as: alice })).status).toBe(404)
  })

  it('subtitles are served to their owner only', async () => {
    const alice = await aliceFollows('v1')
    await downloads(alice, 'v1', 'mp4', ['en'])
    const bob = await person(sql, 'bob')
    await follows(bob, 'kitchen', ['v1'])

    expect((await ask('/stream/v1/subtitles/en', { as: bob })).status).toBe(404)
    expect((await ask('/stream/v1/subtitles/en', { as: await person(sql, 'eve') })).status).toBe(404)
  })

  it('a language with path separators leads to no other file', async () => {
    const [alice, bob] = [await aliceFollows('v1'), await person(sql, 'bob')]
    await follows(bob, 'kitchen', ['v1'])
    await downloads(alice, 'v1', 'mp4', ['en'])
    await downloads(bob, 'v1', 'mp4', ['en'])
    const climbing = encodeURIComponent(`x/../../../${bob.user.user_id}/kitchen/v1.en`)

    expect((await ask(`/stream/v1/subtitles/${climbing}`, { as: alice })).status).toBe(404)
  })

  it('subtitles are deleted with their file, and only with it', async () => {
    const alice = await aliceFollows('a', 'a.en', 'b')
    for (const video_id of ['a', 'a.en', 'b']) await downloads(alice, video_id, 'mp4', ['en'])

    await dropDownload(alice.library, app.files, 'a')

    expect(await onDisk(alice)).toEqual(['a.en.en.vtt', 'a.en.mp4', 'b.en.vtt', 'b.mp4'])
    expect(await alice.library.videos.find('a')).toMatchObject({ subtitles: [] })
    await untrackChannel(alice.library, app.files, 'kitchen')
    expect(await onDisk(alice)).toEqual([])
  })

  it('subtitles are deleted even when the file was missing', async () => {
    const alice = await aliceFollows('v1')
    await downloads(alice, 'v1', 'mp4', ['en'])
    await rm(join(app.folder, alice.user.user_id, 'kitchen', 'v1.mp4'))

    await untrackChannel(alice.library, app.files, 'kitchen')

    expect(await onDisk(alice)).toEqual([])
  })

  it('a video in a second channel has the same subtitles there', async () => {
    const alice = await aliceFollows('v1')
    await downloads(alice, 'v1', 'mp4', ['en'])

    await follows(alice, 'garden', ['v1'])

    const { entries } = await alice.library.videos.list({ channel_id: 'garden', limit: 1 })
    expect(entries).toMatchObject([{ download_status: 'completed', subtitles: ['en'] }])
  })
})
