/** Under any template, every video gets a path, and no two videos have one, as file systems compare them. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { folderKey } from '../../../src/domain/media/names.ts'
import { giveNumbers } from '../../../src/domain/media/numbers.ts'
import { pathOf, withFolders } from '../../../src/domain/media/video-paths.ts'
import { templateOf } from '../../../src/schema/values/media-names.ts'
import { useDatabase } from '../../support/app/database.ts'
import { runDownload } from '../../support/app/files.ts'
import { personWithKitchen, useMedia } from '../../support/app/media.ts'
import { holds } from '../../support/run/holds.ts'

const db = useDatabase()
const { sql } = db
const media = useMedia(db)

const ids = ['x1', 'X1', 'x2', 'a-thumb', 'tvshow', 'k']
const templates = [
  '{title}',
  '{channel}/{title}',
  '{title}/{id}',
  '{date}/{season} {title}',
  'S{season}E{episode} {title}',
  '{id}',
]
const title = fc.constantFrom(
  '',
  'k',
  'K',
  'K [x1]',
  'k [X1]',
  'K [x1] (2)',
  '../k',
  'é',
  'É',
  'e\u0301',
  'ß',
  'tvshow',
  'k-thumb',
)

it('every video gets a path of its own, whatever the titles and the template', async () => {
  const { user, library } = await personWithKitchen(sql, 'alice', ids)
  for (const id of ids) await runDownload(media.files, { user, library } as never, id)
  await library.media.begin()
  await library.media.giveNumbers(await library.media.unnumbered(9), giveNumbers)
  await holds(
    fc.asyncProperty(
      fc.constantFrom(...templates),
      fc.array(title, { minLength: 6, maxLength: 6 }),
      async (text, titles) => {
        for (const [at, id] of ids.entries())
          await sql`update video_entries set title = ${titles[at] ?? ''} where user_id = ${user.user_id} and video_id = ${id}`
        await library.media.startNames(text)
        expect(await library.media.giveNames(text, 4, (video, nth) => pathOf(templateOf(text), video, nth))).toBe(4)
        expect(await library.media.giveNames(text, 4, (video, nth) => pathOf(templateOf(text), video, nth))).toBe(2)
        const rows = await sql`
        select folders, name, path_key
        from   media_episodes
        join   media_paths using (user_id, video_id)
        where  user_id = ${user.user_id}`
        const keys = rows.map(({ folders, name }) => folderKey(withFolders(folders, name)))
        expect(new Set(keys).size).toBe(ids.length)
        expect(keys).toEqual(rows.map(({ path_key }) => path_key))
      },
    ),
    { runs: 30 },
  )
})

it('a run whose template is no longer that of the tree names nothing', async () => {
  const { user, library } = await personWithKitchen(sql, 'alice', ['v1'])
  await runDownload(media.files, { user, library } as never, 'v1')
  await library.media.begin()
  await library.media.giveNumbers(await library.media.unnumbered(9), giveNumbers)
  await library.media.startNames('{id}')
  expect(await library.media.giveNames('{title}', 9, (video, nth) => pathOf(templateOf('{title}'), video, nth))).toBe(0)
  expect(await library.media.giveNames(null, 9, (video, nth) => pathOf(templateOf(null), video, nth))).toBe(0)
})
