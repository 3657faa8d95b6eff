/** What each quality takes of YouTube's separate pictures and sounds in several codecs and languages, with the real yt-dlp and ffmpeg. */
import { execa } from 'execa'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Quality } from '../../../src/schema/downloads/quality.ts'
import { download, succeeded } from '../../support/media/downloads.ts'
import { getFilm } from '../../support/media/films.ts'
import type { SmallTrack } from '../../support/media/small-youtube/catalogue.ts'
import { itag_s } from '../../support/media/small-youtube/itags.ts'
import { openSmallYoutube, type SmallYoutube, smallChannel } from '../../support/media/small-youtube.ts'
import { toolsForTests } from '../../support/process/tools.ts'

const channel = smallChannel('formats', { videos: 1 })
const [video] = channel.videos
if (!video) throw new Error('the channel has no video')
video.seconds = itag_s

/** The viewer's own language is English, so YouTube chooses the dubbed sound. */
const german: SmallTrack[] = [
  { language: 'en-US', kind: 'dubbed-auto', is_default: true },
  { language: 'fr-FR', kind: 'dubbed' },
  { language: 'de-DE', kind: 'original' },
]

let youtube: SmallYoutube
beforeAll(async () => {
  youtube = await openSmallYoutube(channel)
})
afterAll(() => youtube.close())
beforeEach(() => {
  youtube.requests.splice(0)
  video.formats = [136, 137, 248, 271, 313, 399, 140, 251]
  video.tracks = german
})

const fetchedAs = async (quality: Quality) =>
  succeeded(
    await download(
      { tools: youtube.tools(toolsForTests()), policy: youtube.policy() },
      { url: `https://www.youtube.com/watch?v=${video.id}`, quality },
    ),
  )

/** The number and the language of each format that was fetched. */
function fetched(): string[] {
  const asked = youtube.requests.filter(({ path }) => path === '/videoplayback')
  const named = asked.map(({ search }) => new URLSearchParams(search))
  const words = named.map(query => `${query.get('itag')} ${/lang=(.*)/.exec(query.get('xtags') ?? '')?.[1] ?? ''}`)
  return [...new Set(words.map(word => word.trim()))].toSorted()
}

/** A digest of what is in a stream, without what is around it: it stays when the stream is not converted. */
async function contentOf(file: string, stream: 'v' | 'a'): Promise<string> {
  const args = ['-v', 'error', '-i', file, '-map', `0:${stream}:0`, '-c', 'copy', '-f', 'md5', '-']
  return (await execa(toolsForTests().ffmpeg, args, { stdin: 'ignore' })).stdout
}

async function sameAs(file: string, stream: 'v' | 'a', film: string): Promise<boolean> {
  return (await contentOf(file, stream)) === (await contentOf(await getFilm(film), stream))
}

const sound = { codec: 'aac', channels: 1, language: 'de', title: null }

describe('a video in H.264, VP9 and AV1 up to 2160p, in German and dubbed', () => {
  it('is H.264 in 1080p with AAC as compatible, and nothing is converted', async () => {
    const { file, in_file } = await fetchedAs('compatible')

    expect(fetched()).toEqual(['137', '140 de-DE'])
    expect([await sameAs(file, 'v', '/youtube/137.mp4'), await sameAs(file, 'a', '/youtube/140.mp4')]).toEqual([
      true,
      true,
    ])
    expect(in_file?.streams).toMatchObject({ video: { codec: 'h264', height: 1080 }, sounds: [sound] })
  })

  it('is the largest as best', async () => {
    const { file, in_file } = await fetchedAs('best')

    expect(fetched()).toEqual(['140 de-DE', '313'])
    expect(await sameAs(file, 'v', '/youtube/313.webm')).toBe(true)
    expect(in_file?.streams).toMatchObject({ video: { codec: 'vp9', height: 2160 }, sounds: [sound] })
  })

  it.each<[Quality, string, number]>([
    ['1080', '137', 1080],
    ['720', '136', 720],
  ])('is H.264 at the height of %s', async (quality, picture, height) => {
    const { in_file } = await fetchedAs(quality)

    expect(fetched()).toEqual([picture, '140 de-DE'])
    expect(in_file?.streams).toMatchObject({ video: { codec: 'h264', height }, sounds: [sound] })
  })

  it('is the German sound alone as audio', async () => {
    const { file, in_file } = await fetchedAs('audio')

    expect(fetched()).toEqual(['140 de-DE'])
    expect(await sameAs(file, 'a', '/youtube/140.mp4')).toBe(true)
    expect(in_file?.streams).toMatchObject({ video: null, sounds: [sound] })
  })

  it('is the German sound alone as MP3', async () => {
    const { file, in_file, facts } = await fetchedAs('mp3')

    expect(fetched()).toEqual([expect.stringMatching(/^(140|251) de-DE$/)])
    expect(file).toMatch(/\.mp3$/)
    expect(in_file?.streams).toMatchObject({ video: null, sounds: [{ codec: 'mp3', language: 'de' }] })
    expect(facts?.language).toBe('de-DE')
  })
})

it('a video without H.264 is converted as compatible, from the largest picture that fits', async () => {
  video.formats = [248, 313, 399, 251]

  const { in_file } = await fetchedAs('compatible')

  expect(fetched()).toEqual([expect.stringMatching(/^(248|399)$/), '251 de-DE'])
  expect(in_file?.streams).toMatchObject({ video: { codec: 'h264', height: 1080 }, sounds: [sound] })
})

it('the language is what YouTube says, and not what its WebM says', async () => {
  video.formats = [248, 251]

  const { in_file, facts } = await fetchedAs('best')

  expect(facts?.language).toBe('de-DE')
  expect(in_file?.streams?.sounds).toEqual([{ codec: 'opus', channels: 1, language: 'de', title: null }])
})

it('the sound that YouTube chose is taken where none is called original', async () => {
  video.tracks = [
    { language: 'fr-FR', kind: 'dubbed' },
    { language: 'ja', kind: 'dubbed', is_default: true },
  ]

  const { in_file } = await fetchedAs('1080')

  expect(fetched()).toEqual(['137', '140 ja'])
  expect(in_file?.streams?.sounds).toEqual([{ ...sound, language: 'ja' }])
})
