/** The files of a video: audio only, and subtitles. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { unfollowChannel } from '../../../src/domain/channels/channels.ts'
import { dropDownload } from '../../../src/domain/downloads/downloads.ts'
import { type Ask, useApp } from '../../support/app/app.ts'
import { no_bin, runDownload } from '../../support/app/files.ts'
import { follows, type Person, person, personWith } from '../../support/app/people.ts'

const app = useApp()
const { ask, sql } = app

const aliceFollows = (...video_ids: string[]) => personWith(sql, 'alice', 'kitchen', video_ids)

const downloads = (alice: Person, video_id: string, extension?: string, languages?: string[]) =>
  runDownload(app.files, alice, video_id, extension, languages)

/** Reads an answer to its end, so that its file is closed. */
async function read(path: string, how: Ask): Promise<Response> {
  const answer = await ask(path, how)
  await answer.arrayBuffer()
  return answer
}

const onDisk = (alice: Person) => readdir(join(app.folder, alice.user.user_id, 'kitchen')).catch(() => [])

describe('audio only', () => {
  it.each([
    ['audio', 'm4a', 'audio/mp4'],
    ['mp3', 'mp3', 'audio/mpeg'],
  ] as const)('%s is an %s to stream, to save and to play', async (quality, extension, type) => {
    const alice = await aliceFollows('v1')
    await alice.library.settings.save({ quality })

    expect(await downloads(alice, 'v1', extension)).toBe(quality)

    expect(await alice.library.videos.find('v1')).toMatchObject({
      download_path: `${alice.user.user_id}/kitchen/v1.${extension}`,
    })
    const streamed = await read('/stream/v1', { as: alice, headers: { range: 'bytes=0-2' } })
    expect([streamed.status, streamed.headers.get('content-type')]).toEqual([206, type])
    const saved = await read('/download/v1', { as: alice })
    expect(saved.headers.get('content-type')).toBe(type)
    expect(saved.headers.get('accept-ranges')).toBe('bytes')
    expect(saved.headers.get('content-disposition')).toContain(`filename="Video v1.${extension}"`)
    const page = await (await ask('/watch/v1', { as: alice })).text()
    expect(page).toMatch(/<audio [^>]*src="\/stream\/v1"/)
    expect(page).not.toContain('<video')
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

    await dropDownload(alice.library, { files: app.files, bin: no_bin }, 'a')

    expect(await onDisk(alice)).toEqual(['a.en.en.vtt', 'a.en.mp4', 'b.en.vtt', 'b.mp4'])
    expect(await alice.library.videos.find('a')).toMatchObject({ subtitles: [] })
    await unfollowChannel(alice.library, { files: app.files, bin: no_bin }, 'kitchen')
    expect(await onDisk(alice)).toEqual([])
  })

  it('subtitles are deleted even when the file was missing', async () => {
    const alice = await aliceFollows('v1')
    await downloads(alice, 'v1', 'mp4', ['en'])
    await rm(join(app.folder, alice.user.user_id, 'kitchen', 'v1.mp4'))

    await unfollowChannel(alice.library, { files: app.files, bin: no_bin }, 'kitchen')

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
