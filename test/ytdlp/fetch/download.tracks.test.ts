/** What is in a file beside its picture and its first sound, with the real yt-dlp and ffmpeg against a video site on loopback. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { useDownloads } from '../../support/media/downloads.ts'
import { getFilm } from '../../support/media/films.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const site = useDownloads()
const words = (line: string) => line.split(' ')

/** Publishes what ffmpeg makes of the plain film, and returns its path on the site. `texts`: files that ffmpeg may read. */
async function made(name: string, args: string[], texts: Record<string, string> = {}): Promise<string> {
  const folder = newFolder()
  for (const [file, text] of Object.entries(texts)) await writeFile(join(folder, file), text)
  const all = ['-nostdin', '-loglevel', 'error', '-i', await getFilm('/plain.mp4'), ...args, name]
  await execa(toolsForTests().ffmpeg, all, { cwd: folder })
  site.media.publish(`/${name}`, await readFile(join(folder, name)), 'application/octet-stream')
  return `/${name}`
}

describe('several sounds', () => {
  const two = [
    ...words('-f lavfi -i sine=frequency=880:duration=4 -map 0:v -map 0:a -map 1:a -c:v copy -c:a aac'),
    ...words('-metadata:s:a:0 language=eng -metadata:s:a:1 language=deu -disposition:a:0 0 -disposition:a:1 default'),
  ]

  it.each([
    ['an MP4 that starts fast', 'two-fast.mp4', ['-movflags', '+faststart']],
    ['an MP4 whose index is last', 'two-last.mp4', []],
    ['Matroska', 'two.mkv', []],
  ])('all of %s are kept with their languages, the default one first', async (_, name, args) => {
    const { streams } = await site.fetched(await made(name, [...two, ...args]))

    const sounds = streams.filter(({ codec_type }) => codec_type === 'audio')
    expect(sounds.map(({ tags, disposition }) => [tags?.language, disposition.default])).toEqual([
      ['deu', 1],
      ['eng', 0],
    ])
  })
})

describe('what the file itself says', () => {
  const srt = '1\n00:00:01,000 --> 00:00:03,000\nHello from inside\n'
  const chapters = [
    ';FFMETADATA1',
    '[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1500\ntitle=First part',
    '[CHAPTER]\nTIMEBASE=1/1000\nSTART=1500\nEND=4000\ntitle=Second part\n',
  ].join('\n')

  it.each([
    ['an MP4', 'subs.mp4', ['-c:s', 'mov_text', '-movflags', '+faststart']],
    ['Matroska with SubRip', 'subrip.mkv', ['-c:s', 'subrip']],
    ['Matroska with SubStation Alpha', 'ass.mkv', ['-c:s', 'ass']],
  ])('subtitles inside %s become subtitles of the video', async (_, name, args) => {
    const language = ['-metadata:s:s:0', 'language=ger']
    const inputs = ['-i', 'a.srt', '-map', '0', '-map', '1', '-c:v', 'copy', '-c:a', 'copy']

    const { subtitles = [], streams } = await site.fetched(
      await made(name, [...inputs, ...args, ...language], { 'a.srt': srt }),
    )

    expect(subtitles.map(({ language }) => language)).toEqual(['de'])
    expect(await readFile(subtitles[0]?.file ?? '', 'utf8')).toMatch(/^WEBVTT[\s\S]*Hello from inside/)
    const inside = streams.filter(({ codec_type }) => codec_type === 'subtitle')
    expect(inside.map(({ tags }) => tags?.language)).toEqual(['deu'])
  })

  it('of subtitles in twelve languages inside a file, the preferred ones stay', async () => {
    const languages = ['ara', 'bul', 'ces', 'dan', 'ell', 'fin', 'hun', 'ita', 'jpn', 'kor', 'por', 'eng']
    const tracks = languages.flatMap((language, n) => ['-map', '1', `-metadata:s:s:${n}`, `language=${language}`])
    const args = ['-i', 'a.srt', '-map', '0', ...tracks, ...['-c:v', 'copy', '-c:a', 'copy', '-c:s', 'subrip']]
    const path = await made('twelve.mkv', args, { 'a.srt': srt })

    const result = await site.ask(path, { languages: ['pt', 'ko'] })

    const found = 'failure' in result ? [] : (result.subtitles ?? []).map(({ language }) => language)
    expect(found).toEqual(['ar', 'bg', 'cs', 'da', 'el', 'fi', 'hu', 'ko', 'pt', 'en'])
  })

  /** Two sounds are in one language. */
  const hevc = [
    ...words('-i about.txt -map_chapters 1 -map 0:v -map 0:a -map 0:a -c:a copy'),
    ...words('-c:v libx265 -preset ultrafast -x265-params log-level=none'),
    ...words('-metadata:s:a:0 language=deu -metadata:s:a:1 language=deu'),
  ]

  it.each([
    ['in an MP4 that is kept', 'hevc-fast.mp4', 'handler_name', ['-movflags', '+faststart']],
    ['in an MP4 whose index is last', 'hevc-last.mp4', 'handler_name', []],
    ['in Matroska', 'hevc.mkv', 'title', []],
  ])('HEVC %s gets the name that Safari plays; chapters, languages and names stay', async (_, name, tag, args) => {
    const named = [...hevc, '-metadata:s:a:1', `${tag}=Kommentar für Ärzte`, ...args]

    const {
      facts,
      chapters: inside,
      in_file,
      streams,
    } = await site.fetched(await made(name, named, { 'about.txt': chapters }))

    expect(streams[0]).toMatchObject({ codec_name: 'hevc', codec_tag_string: 'hvc1' })
    expect(in_file).toMatchObject({
      duration_seconds: 4,
      chapters: [
        { start_seconds: 0, title: 'First part' },
        { start_seconds: 1.5, title: 'Second part' },
      ],
      streams: { sounds: [{ title: null }, { title: 'Kommentar für Ärzte' }] },
    })
    expect(inside.map(({ tags }) => tags.title)).toEqual(['First part', 'Second part'])
    // The site says none.
    expect(facts?.language).toBe('de')
  })

  it.each(['an MP4', 'an MP3'])('an MP3 of %s keeps the language of the sound', async from => {
    const name = from === 'an MP4' ? 'spoken.mp4' : 'spoken.mp3'
    const language = ['-metadata', 'language=deu', '-metadata:s:a:0', 'language=deu']

    const { in_file } = await site.fetched(await made(name, [...language, '-map', '0:a']), 'mp3')

    expect(in_file?.streams?.sounds).toMatchObject([{ codec: 'mp3', language: 'de' }])
  })
})
