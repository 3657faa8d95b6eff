/** Names in MEDIA_DIR fit every file system, keep the id, and are read by media servers as one episode. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { episodeName, folderName, personFolder, seasonFolder } from '../../../src/domain/media/names.ts'
import { faultsOfName, jellyfinEpisode, jellyfinSeason, kodiEpisodes } from '../../support/media/servers.ts'
import { holds } from '../../support/run/holds.ts'

const id = 'aqz-KE-bpKQ'
const named = (title: string, video_id = id) => episodeName(2026, '1121', title, video_id)

it('an ordinary title is kept, with the id at the end', () => {
  expect(named('Big Buck Bunny')).toBe('S2026E1121 – Big Buck Bunny [aqz-KE-bpKQ]')
  expect(folderName('Bread Kitchen')).toBe('Bread Kitchen')
  expect(folderName('Bread Kitchen', 2)).toBe('Bread Kitchen (2)')
})

it.each([
  ['What? "AC/DC": <live> | 50*2 \\ 3', 'What？ ＂AC⧸DC＂： ＜live＞ ｜ 50＊2 ⧸ 3'.replace('⧸ 3', '⧹ 3')],
  ['👩‍👩‍👧‍👦 family 🏴󠁧󠁢󠁥󠁮󠁧󠁿', '👩‍👩‍👧‍👦 family 🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ['e\u0301te\u0301', 'été'],
  ['gnp.\u202Egpj', 'gnp.gpj'],
  ['a\u0000b\tc\nd', 'a b c d'],
  ['...hidden... ', 'hidden'],
  ['S01E05-E06 of 1x02, 10-12, 100%25', 'S01·E05-E06 of 1×02, 10–12, 100％25'],
  ['2026-11-21 1920x1080', '2026–11–21 1920×1080'],
  ['A sample of bread', 'A sample\u00A0of bread'],
])('the title %j is written as %j', (title, expected) => {
  expect(named(title)).toBe(`S2026E1121 – ${expected} [${id}]`)
})

it.each(['', ' ', '...', '\u202E', '\uD800'])('a video with the title %j still has its number and id', title => {
  expect(named(title)).toBe(`S2026E1121 [${id}]`)
})

it('the id stays when a title is shortened, and no letter is cut in two', () => {
  const name = named('👩‍👩‍👧‍👦'.repeat(200))
  expect(name.endsWith(`👩‍👩‍👧‍👦 [${id}]`)).toBe(true)
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
})

it.each(['0-', '%00', 's1e1', '0x', 'sample '])('300 times %j fits, although longer signs replace it', part => {
  expect(Buffer.byteLength(named(part.repeat(300)))).toBeLessThanOrEqual(201)
  expect(Buffer.byteLength(folderName(part.repeat(300)))).toBeLessThanOrEqual(121)
})

it('different ids that are no valid names stay different', () => {
  const names = ['a/b', 'a\\b', '../../etc', 'x'.repeat(500), 'x'.repeat(501), '[a]', '', '. '].map(id =>
    named('t', id),
  )
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(faultsOfName(name)).toEqual([])
})

it.each([
  'CON',
  'nul.txt',
  'Com1',
  'Shorts',
  'Extras',
  'trailers',
  'Sample',
  'My Sample',
  'metadata',
  'x.ite',
  'a.M3U',
])('a channel with the title %s gets another folder, because the name is reserved', title => {
  expect(folderName(title)).toContain(title)
  expect(folderName(title)).not.toBe(title)
})

it('a username is the name of a folder, unless a system reserves or hides it', () => {
  const user_id = '0d3f3c1e-7a51-4c5e-9a35-2f3c0a8a1f10'
  expect(personFolder({ username: 'alice.b-c_d', user_id })).toBe('alice.b-c_d')
  for (const username of ['...', 'con', 'NUL', 'aux.x', '.alice', 'alice.', 'com1.txt']) {
    const folder = personFolder({ username, user_id })
    expect(faultsOfName(folder)).toEqual([])
    expect(folder).toContain('0d3f3c1e')
  }
})

/** The ugliest titles: parts that mean something to a file system or to a media server, in any order. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'S01E02',
        's1 e2',
        'S3.E4-E5',
        '1x02',
        '2x3-4',
        'e5',
        'Ep. 7',
        'Episode 10-12',
        'part 2',
        'cd1',
        '-trailer',
        'sample',
      ),
      fc.constantFrom(
        '../',
        '..\\',
        '/',
        '\\',
        '.',
        ' ',
        '[',
        ']',
        '{',
        '}',
        '%2e%2e%2f',
        '%00',
        '%be',
        '~',
        '$',
        '`',
        "'",
        '"',
        ':',
        '*',
        '?',
      ),
      fc.constantFrom(
        '\u0000',
        '\n',
        '\u202E',
        '\u2066',
        '\uFEFF',
        '\u200B',
        '\u0301',
        '\u0338',
        '=',
        '\uD83D',
        '👩‍👩‍👧‍👦',
        'e\u0301',
        '\u0958',
        'ﷺ',
      ),
      fc.constantFrom(
        'con',
        'nul',
        'AUX.',
        'lpt1',
        'Season 3',
        '.ite',
        '2026-11-21',
        '21.11.2026',
        ' - 01',
        '–',
        'x'.repeat(300),
        '\u0301'.repeat(400),
      ),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.string({ maxLength: 20 }),
    ),
    { maxLength: 12 },
  )
  .map(parts => parts.join(''))
const ids = fc.oneof(fc.constant(id), fc.stringMatching(/^[A-Za-z0-9_-]{11}$/), hostile)

/** Ids of the characters of which media servers make numbers of episodes. */
const like_episodes = fc.stringMatching(/^[sSeExX._0-9-]{4,11}$/)

it('every title, id and channel makes names that fit every file system, and lead nowhere else', () => {
  holds(
    fc.property(hostile, ids, hostile, fc.integer({ min: 1, max: 1200 }), (title, video_id, channel, nth) => {
      const name = named(title, video_id)
      for (const ending of ['.mp4', '-thumb.jpg', `.${'x'.repeat(40)}.vtt`])
        expect(faultsOfName(name + ending)).toEqual([])
      expect(faultsOfName(folderName(channel, nth))).toEqual([])
      expect(name.startsWith('S2026E1121 ')).toBe(true)
      if (/^[A-DF-WYZa-df-wyz0-9_-]{1,64}$/.test(video_id)) expect(name.endsWith(`[${video_id}]`)).toBe(true)
    }),
    { runs: 1000 },
  )
})

it('Kodi and Jellyfin read every file as one episode, 1121 of season 2026', () => {
  holds(
    fc.property(hostile, hostile, fc.oneof(ids, like_episodes), (title, channel, strange_id) => {
      for (const video_id of [id, strange_id]) {
        const path = `/media/alice/${folderName(channel)}/${seasonFolder(2026)}/${named(title, video_id)}.mp4`
        expect(kodiEpisodes(path)).toEqual([{ season: 2026, episode: 1121 }])
        expect(jellyfinEpisode(path)).toEqual({ season: 2026, episode: 1121, ending: false })
      }
    }),
    { runs: 1000 },
  )
  expect(jellyfinSeason(seasonFolder(2026))).toBe(2026)
})

it.each(['abs5e12xyzA', 'S3E7lJZ3g2b', '5Xjp00x3-0u', 's1-e2-e3-e4'])(
  'the id %s adds no episode, and stays apart from other ids',
  video_id => {
    const path = `/media/alice/Bread/${seasonFolder(2026)}/${named('Talk', video_id)}.mp4`
    expect(kodiEpisodes(path)).toEqual([{ season: 2026, episode: 1121 }])
    expect(jellyfinEpisode(path)).toEqual({ season: 2026, episode: 1121, ending: false })
  },
)

it('ids that differ only in a sign between season and episode have different names', () => {
  const names = ['S1E2', 'S1-E2', 'S1_E2', 'S1-_E2', 'S1xE2'].map(part => named('Talk', `ab${part}wxyz`))
  expect(new Set(names).size).toBe(5)
  for (const name of names)
    expect(kodiEpisodes(`/media/alice/Bread/${name}.mp4`)).toEqual([{ season: 2026, episode: 1121 }])
})

it('a title that both Windows and a media server reserve gets another name', () => {
  expect(folderName('con.ite')).toBe('_con.ite (channel)')
})
