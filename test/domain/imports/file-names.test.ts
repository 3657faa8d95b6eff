/** Kinds, identifiers, titles and channels in the names that other programs give their files. */
import { describe, expect, it } from 'vitest'
import {
  channelIn,
  haveIds,
  idsIn,
  isPartialVideo,
  kindOf,
  subtitleRank,
  subtitlesOf,
  titleIn,
} from '../../../src/domain/imports/file-names.ts'

describe('kindOf', () => {
  it.each([
    ['video', 'Talk [dQw4w9WgXcQ].mp4'],
    ['video', 'TALK.MKV'],
    ['sound', 'Song [dQw4w9WgXcQ].opus'],
    ['partial', 'Talk [dQw4w9WgXcQ].mp4.part'],
    ['partial', 'Talk [dQw4w9WgXcQ].f137.mp4'],
    ['partial', 'Talk [dQw4w9WgXcQ].f251-drc.webm'],
    ['partial', 'Talk [dQw4w9WgXcQ].fhls-audio-128000-Audio.mp4'],
    ['partial', 'Talk [dQw4w9WgXcQ].temp.mp4'],
    ['other', 'Talk [dQw4w9WgXcQ].mp4.part-Frag12'],
    ['other', 'Talk [dQw4w9WgXcQ].mp4.part-Frag12.part'],
    ['subtitles', 'Talk [dQw4w9WgXcQ].en.vtt'],
    ['list', 'archive.txt'],
    ['list', 'my-archive.txt'],
    ['list', 'downloaded.txt'],
    ['list', '.ytdl-archive.txt'],
    ['other', 'notes.txt'],
    ['other', 'Talk [dQw4w9WgXcQ].info.json'],
    ['other', 'cover.jpg'],
  ])('%s: %s', (kind, name) => {
    expect(kindOf(name)).toBe(kind)
  })

  it.each([
    [true, 'Talk.mp4.part'],
    [true, 'Talk.f137.mp4'],
    [true, 'Talk.f137.mp4.part'],
    [false, 'report.pdf.part'],
  ])('an unfinished download of a video is %s: %s', (is_video, name) => {
    expect(isPartialVideo(name)).toBe(is_video)
  })
})

describe('idsIn', () => {
  it.each([
    ['yt-dlp', 'Me at the zoo [jNQXAC9IVRw].mp4', 'shape'],
    ['yt-dlp with other brackets', 'Talk [4K] [part 2] [jNQXAC9IVRw].webm', 'shape'],
    ['yt-dlp, codec behind the id', 'Talk [jNQXAC9IVRw] [AV1-1080p60].mp4', 'shape'],
    ['yt-dlp, quality behind the id', 'Talk [jNQXAC9IVRw][1080p].mp4', 'shape'],
    ['yt-dlp, words behind the id', 'Talk [jNQXAC9IVRw] (documentary).mp4', 'shape'],
    ['an id alone', 'jNQXAC9IVRw.mp4', 'shape'],
    ['an id with hyphens alone', '-_-_aC9IVRw.mp4', 'shape'],
    ['an id first', 'jNQXAC9IVRw - Me at the zoo.mp4', 'shape'],
    ['Tube Archivist before 2023', '20050424_jNQXAC9IVRw_Me at the zoo.mp4', 'shape'],
    ['TubeSync', '2024-01-02_channel_my-talk_jNQXAC9IVRw_1080p-avc1-mp4a.mkv', 'shape'],
    ['in parentheses', 'Me at the zoo (jNQXAC9IVRw).mp4', 'shape'],
    ['youtube-dl', 'Me_at_the_zoo-jNQXAC9IVRw.mp4', 'guess'],
    ['youtube-dl, an id with a hyphen first', 'Talk--bcdefghijQ.mp4', 'guess'],
    ['plugins of media servers', 'Talk [youtube-jNQXAC9IVRw].mkv', 'site'],
    ['plugins of media servers, an id with a hyphen first', 'Talk [youtube--bcdefghijQ].mkv', 'site'],
    ['the site and a colon', 'Talk [YouTube: jNQXAC9IVRw].mkv', 'site'],
    ['the site in braces', 'Talk {yt-jNQXAC9IVRw}.mkv', 'site'],
  ])('%s: %s', (_, name, by) => {
    const [id] = /jNQXAC9IVRw|-_-_aC9IVRw|-bcdefghijQ/.exec(name) ?? []
    expect(idsIn(name).filter(({ by }) => by !== 'words')).toEqual([{ id, by }])
  })

  it.each([
    ['Talk one [AV1-2160p60].mp4'],
    ['Talk one [VP9-1080p60].mp4'],
    ['Talk one [HDR10-60fps].mp4'],
    ['Talk one [WEBRip-h264].mp4'],
    ['Talk one (documentary).mp4'],
    ['Talk one [Official_MV].mp4'],
    ['Talk one [FullConcert].mp4'],
    ['Talk one (iPhone13Max).mp4'],
    ['Talk one [S01E02-2024].mp4'],
    ['Talk one [Episode-001].mp4'],
    ['Talk one [20240102-12].mp4'],
    ['Conference_Keynotetalk.mp4'],
    ['My summer-holidayvids.mp4'],
    ['Lecture 1-Introductio.mp4'],
    ['Introductio.mp4'],
    ['documentary - part one.mp4'],
    ['20240102_Introductio_of.mp4'],
    ['Channel - S2024E001 - The Tooth Brushing Song!.mp4'],
    ['Me at the zoo.mp4'],
    ['___________.mp4'],
  ])('%s has words, and no id', name => {
    expect(idsIn(name).filter(({ by }) => by !== 'words')).toEqual([])
  })

  it('an id of another site has any length', () => {
    expect(idsIn('A film [76979871].mp4')).toEqual([{ id: '76979871', by: 'shape' }])
  })

  it('a name with sixty brackets has no more than five ids', () => {
    expect(idsIn(`${'[a1b2c]-'.repeat(60)}.mp4`).length).toBeLessThanOrEqual(5)
  })
})

it.each([
  ['Me at the zoo [jNQXAC9IVRw].mp4', 'jNQXAC9IVRw', 'Me at the zoo'],
  ['Me_at_the_zoo-jNQXAC9IVRw.mp4', 'jNQXAC9IVRw', 'Me at the zoo'],
  ['20050424_jNQXAC9IVRw_Me at the zoo.mp4', 'jNQXAC9IVRw', 'Me at the zoo'],
  ['jNQXAC9IVRw - Me at the zoo.mp4', 'jNQXAC9IVRw', 'Me at the zoo'],
  ['Me at the zoo [youtube-jNQXAC9IVRw].mp4', 'jNQXAC9IVRw', 'Me at the zoo'],
  ['Me at the zoo {yt-jNQXAC9IVRw}.mp4', 'jNQXAC9IVRw', 'Me at the zoo'],
  ['Me at the zoo [jNQXAC9IVRw] [AV1-1080p60].mp4', 'jNQXAC9IVRw', 'Me at the zoo'],
  ['jNQXAC9IVRw.mp4', 'jNQXAC9IVRw', undefined],
  ['Me at the zoo.mp4', undefined, 'Me at the zoo'],
])('the title in %s is %s → %s', (name, id, title) => {
  expect(titleIn(name, id)).toBe(title)
})

it.each([
  ['UCabcdefghijklmnopqrstuv', { channel_id: 'UCabcdefghijklmnopqrstuv', title: undefined }],
  ['My Channel [UCabcdefghijklmnopqrstuv]', { channel_id: 'UCabcdefghijklmnopqrstuv', title: 'My Channel' }],
  ['My Channel [youtube2-UCabcdefghijklmnopqrstuv]', { channel_id: 'UCabcdefghijklmnopqrstuv', title: 'My Channel' }],
  ['My Channel', undefined],
])('the folder %s is a channel: %o', (name, channel) => {
  expect(channelIn(name)).toEqual(channel)
})

it.each([
  ['a.en.vtt', ['a en', 'a.en']],
  ['a.pt-BR.srt', ['a pt-BR', 'a.pt-BR']],
  ['a.en.sdh.srt', ['a en', 'a.en', 'a.en.sdh']],
  ['a.en.forced.srt', ['a en', 'a.en', 'a.en.forced']],
  ['a.en.default.srt', ['a en', 'a.en', 'a.en.default']],
  ['a.default.en.SDH.forced.srt', ['a en', 'a.default.en', 'a.default.en.SDH.forced']],
  ['a.en.hi.srt', ['a en', 'a.en', 'a.en.hi']],
  ['a.hi.srt', ['a hi', 'a.hi']],
  ['a.forced.srt', ['a', 'a.forced']],
  ['a.vtt', ['a']],
  ['Part 1.2024.vtt', ['Part 1.2024']],
])('the subtitles %s can belong to %o', (name, videos) => {
  expect(subtitlesOf(name).map(({ stem, language }) => (language === null ? stem : `${stem} ${language}`))).toEqual(
    videos,
  )
})

it('whole subtitles come before those for the deaf, and forced ones last', () => {
  expect(['a.en.forced.srt', 'a.en.sdh.srt', 'a.en.srt'].map(subtitleRank)).toEqual([2, 1, 0])
})

it.each(['OfficialMVs', 'LoFiHipHopX', 'UltraHDRip4', 'LoFi-HipHop', 'Best4KVideo', 'HQRemaster2', 'VEVOclip001'])(
  '[%s] may be words, so it is an id only among other ids',
  words => {
    expect(idsIn(`Talk [${words}].mp4`).filter(({ by }) => by === 'shape' || by === 'site')).toEqual([])
    const song = `Song [${words}].mp4`
    expect(haveIds([song, 'Talk [LyricVideoX].mp4', 'Walk [HDRemasters].mp4'])).toBe(false)
    expect(haveIds([song, 'Talk [dQw4w9WgXcQ].mp4', 'Walk [aqz-KE-bpKQ].mp4'])).toBe(true)
  },
)

it('one tag in all names of a folder is no id', () => {
  expect(haveIds(['a [x264-GRoUP1].mp4', 'b [x264-GRoUP1].mp4', 'c [x264-GRoUP1].mp4'])).toBe(false)
  expect(haveIds(['a [dQw4w9WgXcQ].mp4'])).toBe(false)
})

it('codes of Instagram are as long as ids of YouTube, but most end as no id of YouTube does', () => {
  const codes = ['DBqT1xYzAbC', 'C8xR2vLo9Wd', 'CqN7uYhJ3Kp', 'DAw5tGfE2Sr', 'C7mK4nBv1Xz']
  const names = codes.map(code => `Video by kitchen [${code}].mp4`)
  expect(haveIds(names)).toBe(false)
  expect(names.flatMap(idsIn).map(({ id, by }) => [id, by])).toEqual(codes.map(code => [code, 'guess']))
  const [code = ''] = names
  expect(haveIds([code, 'Talk [dQw4w9WgXcQ].mp4', 'Walk [aqz-KE-bpKQ].mp4'])).toBe(true)
})

it.each([
  ['Talk - dQw4w9WgXcQ.mp4', 'Talk'],
  ['Talk 【dQw4w9WgXcQ】.mp4', 'Talk'],
  ['Talk [dQw4w9WgXcQ] [OfficialMVs].mp4', 'Talk [OfficialMVs]'],
])('the id in %s is found, and the title is without it', (name, title) => {
  expect(idsIn(name).map(({ id }) => id)).toContain('dQw4w9WgXcQ')
  expect(titleIn(name, 'dQw4w9WgXcQ')).toBe(title)
})
