/** `npm run import-files` with real files, ffmpeg and a database: alice brings what she has, bob sees nothing of it. */
import { link, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Files } from '../../../src/store/files.ts'
import { useApp } from '../../support/app/app.ts'
import { importOwned } from '../../support/app/owned-import.ts'
import { entry, type Person, person } from '../../support/app/people.ts'
import { lowered } from '../../support/app/user-limits.ts'
import { getFilm } from '../../support/media/films.ts'
import { infoOf, useOwnedFiles, youtubeUrl } from '../../support/media/owned-files.ts'
import { toolsForTests } from '../../support/process/tools.ts'

const app = useApp()
const { sql } = app
const owned = useOwnedFiles()

let alice: Person
let bob: Person
beforeEach(async () => {
  alice = await person(sql, 'alice')
  bob = await person(sql, 'bob')
})

const run = (given: Partial<Parameters<typeof importOwned>[1]> = {}) =>
  importOwned(app, { folder: owned.folder, username: alice.user.username, ...given })

const videoOf = ({ library }: Person, video_id: string) => library.videos.find(video_id)
const stored = (video: { download_path: string | null } | undefined) =>
  join(app.folder, video?.download_path ?? 'nothing')
const filesOf = async ({ user }: Person) =>
  (await readdir(join(app.folder, user.user_id), { recursive: true }).catch(() => [])).filter(name => /\.m/.test(name))

describe('the plan', () => {
  it('a dry run says what each file is, and changes nothing', async () => {
    await owned.film('yt-dlp/Talk [aaaaaaaaaaA].mp4')
    await owned.write('yt-dlp/Talk [aaaaaaaaaaA].info.json', infoOf('aaaaaaaaaaA'))
    await owned.film('pinchflat/Talk.mp4')
    await owned.write(
      'pinchflat/Talk.nfo',
      '<episodedetails><title>T</title><uniqueid type="youtube">bbbbbbbbbbA</uniqueid></episodedetails>',
    )
    await owned.tagged('metube/Talk.mp4', { comment: youtubeUrl('ccccccccccA') })
    await owned.film('UCabcdefghijklmnopqrstuv/ddddddddddA.mp4')
    await owned.film('old/Talk-eeeeeeeeeeA.mp4')
    await owned.write('archive.txt', 'youtube eeeeeeeeeeA\n')
    await owned.film('Talk [ffffffffffA].mp4')
    await owned.write('broken.mp4', 'not a film')
    await owned.write('empty.mkv', '')
    await owned.write('Talk [ggggggggggA].mp4.part', 'half')

    const { code, lines } = await run({ dry_run: true })

    const verdicts = Object.fromEntries(
      lines.slice(0, 9).map(line => [basename(line.split(/ → |: /)[0] ?? ''), line.slice(0, 15).trim()]),
    )
    expect(verdicts).toEqual({
      'ddddddddddA.mp4': 'recognised',
      'Talk.mp4': 'recognised',
      'Talk-eeeeeeeeeeA.mp4': 'recognised',
      'Talk [aaaaaaaaaaA].mp4': 'recognised',
      'doubtful        Talk [ffffffffffA].mp4': 'doubtful',
      'doubtful        Talk [ggggggggggA].mp4.part': 'doubtful',
      'doubtful        broken.mp4': 'doubtful',
      'doubtful        empty.mkv': 'doubtful',
    })
    expect(lines.slice(9)).toEqual([
      '',
      expect.stringMatching(/^9 files, /),
      expect.stringMatching(/^ {2}recognised {6}5 files, /),
      expect.stringMatching(/^ {2}doubtful {8}4 files, /),
      '  duplicate       0 files, 0 bytes',
      '  imported before 0 files, 0 bytes',
      '2 files of other kinds are not listed.',
      expect.stringContaining('This was a dry run'),
    ])
    expect([code, await filesOf(alice), await videoOf(alice, 'aaaaaaaaaaA')]).toEqual([0, [], undefined])
  })

  it('a list of downloads that cannot be read is named, in the folder and elsewhere', async () => {
    await owned.write('in-it/archive.txt', '')
    const elsewhere = await owned.write('elsewhere.txt', 'youtube aaaaaaaaaaA\n')
    for (const path of [join(owned.folder, 'in-it/archive.txt'), elsewhere]) await truncate(path, 40 * 1024 * 1024)

    const { code, lines } = await run({ folder: join(owned.folder, 'in-it'), download_lists: [elsewhere] })

    expect(code).toBe(2)
    for (const name of ['in-it/archive.txt', 'elsewhere.txt'])
      expect(lines.join('\n')).toContain(`${join(owned.folder, name)}: This list of downloads cannot be read`)
  })

  it('each line of a plan in JSON is an object', async () => {
    await owned.film('Talk [aaaaaaaaaaA].mp4')
    await owned.write('Talk [aaaaaaaaaaA].info.json', infoOf('aaaaaaaaaaA'))
    const { lines } = await run({ as_json: true })
    expect(lines.map(line => JSON.parse(line))).toEqual([
      expect.objectContaining({
        path: 'Talk [aaaaaaaaaaA].mp4',
        verdict: 'recognised',
        video_id: 'aaaaaaaaaaA',
        conversion: 'keep',
      }),
      expect.objectContaining({ totals: expect.anything(), left_out: 1 }),
      { done: expect.objectContaining({ imported: 1, stopped: null }) },
    ])
  })

  it('two files of different lengths are not one video because their names have one id', async () => {
    await owned.film('UCabcdefghijklmnopqrstuv/one [aaaaaaaaaaA].mp4')
    await owned.film('UCabcdefghijklmnopqrstuv/two [aaaaaaaaaaA].mp4', 'long.mp4')
    const { text } = await run({ dry_run: true })
    expect(text).toMatch(/recognised .*two \[a+A\]\.mp4/)
    expect(text).toMatch(/doubtful .*one \[a+A\]\.mp4.* the same id as .*two \[a+A\]\.mp4, but it is not as long\./)
  })

  it('of two files of one video, the better one is imported and the other one names it', async () => {
    await owned.film('a [aaaaaaaaaaA].mp4')
    await owned.write('a [aaaaaaaaaaA].info.json', infoOf('aaaaaaaaaaA'))
    await owned.film('b [aaaaaaaaaaA].mp3', 'sound.mp3')
    await owned.write('b [aaaaaaaaaaA].info.json', infoOf('aaaaaaaaaaA'))
    const { text } = await run()
    expect(text).toMatch(/duplicate {7}b \[a+A\]\.mp3 .*a \[a+A\]\.mp4 is the same video, and is imported instead\./)
    expect(await filesOf(alice)).toEqual(['UCabcdefghijklmnopqrstuv/aaaaaaaaaaA.mp4'])
  })

  it.each([
    ['an unknown person', { username: 'nobody-here' }, 'There is no account nobody-here.'],
    ['a folder that is missing', { folder: '/nowhere/at/all' }, 'is no folder'],
  ])('refuses %s', async (_, given, sentence) => {
    await expect(run(given)).rejects.toThrow(sentence)
  })

  it('an import refuses a folder inside the downloads folder, and one around it', async () => {
    await expect(run({ folder: app.folder })).rejects.toThrow('are inside each other')
    await expect(run({ folder: join(app.folder, '..') })).rejects.toThrow('are inside each other')
  })
})

describe('an import', () => {
  const talk = async (video_id: string, more: object = {}) => {
    await owned.write(`Talk [${video_id}].info.json`, infoOf(video_id, more))
    return owned.film(`Talk [${video_id}].mp4`)
  }

  it('subtitles in an old encoding, and with marks in their names, are imported in Unicode', async () => {
    await owned.film('Talk [aaaaaaaaaaA].mp4')
    await owned.write('Talk [aaaaaaaaaaA].info.json', infoOf('aaaaaaaaaaA'))
    const times = '1\n00:00:01,000 --> 00:00:02,000\n'
    await writeFile(join(owned.folder, 'Talk [aaaaaaaaaaA].ru.sdh.srt'), `${times}\xcf\xf0\xe8\xe2\xe5\xf2`, 'latin1')
    await writeFile(join(owned.folder, 'Talk [aaaaaaaaaaA].fr.srt'), `\ufeff${times}Ça va`, 'utf16le')
    await writeFile(join(owned.folder, 'Talk [aaaaaaaaaaA].fr.forced.srt'), `${times}Forced`)
    await run()
    const path = stored(await videoOf(alice, 'aaaaaaaaaaA'))
    expect(await readFile(path.replace('.mp4', '.ru.vtt'), 'utf8')).toContain('\nПривет\n')
    expect(await readFile(path.replace('.mp4', '.fr.vtt'), 'utf8')).toContain('\nÇa va\n')
  })

  it('subtitles in other formats are imported, and those that cannot be read are named', async () => {
    await talk('aaaaaaaaaaA')
    const beside = (ending: string, text: string) => owned.write(`Talk [aaaaaaaaaaA].${ending}`, text)
    const times = '00:00:01,000 --> 00:00:02,000\n'
    await beside(
      'en.srt',
      `1\n\n${times}\nStart with a name.\n\nEzekiel.\n\n2\n\n00:00:03,000 --> 00:00:04,000\n\nNext\n`,
    )
    await beside(
      'de.ass',
      `[Script Info]\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,Hallo\n`,
    )
    await beside('spa.srt', `1\n${times}Hola\n`)
    await beside('fra.forced.srt', `1\n${times}Bonjour\n`)
    await beside('it.ttml', '<tt xmlns="http://www.w3.org/ns/ttml"><body/></tt>')
    await beside('pl.srt', `1\n${times}\n`)
    await beside('srt', `1\n${times}Someone\n`)
    const too_long = `sv${'-abcdefgh'.repeat(5)}.srt`
    await beside(too_long, `1\n${times}Hej\n`)
    await beside('nl.vtt', 'WEBVTT\n')

    const { code, text } = await run()

    const video = await videoOf(alice, 'aaaaaaaaaaA')
    expect([code, video?.subtitles.toSorted()]).toEqual([0, ['de', 'en', 'es', 'fr-forced', 'und']])
    expect(await readFile(stored(video).replace('.mp4', '.en.vtt'), 'utf8')).toContain('Start with a name.\nEzekiel.\n')
    for (const name of ['it.ttml', 'pl.srt', 'nl.vtt', too_long])
      expect(text).toContain(`Its subtitles Talk [aaaaaaaaaaA].${name} are left out`)
    expect(text.match(/are left out/g)).toHaveLength(4)
  })

  it('the title is that of the file, and not of one of its sounds; both of two subtitles in one language are kept', async () => {
    const srt = (words: string) => owned.write(`${words}.srt`, `1\n00:00:00,000 --> 00:00:01,000\n${words}\n`)
    const inputs = [await getFilm('/plain.mp4'), await srt('whole'), await srt('other'), await srt('forced')]
    const file = await owned.write('Counting [aaaaaaaaaaA].mkv', '')
    await execa(toolsForTests().ffmpeg, [
      ...['-nostdin', '-loglevel', 'error', '-y'],
      ...inputs.flatMap(input => ['-i', input]),
      ...['-map', '0', '-map', '3', '-map', '1', '-map', '2', '-c', 'copy', '-c:s', 'srt'],
      ...[
        '-metadata',
        `comment=${youtubeUrl('aaaaaaaaaaA')}`,
        '-metadata:s:a:0',
        'title=Stereo',
        '-metadata:s:a:0',
        'artist=x',
      ],
      ...[
        '-metadata:s:s',
        'language=chi',
        '-disposition:s:0',
        'forced',
        '-metadata:s:s:1',
        'title=Chinese (Simplified)',
      ],
      file,
    ])

    await run()

    const video = await videoOf(alice, 'aaaaaaaaaaA')
    expect([video?.title, video?.subtitles.toSorted()]).toEqual(['Counting', ['zh', 'zh-Hans', 'zh-forced']])
    expect(await readFile(stored(video).replace('.mp4', '.zh.vtt'), 'utf8')).toContain('other')
  })

  it('a folder of a channel, in which names may end with words, has doubtful files', async () => {
    for (const words of ['OfficialMVs', 'LoFiHipHopX', 'UltraHDRip4'])
      await owned.film(`Zoo [UCabcdefghijklmnopqrstuv]/Talk [${words}].mp4`)
    for (const id of ['dQw4w9WgXcQ', 'aqz-KE-bpKQ', 'jNQXAC9IVRw']) await owned.film(`old/Talk [${id}].mp4`)
    await owned.film('old/Talk [LyricVideoM].mp4')
    const { text } = await run({ dry_run: true })
    expect(text.match(/^doubtful .*Zoo /gm)).toHaveLength(3)
    expect(text.match(/^recognised .*old\/Talk/gm)).toHaveLength(4)
  })

  it('of subtitles in very many languages, English and the preferred languages are imported first', async () => {
    await talk('aaaaaaaaaaA')
    await alice.library.settings.save({ subtitle_languages: ['vi', 'uk'] })
    for (const language of 'ar bg cs da de el en es fi fr hu it uk vi'.split(' '))
      await owned.write(`Talk [aaaaaaaaaaA].${language}.srt`, '1\n00:00:00,000 --> 00:00:01,000\nHello\n')
    await run()
    expect((await videoOf(alice, 'aaaaaaaaaaA'))?.subtitles).toEqual('ar bg cs da de el en es uk vi'.split(' '))
  })

  it('an import adds a video with its texts, for its person only, in a channel that is not followed, and with its subtitles', async () => {
    const file = await talk('aaaaaaaaaaA')
    await owned.write('Talk [aaaaaaaaaaA].en.vtt', 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n')
    await owned.write('Talk [aaaaaaaaaaA].de.srt', '1\n00:00:00,000 --> 00:00:01,000\nHallo\n')

    const { code, text } = await run()

    expect([code, text]).toEqual([0, expect.stringContaining('Imported 1 file,')])
    const video = await videoOf(alice, 'aaaaaaaaaaA')
    expect(video).toMatchObject({
      title: 'Talk aaaaaaaaaaA',
      description: 'About the talk',
      channel_id: 'UCabcdefghijklmnopqrstuv',
      published_at: new Date('2024-02-03T00:00:00Z'),
      duration_seconds: 4,
      download_status: 'completed',
      subtitles: ['de', 'en'],
    })
    expect(await alice.library.channels.find('UCabcdefghijklmnopqrstuv')).toMatchObject({
      title: 'Bread Kitchen',
      rss_url: null,
    })
    expect(await readFile(stored(video))).toEqual(await readFile(file))
    expect(await readFile(stored(video).replace('.mp4', '.de.vtt'), 'utf8')).toContain(
      '00:00:00.000 --> 00:00:01.000\nHallo',
    )
    expect(await videoOf(bob, 'aaaaaaaaaaA')).toBeUndefined()
    const answer = await app.ask('/stream/aaaaaaaaaaA', { as: alice, headers: { range: 'bytes=0-' } })
    expect([answer.status, Buffer.from(await answer.arrayBuffer())]).toEqual([206, await readFile(file)])
    expect((await app.ask('/stream/aaaaaaaaaaA', { as: bob })).status).toBe(404)
  })

  it('an entry of a followed channel keeps its texts, and its waiting download ends', async () => {
    const channel = {
      channel_id: 'UCabcdefghijklmnopqrstuv',
      title: 'Followed',
      rss_url: 'https://videos.example/kitchen.xml',
    }
    await alice.library.channels.save(channel, [
      entry('aaaaaaaaaaA', { video_url: youtubeUrl('aaaaaaaaaaA'), title: 'Of the feed' }),
    ])
    await alice.library.downloads.request(['aaaaaaaaaaA'])
    await owned.film('Talk [aaaaaaaaaaA].mp4')

    await run()

    expect(await videoOf(alice, 'aaaaaaaaaaA')).toMatchObject({
      title: 'Of the feed',
      download_status: 'completed',
      queued: false,
    })
    expect(await alice.library.downloads.start('aaaaaaaaaaA', crypto.randomUUID())).toBeUndefined()
  })

  it('a repeated import finds everything there, and replaces no file by another one of the video', async () => {
    await talk('aaaaaaaaaaA')
    await run()
    const path = stored(await videoOf(alice, 'aaaaaaaaaaA'))
    const [before, { ino }] = [await readFile(path), await stat(path)]
    const { code, text } = await run()
    expect([code, text]).toEqual([0, expect.stringMatching(/imported before Talk/)])
    expect((await stat(stored(await videoOf(alice, 'aaaaaaaaaaA')))).ino).toBe(ino)
    await writeFile(join(owned.folder, 'Talk [aaaaaaaaaaA].mp4'), Buffer.concat([before, before]))
    expect((await run()).text).toMatch(/duplicate {7}Talk.*The library has a file of this video already/)
    expect(await readFile(path)).toEqual(before)
  })

  it('a file that is imported as a link is the same file on the disk', async () => {
    const file = await talk('aaaaaaaaaaA')
    await run({ manner: 'link' })
    expect((await stat(stored(await videoOf(alice, 'aaaaaaaaaaA')))).ino).toBe((await stat(file)).ino)
  })

  it('a moved file is gone, and the files next to it stay', async () => {
    const content = await readFile(await talk('aaaaaaaaaaA'))
    const { text } = await run({ manner: 'move' })
    expect(text).toContain('Removed 1 file here.')
    expect(await readdir(owned.folder)).toEqual(['Talk [aaaaaaaaaaA].info.json'])
    const path = stored(await videoOf(alice, 'aaaaaaaaaaA'))
    expect([await readFile(path), (await stat(path)).mode & 0o777]).toEqual([content, 0o600])
  })

  it('a move that was killed before it removed the original removes it the next time, if the content is the same', async () => {
    const file = await talk('aaaaaaaaaaA')
    await run({ manner: 'copy' })
    const content = await readFile(file)
    const other = Buffer.from(content).fill(200, content.length - 1)
    await writeFile(file, other)
    expect((await run({ manner: 'move' })).text).toContain('may be another one')
    expect(await readFile(file)).toEqual(other)

    await writeFile(file, content)
    expect((await run({ manner: 'move' })).text).toContain('Removed 1 file here.')
    await expect(stat(file)).rejects.toThrow('ENOENT')
    expect(await readFile(stored(await videoOf(alice, 'aaaaaaaaaaA')))).toEqual(content)
  })

  it('a move keeps an original that was replaced while the library got the file', async () => {
    const file = await talk('aaaaaaaaaaA')
    const stage: Files['stage'] = async (...args) => {
      await rm(file)
      await writeFile(file, 'a better one')
      return app.files.stage(...args)
    }
    const { text } = await run({ manner: 'move', files: { ...app.files, stage } })
    expect(text).toContain('It stays here, because it has changed')
    expect(await readFile(file, 'utf8')).toBe('a better one')
    expect(await filesOf(alice)).toHaveLength(1)
  })

  it('a file that browsers do not play is converted, and its original stays', async () => {
    const file = await owned.film('Talk [aaaaaaaaaaA].mkv', 'odd/anamorphic.mkv')
    await owned.write('Talk [aaaaaaaaaaA].info.json', infoOf('aaaaaaaaaaA', { duration: 1 }))
    const content = await readFile(file)
    const { text } = await run({ manner: 'move' })
    expect(text).toContain('It will be converted')
    expect(text).toContain('Kept 1 file here')
    expect(await readFile(file)).toEqual(content)
    expect(await filesOf(alice)).toEqual(['UCabcdefghijklmnopqrstuv/aaaaaaaaaaA.mp4'])
    // Of the finished file, and not of the original, which is MPEG-2.
    expect((await videoOf(alice, 'aaaaaaaaaaA'))?.file?.video?.codec).toBe('h264')
  })

  it('an imported MP3 stays as it is, and other sound becomes an M4A', async () => {
    const song = await owned.film('Song [aaaaaaaaaaA].mp3', 'sound.mp3')
    const content = await readFile(song)
    await owned.write('Song [aaaaaaaaaaA].info.json', infoOf('aaaaaaaaaaA'))
    await owned.film('Talk [bbbbbbbbbbA].ogg', 'sound.mp3')
    await owned.write('Talk [bbbbbbbbbbA].info.json', infoOf('bbbbbbbbbbA'))
    // Without a picture, as far as its name says.
    await owned.film('Speech [ccccccccccA].weba', 'vp9.webm')
    await owned.write('Speech [ccccccccccA].info.json', infoOf('ccccccccccA'))

    await run()

    const folder = 'UCabcdefghijklmnopqrstuv'
    expect((await filesOf(alice)).toSorted()).toEqual([
      `${folder}/aaaaaaaaaaA.mp3`,
      // Its name says otherwise, but an MP3 is what it is.
      `${folder}/bbbbbbbbbbA.mp3`,
      `${folder}/ccccccccccA.m4a`,
    ])
    expect(await readFile(stored(await videoOf(alice, 'aaaaaaaaaaA')))).toEqual(content)
  })

  it('doubtful files are imported only if wanted', async () => {
    await owned.film('My talk [aaaaaaaaaaA].mp4')
    await run()
    expect(await videoOf(alice, 'aaaaaaaaaaA')).toBeUndefined()
    await run({ with_doubtful: true })
    expect(await videoOf(alice, 'aaaaaaaaaaA')).toMatchObject({ title: 'My talk', download_status: 'completed' })
  })

  it('each doubtful file says what to do next, and an import of nothing says why', async () => {
    await owned.film('holiday.mp4')
    const none = await run({ with_doubtful: true })
    expect(none.text).toContain('holiday.mp4: Nothing says which video it is. Put an id of YouTube into its name')
    expect(none.text).toMatch(
      /lines above say why, and what to do\. --doubtful imports files of which the video is known\.\s*$/,
    )

    for (const name of ['Plum-cccccccccc2.mp4', 'Apple cake [bbbbbbbbbbA].mp4']) await owned.film(name)
    const { text } = await run()
    expect(text).toContain('nothing confirms it. If it is right, use --doubtful, or name a list of downloads')
    await run({ with_doubtful: true })
    expect(await videoOf(alice, 'bbbbbbbbbbA')).toMatchObject({ download_status: 'completed' })
  })

  it.skipIf(process.platform !== 'linux')(
    'files whose names are not UTF-8 or have a line break are imported',
    async () => {
      const film = await owned.tagged('a.mp4', { comment: youtubeUrl('aaaaaaaaaaA') })
      const odd = Buffer.concat([Buffer.from(`${owned.folder}/o`), Buffer.from([0xff, 0x0a]), Buffer.from('d.mp4')])
      await link(film, odd)
      await rm(film)
      const webm = await owned.film('b.webm', 'vp9.webm')
      const odder = Buffer.concat([
        Buffer.from(`${owned.folder}/`),
        Buffer.from([0xfe]),
        Buffer.from(' [bbbbbbbbbbA].webm'),
      ])
      await link(webm, odder)
      await rm(webm)
      const { code } = await run({ with_doubtful: true })
      expect([code, (await filesOf(alice)).length]).toEqual([0, 2])
    },
  )

  it('a symbolic link is not imported', async () => {
    await symlink(await owned.film('film/a.mp4'), join(owned.folder, 'Talk [aaaaaaaaaaA].mp4'))
    await owned.write('Talk [aaaaaaaaaaA].info.json', infoOf('aaaaaaaaaaA'))
    expect((await run({ with_doubtful: true })).text).toContain('It is a symbolic link.')
    expect(await filesOf(alice)).toEqual([])
  })

  it('a file that is being downloaded is left to its worker', async () => {
    await talk('aaaaaaaaaaA')
    await alice.library.channels.addVideo({ channel_id: 'studio', title: 'Studio' }, entry('aaaaaaaaaaA'))
    await alice.library.downloads.request(['aaaaaaaaaaA'])
    const claim = crypto.randomUUID()
    await alice.library.downloads.start('aaaaaaaaaaA', claim)
    const { code, text } = await run()
    expect([code, text]).toEqual([2, expect.stringContaining('The video is being downloaded now.')])
    expect(await alice.library.downloads.beat('aaaaaaaaaaA', claim, preparing)).toBe(true)
  })

  it.each([
    ['the quota', {}, { USER_QUOTA_GB: 0.0000001 }, 'more than the'],
    ['the limit of videos', { videos: 1 }, {}, 'the most that one person may have'],
  ])('%s ends the import with a sentence', async (_, limits, quota, sentence) => {
    onTestFinished(lowered(limits))
    await alice.library.channels.addVideo({ channel_id: 'studio', title: 'Studio' }, entry('v1'))
    await talk('aaaaaaaaaaA')
    await talk('bbbbbbbbbbA')
    const { code, text } = await run(quota)
    expect([code, text]).toEqual([2, expect.stringContaining(sentence)])
    expect([await filesOf(alice), await videoOf(alice, 'aaaaaaaaaaA')]).toEqual([[], undefined])
  })

  it.each([
    ['smaller', 0.0000001, 1, 2, 0],
    ['larger', 1, 0.0000001, 0, 1],
    ['without a limit', 0, 0.0000001, 0, 1],
  ])('a quota of one’s own decides, not the service’s: %s', async (_, own, USER_QUOTA_GB, code, files) => {
    await sql`update users set quota_gb = ${own} where id = ${alice.user.user_id}`
    await talk('aaaaaaaaaaA')
    const ended = await run({ USER_QUOTA_GB })
    expect([ended.code, ended.text.includes('more than the')]).toEqual([code, code !== 0])
    expect(await filesOf(alice)).toHaveLength(files)
  })

  it('an import that is interrupted ends after the file that it imports, and is continued', async () => {
    for (const id of ['aaaaaaaaaaA', 'bbbbbbbbbbA', 'ccccccccccA']) await talk(id)
    const interrupted = new AbortController()
    const stage: Files['stage'] = (...args) => {
      interrupted.abort()
      return app.files.stage(...args)
    }
    const first = await run({ files: { ...app.files, stage }, signal: interrupted.signal })
    expect([first.code, first.text]).toEqual([
      2,
      expect.stringContaining('It was interrupted. The same command continues it.'),
    ])
    expect(await filesOf(alice)).toHaveLength(1)
    await run()
    expect(await filesOf(alice)).toHaveLength(3)
  })

  it('a file that changes while it is imported is left for the next time', async () => {
    const file = await talk('aaaaaaaaaaA')
    const workFolder: Files['workFolder'] = async of => {
      await writeFile(file, 'still being written')
      return app.files.workFolder(of)
    }
    const { code, text } = await run({ files: { ...app.files, workFolder } })
    expect([code, text]).toEqual([2, expect.stringContaining('It has changed')])
    expect(await filesOf(alice)).toEqual([])
  })
})

const preparing = {
  phase: 'preparing' as const,
  percent: null,
  downloaded_bytes: null,
  total_bytes: null,
  speed: null,
  eta_seconds: null,
}
