/** Paths by any template lead nowhere else, fit every file system, and are read by media servers as they should be. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { folderName } from '../../../src/domain/media/names.ts'
import { pathOf, showFolderOf, withFolders } from '../../../src/domain/media/video-paths.ts'
import { MediaNames, name_fields, templateOf } from '../../../src/schema/values/media-names.ts'
import { faultsOfName, jellyfinEpisode, kodiEpisodes } from '../../support/media/servers.ts'
import { holds } from '../../support/run/holds.ts'

const at = new Date('2026-11-21T12:00:00Z')
const times = { published_at: at, first_seen_at: at }
const rye = {
  ...times,
  video_id: 'aqz-KE-bpKQ',
  title: 'Rye',
  season: 2026,
  episode: 112101,
  folder: 'Bread',
  group_name: 'Food',
}
const pathBy = (template: string, changes: Partial<typeof rye> = {}, nth = 0) => {
  const { folders, name } = pathOf(templateOf(template), { ...rye, ...changes }, nth)
  return withFolders(folders, name)
}

it.each([
  ['{channel}/{title}', 'Bread/Rye'],
  ['{group}/{channel}/{date} {title} [{id}]', 'Food/Bread/2026-11-21 Rye [aqz-KE-bpKQ]'],
  ['{group} - {channel}/s{season}.e{episode} - {title}', 'Food - Bread/s2026.e112101 - Rye'],
  ['{channel}/S{season}E{episode} {date} {title}', 'Bread/S2026E112101 2026–11–21 Rye'],
  ['{season}/{id}', '2026/aqz-KE-bpKQ'],
  ['{title}', 'Rye'],
])('the template %s writes %s', (template, path) => {
  expect(pathBy(template)).toBe(path)
})

it('the longest text of a template, which grows, and the longest id leave room for the longest ending', () => {
  const template = `${'1-'.repeat(20)}{title}`
  expect(MediaNames.safeParse(template).success).toBe(true)
  expect(MediaNames.safeParse(`1${template}`).success).toBe(false)
  const path = pathBy(template, { title: '1-'.repeat(200), video_id: 'i'.repeat(64) }, 2)
  expect(Buffer.byteLength(path) + '.'.length + 40 + '.vtt'.length).toBeLessThanOrEqual(255)
})

it.each([
  ['a channel in no group', '{group}/{title}', { group_name: '' }, 'No group/Rye'],
  ['a video without a title', '{channel}/{title}', { title: ' . ' }, 'Bread/[aqz-KE-bpKQ]'],
  ['a title that is left out with its dash', '{channel}/{date} - {title}', { title: '' }, 'Bread/2026-11-21'],
  ['a folder without a title', '{title}/{id}', { title: '..' }, '_/aqz-KE-bpKQ'],
  ['a title that leads up', '{title}/{title}', { title: '../../etc' }, '⧸..⧸etc/⧸..⧸etc'],
  ['a title that Windows reserves', '{channel}/{title}', { title: 'con' }, 'Bread/_con'],
  ['a title as of our other files', '{channel}/{title}', { title: 'tvshow' }, 'Bread/tvshow [aqz-KE-bpKQ]'],
  [
    'a title that Jellyfin takes for an extra',
    '{channel}/{title}',
    { title: 'Rye-trailer' },
    'Bread/Rye-trailer [aqz-KE-bpKQ]',
  ],
  ['a title as of a picture', '{channel}/{title}', { title: 'Rye-thumb' }, 'Bread/Rye-thumb [aqz-KE-bpKQ]'],
  ['one part of several', '{channel}/{title}', { title: 'Rye part 2' }, 'Bread/Rye part\u00A02'],
  ['a folder that servers reserve', '{title}/{id}', { title: 'Extras' }, 'Extras (folder)/aqz-KE-bpKQ'],
  [
    'a group as a number of an episode',
    '{group}/S{season}E{episode}',
    { group_name: 'S01E02' },
    'S01·E02/S2026E112101',
  ],
])('%s: %s', (_, template, changes, path) => {
  expect(pathBy(template, changes)).toBe(path)
})

it('a name that is taken gets the id, and then a count', () => {
  expect([0, 1, 2].map(nth => pathBy('{title}', {}, nth))).toEqual([
    'Rye',
    'Rye [aqz-KE-bpKQ]',
    'Rye [aqz-KE-bpKQ] (2)',
  ])
})

it('a name that an earlier version gave is kept, in the folder in which that version put the file', () => {
  const named = { ...rye, kept_name: 'S2026E112101 – Earlier [aqz-KE-bpKQ]' }
  const { folders, name } = pathOf(templateOf(null), named)
  expect([folders, name]).toEqual(['Bread/Season 2026', named.kept_name])
})

it.each([
  [null, 'Bread'],
  ['{channel}/S{season}E{episode}', 'Bread'],
  ['TV/{group}/{channel} (shows)/{season}/S{season}E{episode}', 'TV/Food/Bread (shows)'],
  ['{channel}/{title}', 'none'],
  ['{group}/S{season}E{episode} {title}', 'none'],
  ['{season}/{channel}/S{season}E{episode}', 'none'],
  ['{channel} {season}/S{season}E{episode}', 'none'],
])('the files of a show by the template %s are in: %s', (template, folder) => {
  expect(showFolderOf(templateOf(template), rye)).toBe(folder)
})

const piece = fc.oneof(
  fc.constantFrom(
    ...Object.keys(name_fields).map(field => `{${field}}`),
    'S{season}E{episode} ',
    '/',
    ' ',
    '-',
    '.',
    's01e02',
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
)
const template = fc
  .array(piece, { minLength: 1, maxLength: 9 })
  .map(pieces => pieces.join('').trim())
  .filter(text => MediaNames.safeParse(text).success)
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(
      fc.constantFrom(
        '../',
        '\\',
        'S01E02',
        '1x02-3',
        'con',
        '.',
        ' ',
        '\0',
        '%2e',
        '👩‍👩‍👧‍👦',
        'x'.repeat(90),
        'sample ',
        '–',
      ),
    )
    .map(p => p.join('')),
)
const video = fc.record({
  video_id: hostile,
  title: hostile,
  folder: hostile.map(title => folderName(title)),
  group_name: hostile,
})

it('no path of any template and title leads elsewhere, and every name fits every file system', () => {
  holds(
    fc.property(template, video, fc.nat(3), (text, odd, nth) => {
      const { folders, name } = pathOf(templateOf(text), { ...rye, ...odd }, nth)
      const parts = folders === '' ? [] : folders.split('/')
      expect(parts.length).toBe(text.split('/').length - 1)
      for (const part of parts) expect(faultsOfName(part)).toEqual([])
      for (const ending of ['.mp4', `.${'x'.repeat(40)}.vtt`]) expect(faultsOfName(name + ending)).toEqual([])
    }),
    { runs: 1000 },
  )
})

it('two channels never share the folder of a show, and the usual one is that of earlier versions', () => {
  holds(
    fc.property(hostile, fc.nat(3), (title, nth) => {
      const folder = folderName(title, nth + 1)
      expect(showFolderOf(templateOf(null), { folder, group_name: '' })).toBe(folder)
    }),
  )
})

it.each([
  '{channel}/S{season}E{episode} {title}',
  '{group}/{channel}/{title} s{season} e{episode} [{id}]',
  '{date}/{title} - S{season}.E{episode} {date}',
])('Kodi and Jellyfin read every file of %s as one episode', text => {
  holds(
    fc.property(video, odd => {
      const path = `/media/alice/${pathBy(text, { ...odd, episode: 112101 })}.mp4`
      expect(kodiEpisodes(path)).toEqual([{ season: 2026, episode: 112101 }])
      expect(jellyfinEpisode(path)).toEqual({ season: 2026, episode: 112101, ending: false })
    }),
  )
})
