/** In a browser: files of twelve kinds, whether it plays them, and what cards and the player say about them. */
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { playsOn } from '../../src/schema/sources/plays-on.ts'
import type { FileStreams } from '../../src/schema/sources/streams.ts'
import { probeFile } from '../../src/ytdlp/convert/ffmpeg.ts'
import { streamsIn } from '../../src/ytdlp/convert/streams.ts'
import { type Person, personWith } from '../support/app/people.ts'
import { finishes } from '../support/app/scene.ts'
import { useSite } from '../support/browser/site.ts'
import { useDownloads } from '../support/media/downloads.ts'
import { getFilm } from '../support/media/films.ts'
import { kinds, mp3, two_sounds } from '../support/media/kinds.ts'
import { toolsForTests } from '../support/process/tools.ts'

const downloads = useDownloads()
const site = useSite()
/** Chromium can play another sound than the first behind this flag. */
const switching = useSite({}, ['--enable-blink-features=AudioVideoTracks'])
type Site = typeof site

const known = new Map<string, Promise<FileStreams>>()
function streamsOf(path: string): Promise<FileStreams> {
  const streams = known.get(path) ?? probed(path)
  known.set(path, streams)
  return streams
}

async function probed(path: string): Promise<FileStreams> {
  const file = await getFilm(path)
  const signal = new AbortController().signal
  const streams = streamsIn(await probeFile(toolsForTests(), { file, folder: dirname(file), signal }))
  if (!streams) throw new Error(`${path} cannot be read.`)
  return streams
}

/** alice has this file. */
async function has({ sql, folder }: Site, path: string, video_id = 'v'): Promise<Person> {
  const alice = await personWith(sql, 'alice', 'kitchen', [video_id])
  const file = join(folder, alice.user.user_id, 'kitchen', `${video_id}.mp4`)
  await mkdir(dirname(file), { recursive: true })
  await copyFile(await getFilm(path), file)
  await finishes(alice, video_id, 5)
  await sql`
    update video_entries set file_streams = ${sql.json(await streamsOf(path))} where user_id = ${alice.user.user_id}`
  return alice
}

/** Whether the browser plays what it gets at this path: this file, or else the film with the name of the path. */
async function playedBy(page: Page, path: string, file?: string): Promise<boolean> {
  const body = await readFile(file ?? (await getFilm(path)))
  await page.route('**/kinds/*', route => route.fulfill({ body, contentType: typeOf(path) }))
  return page.evaluate(
    address =>
      new Promise<boolean>(resolve => {
        const media = document.createElement('video')
        media.muted = true
        media.onerror = () => resolve(false)
        // Without a decoder for the picture, Chromium plays the sound alone.
        media.onloadeddata = () => resolve(media.videoWidth > 0 || !address.includes('.mp4'))
        media.src = address
      }),
    path,
  )
}
const typeOf = (path: string) =>
  path.endsWith('.mp3') ? 'audio/mpeg' : path.endsWith('.m4a') ? 'audio/mp4' : 'video/mp4'

/** What Chromium was built without. Its free form has neither H.264 nor AAC. */
const lacks = (page: Page, type: string) =>
  page.evaluate(type => document.createElement('video').canPlayType(type) === '', type)

const lacksH264 = async (page: Page) =>
  (await lacks(page, 'video/mp4; codecs="avc1.640028"')) || (await lacks(page, 'audio/mp4; codecs="mp4a.40.2"'))

it.each([...kinds, mp3])('plays $path if the table says so', async ({ path }) => {
  const { page } = await site.openAt('/login')
  const streams = await streamsOf(path)
  const answer = playsOn(streams).chrome
  const { video } = streams
  if ((await lacksH264(page)) && (video === null || /aac/.test(JSON.stringify(streams)))) return
  // `some`: where the machine has a decoder, as the browser says.
  const expected =
    answer === 'some'
      ? !(await lacks(page, `video/mp4; codecs="hvc1.${video?.bits === 10 ? '2.4' : '1.6'}.L120.B0"`))
      : true
  expect(await playedBy(page, path)).toBe(expected)
})

it.each([
  ['compatible', '/kinds/made.mp4'],
  ['mp3', '/kinds/made.mp3'],
] as const)('plays what the quality %s makes of AV1', async (quality, path) => {
  const { page } = await site.openAt('/login')
  if (quality === 'compatible' && (await lacksH264(page))) return
  const { file } = await downloads.fetched('/kinds/av1.mp4', quality)
  expect(await playedBy(page, path, file)).toBe(true)
})

/** The player has read the beginning of its file, or could not. */
const fileIsRead = (page: Page) =>
  page.waitForFunction(() => {
    const media = document.querySelector<HTMLMediaElement>('.player')
    return media && (media.error || media.readyState >= HTMLMediaElement.HAVE_METADATA)
  })

describe('a card', () => {
  const line = (page: Page) => page.locator('.video .unplayable')

  it.each(['/', '/watch/v'])('on %s says that this browser lacks a codec only where it does', async path => {
    const { page } = await site.openAt(path, await has(site, '/kinds/hevc.mp4'))
    const is_lacking = await lacks(page, 'video/mp4; codecs="hvc1.1.6.L120.B0"')
    const shown = page.locator('.unplayable', { hasText: "This browser can't play it." })
    await expect.poll(() => shown.isVisible()).toBe(is_lacking)
    if (is_lacking)
      expect((await shown.allInnerTexts()).join(' ').replace(/\s+/g, ' ')).toBe(
        "This browser can't play it. May not play on older TVs. Get a compatible file",
      )
  })

  it.each(['before', 'after'])('has its button named by the player, whose script arrives %s the file', async order => {
    const { page } = await site.open(await has(site, '/kinds/hevc.mp4'))
    if (order === 'after') await page.route('**/faults.js*', route => fileIsRead(page).then(() => route.continue()))
    await page.goto('/watch/v')
    const is_lacked = await lacks(page, 'video/mp4; codecs="hvc1.1.6.L120.B0"')
    const named = page.getByText('This browser cannot show HEVC. Get a compatible file below.')
    await expect.poll(() => named.isVisible()).toBe(is_lacked)
  })

  it('says nothing of this browser where it plays the file, and nothing at all of one that plays everywhere', async () => {
    const { page } = await site.openAt('/', await has(site, '/kinds/av1.mp4'))
    expect(await line(page).locator('p').allInnerTexts()).toEqual(['May not play on iPhones or older TVs.'])

    const bob = await has(site, '/kinds/h264.mp4')
    const { page: of_bob } = await site.openAt('/', bob)
    await of_bob.getByText('On disk · 1080p · H.264').waitFor()
    expect(await line(of_bob).count()).toBe(0)
  })

  it('replaces the file by one press, and Undo brings it back', async () => {
    const alice = await has(site, '/kinds/av1.mp4')
    const { page, faults } = await site.openAt('/', alice)

    await page.getByRole('button', { name: 'Get a compatible file' }).click()

    await page.getByText('A compatible file is queued.').waitFor()
    expect(await alice.library.videos.find('v')).toMatchObject({ queued: true, download_path: null })
    expect(await line(page).count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Restored.').waitFor()
    expect(await alice.library.videos.find('v')).toMatchObject({ download_status: 'completed', queued: false })
    expect(faults).toEqual([])
  })
})

describe('the sounds of a file', () => {
  async function menuOf(of: Site): Promise<Page> {
    const { page } = await of.open(await has(of, two_sounds.path))
    await page.goto('/watch/v')
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) > 0)
    await page.locator('.player-menu > summary').click()
    return page
  }

  it('are named where the browser cannot choose one', async () => {
    const page = await menuOf(site)
    expect(await page.locator('.player-menu [data-shows=sounds]').allInnerTexts()).toEqual([
      'Sound: German, English (Commentary)',
    ])
    expect(await page.getByLabel('Sound', { exact: true }).isVisible()).toBe(false)
    await page.locator('#about').getByText('Sound: German, English (Commentary) (AAC)').waitFor()
  })

  it('are chosen where it can', async () => {
    const page = await menuOf(switching)
    const choice = page.getByLabel('Sound', { exact: true })
    await choice.waitFor()
    expect(await page.locator('.player-menu [data-shows=sounds]').isVisible()).toBe(false)

    await choice.selectOption('English (Commentary)')

    const enabled = () =>
      page.evaluate(() => {
        type Tracks = { audioTracks?: ArrayLike<{ enabled: boolean }> }
        const { audioTracks = [] } = document.querySelector('video') as unknown as Tracks
        return Array.from(audioTracks, track => track.enabled)
      })
    await expect.poll(enabled).toEqual([false, true])
  })
})
