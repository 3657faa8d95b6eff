/** A file that not every device plays, and the press that replaces it, with the real yt-dlp and ffmpeg against a site on loopback. */
import { cp, mkdtemp, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { performDownload } from '../../../src/domain/downloads/perform-download.ts'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { memoized } from '../../../src/runtime/cache.ts'
import type { Quality } from '../../../src/schema/downloads/quality.ts'
import type { FileStreams } from '../../../src/schema/sources/streams.ts'
import type { Downloader } from '../../../src/ytdlp/fetch/download.ts'
import { useApp } from '../../support/app/app.ts'
import { entry, type Person, person } from '../../support/app/people.ts'
import { download, succeeded } from '../../support/media/downloads.ts'
import { type MediaServer, openMediaServer } from '../../support/media/media.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const app = useApp()
const without_bin = useApp({ BIN_HOURS: 0 })
const place = newFolder()
let site: MediaServer
beforeAll(async () => {
  site = await openMediaServer()
})
afterAll(() => site.close())

const representation = (id: string, type: string, codecs: string, file: string, size = '') =>
  `<AdaptationSet mimeType="${type}" contentType="${type.split('/')[0]}"><Representation id="${id}" bandwidth="100000"
    codecs="${codecs}" ${size}><BaseURL>/odd/${file}</BaseURL></Representation></AdaptationSet>`
/** A site has the picture as AV1 and as H.264. */
const manifest = `<?xml version="1.0"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" type="static"
  mediaPresentationDuration="PT1S"><Period>
  ${representation('av1', 'video/mp4', 'av01.0.00M.08', 'av1.mp4', 'width="1280" height="720"')}
  ${representation('h264', 'video/mp4', 'avc1.64001e', 'fits.mp4', 'width="640" height="360"')}
  ${representation('sound', 'audio/mp4', 'mp4a.40.2', 'sound.m4a')}</Period></MPD>`

type App = typeof app

/** Follows a channel whose one video is at this site, in two codecs. */
async function follower(name: string, { sql }: App = app): Promise<Person> {
  site.publish('/bread.mpd', manifest, 'application/dash+xml')
  const made = await person(sql, name)
  const channel = { channel_id: 'kitchen', title: 'Slow Kitchen', rss_url: 'https://videos.example/kitchen.xml' }
  await made.library.channels.save(channel, [entry('v', { video_url: `${site.url}/bread.mpd` })])
  return made
}

/** What the real yt-dlp brings in each quality, in a folder that stays, because it is the same each time. */
const brought = memoized(async quality => {
  const folder = await mkdtemp(join(place, 'brought-'))
  const options = { tools: toolsForTests(), policy: addressPolicy([new URL(site.url).host]) }
  const asked = { url: `${site.url}/bread.mpd`, quality: quality as Quality, folder }
  return { ...succeeded(await download(options, asked)), folder }
})

const bring: Downloader = async ({ quality, folder }) => {
  const { folder: from, file, ...more } = await brought(String(quality))
  await cp(from, folder, { recursive: true })
  return { ...more, file: join(folder, basename(file)) }
}

async function downloads({ library }: Person, { files, sql }: App = app, is_sharing = false) {
  const sharing = is_sharing ? { sharing: sql } : {}
  return performDownload(
    { library, files, download: bring, ...sharing, stopping: new AbortController().signal } as never,
    'v',
  )
}

/** alice has the AV1. */
async function withAv1(name = 'alice', of: App = app): Promise<Person> {
  const alice = await follower(name, of)
  await alice.library.downloads.request(['v'])
  expect(await downloads(alice, of)).toBe('completed')
  return alice
}

const known = async ({ library }: Person) => {
  const video = await library.videos.find('v')
  if (!video) throw new Error('The video is gone.')
  return video
}
const wanted = async ({ user }: Person) => {
  const [row] = await app.sql`select wanted_quality from video_entries where user_id = ${user.user_id}`
  return row?.wanted_quality
}
const contains = ({ user: { user_id } }: Person, streams: Omit<FileStreams, 'duration_seconds'>) =>
  app.sql`
    update video_entries
    set    file_streams = ${app.sql.json({ ...streams, duration_seconds: 1 })}
    where  user_id = ${user_id}`
const binned = ({ library }: Person) => library.bin.videoIds({ limit: 10 })

/** The line of the cell about where the file may not play; empty: there is none. */
const lineOn = async (path: string, as: Person, { ask }: App = app) => {
  const html = await (await ask(path, { as })).text()
  const [, line = ''] = /<div class="unplayable"[^>]*>(.*?)<\/div>/s.exec(html) ?? []
  return line
    .replaceAll('&#39;', "'")
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

const warning = "This browser can't play it. May not play on iPhones or older TVs. Get a compatible file"

/** Presses the button without a script, or asks by the API. */
const presses = {
  'the page': (as: Person, { ask }: App = app) => ask('/downloads/v/compatible', { as, form: {} }),
  'the API': (as: Person, { ask }: App = app) => ask('/api/download/v', { as, json: { quality: 'compatible' } }),
}
const answers = { 'the page': 303, 'the API': 202 }

describe.each(['the page', 'the API'] as const)('by %s', way => {
  const press = presses[way]

  it('a file that not every device plays is replaced by one that does', async () => {
    const alice = await withAv1()
    expect((await known(alice)).file?.video).toMatchObject({ codec: 'av1' })
    for (const path of ['/', '/watch/v']) expect(await lineOn(path, alice)).toBe(warning)

    const answer = await press(alice)

    expect(answer.status).toBe(answers[way])
    expect(await known(alice)).toMatchObject({ download_status: 'pending', queued: true, file: null, file_size: null })
    expect(await binned(alice)).toEqual(['v'])
    for (const path of ['/', '/watch/v']) expect(await lineOn(path, alice)).toBe('')

    expect(await downloads(alice)).toBe('completed')

    expect((await known(alice)).file?.video).toMatchObject({ codec: 'h264', bits: 8 })
    expect(await binned(alice)).toEqual([])
    for (const path of ['/', '/watch/v']) expect(await lineOn(path, alice)).toBe('')
    expect((await press(alice)).status).toBe(way === 'the API' ? 200 : 303)
    expect(await known(alice)).toMatchObject({ download_status: 'completed' })
  })

  it.each([
    ['that only some browsers cannot play', { codec: 'hevc', profile: 'Main' }, []],
    [
      'that plays, but that the quality would convert,',
      { codec: 'h264', profile: 'High' },
      [{ codec: 'aac', channels: 6, language: null, title: null }],
    ],
  ])('a file %s is replaced, too', async (_, codec, sounds) => {
    const alice = await withAv1()
    const video = { ...codec, width: 640, height: 360, frame_rate: 25, bits: 8, is_hdr: false }
    await contains(alice, { video, sounds, is_compatible: false })

    expect((await press(alice)).status).toBe(answers[way])
    expect([(await known(alice)).download_status, await wanted(alice)]).toEqual(['pending', 'compatible'])
  })

  it('the old file can be restored until the new one is there, and is then of the old quality', async () => {
    const alice = await withAv1()
    const before = (await known(alice)).file
    await press(alice)
    expect(await wanted(alice)).toBe('compatible')

    await app.ask('/downloads/v/restore', { as: alice, form: {} })

    expect(await known(alice)).toMatchObject({ download_status: 'completed', queued: false, file: before })
    expect(await wanted(alice)).toBeNull()
  })

  it('without a bin the old file is gone at once', async () => {
    const alice = await withAv1('alice', without_bin)
    await press(alice, without_bin)
    expect(await known(alice)).toMatchObject({ download_status: 'pending', queued: true })
    expect(await readdir(join(without_bin.folder, alice.user.user_id, 'kitchen')).catch(() => [])).toEqual([])
  })

  it('the only copy stays', async () => {
    const alice = await withAv1()
    await app.sql`update video_entries set availability = 'removed' where user_id = ${alice.user.user_id}`
    expect(await lineOn('/watch/v', alice)).toBe(warning.replace('Get a compatible file', 'VLC plays it.'))

    const answer = await press(alice)

    expect(answer.status).toBe(way === 'the API' ? 409 : 303)
    expect((await known(alice)).file?.video?.codec).toBe('av1')
  })

  it('a video that is downloading now goes on', async () => {
    const alice = await follower('alice')
    await alice.library.downloads.request(['v'])
    await alice.library.downloads.start('v', crypto.randomUUID())

    const answer = await press(alice)

    expect(answer.status).toBe(way === 'the API' ? 409 : 303)
    expect([(await known(alice)).download_status, await wanted(alice)]).toEqual(['downloading', null])
  })

  it('the files of others stay', async () => {
    const [alice, bob] = [await withAv1('alice'), await withAv1('bob')]
    await press(alice)
    expect((await known(bob)).file?.video?.codec).toBe('av1')
    expect([await wanted(bob), await binned(bob)]).toEqual([null, []])
  })
})

it('a cancelled download is no longer wanted in that quality', async () => {
  const alice = await withAv1()
  await presses['the API'](alice)
  await app.ask('/downloads/v/cancel', { as: alice, form: {} })
  expect(await wanted(alice)).toBeNull()
})

it('a copy of the file for another person says what it contains', async () => {
  const alice = await withAv1()
  const bob = await follower('bob')
  await bob.library.downloads.request(['v'])

  expect(await downloads(bob, app, true)).toBe('copied')

  expect((await known(bob)).file).toEqual((await known(alice)).file)
  expect((await known(bob)).file?.video?.codec).toBe('av1')
})

it('a compatible file is copied for those who want a compatible one', async () => {
  const [alice, bob] = [await withAv1('alice'), await follower('bob')]
  await presses['the API'](alice)
  await downloads(alice)
  site.requests.length = 0

  await presses['the API'](bob)

  expect(await downloads(bob, app, true)).toBe('copied')
  expect((await known(bob)).file?.video?.codec).toBe('h264')
  expect(site.requests).toEqual([])
})

it('a request with another quality, without one, or with an unknown one', async () => {
  const alice = await follower('alice')
  const ask = (json?: object) => app.ask('/api/download/v', { as: alice, ...(json ? { json } : { method: 'POST' }) })
  expect((await ask({ quality: 'worst' })).status).toBe(422)
  expect((await ask({ quality: 'audio' })).status).toBe(202)
  expect(await alice.library.downloads.qualityNow('v')).toBe('audio')
  expect((await ask()).status).toBe(202)
  expect(await alice.library.downloads.qualityNow('v')).toBe('audio')
  expect((await ask({ quality: '360' })).status).toBe(202)
  expect(await alice.library.downloads.qualityNow('v')).toBe('360')
})
