/** Videos that a media server deletes are deleted, and an emptied or unmounted MEDIA_DIR never deletes one. */
import { link, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { removeFiles } from '../../../src/domain/downloads/downloads.ts'
import { checkTree, isTooMany } from '../../../src/domain/media/update-tree.ts'
import { templateOf } from '../../../src/schema/values/media-names.ts'
import { mediaTree } from '../../../src/store/media-tree.ts'
import { silent } from '../../support/app/app.ts'
import { useDatabase } from '../../support/app/database.ts'
import { no_bin, runDownload } from '../../support/app/files.ts'
import { bin, personWithKitchen, useMedia } from '../../support/app/media.ts'
import type { Person } from '../../support/app/people.ts'

const db = useDatabase()
const { sql } = db
const media = useMedia(db)

const season = 'Bread： Kitchen/Season 2026'
const nameOf = (nth: number) => `${season}/S2026E1121${String(nth).padStart(2, '0')} – Bread v${nth}？ [v${nth}]`
const statusOf = async ({ library }: Person, video_id: string) =>
  (await library.videos.status(video_id))?.download_status
const done = async ({ library }: Person) => (await library.videos.tally()).done

async function personWithFiles(videos: number) {
  const ids = Array.from({ length: videos }, (_, at) => `v${at + 1}`)
  const alice = await personWithKitchen(sql, 'alice', ids)
  for (const id of ids) {
    await runDownload(media.files, alice, id)
    await media.update(alice)
  }
  media.warnings.length = 0
  return alice
}

it('more than 20 missing links that are more than half of all are too many', () => {
  expect([isTooMany(20, 20), isTooMany(21, 21), isTooMany(21, 42), isTooMany(22, 43)]).toEqual([
    false,
    true,
    false,
    true,
  ])
})

it('a video that a media server deletes loses its file, and the others stay', async () => {
  const alice = await personWithFiles(3)
  await rm(media.path(alice, `${nameOf(2)}.mp4`))
  await media.update(alice)
  expect(await statusOf(alice, 'v2')).toBe('completed')

  await media.update(alice, 'check')

  expect(await statusOf(alice, 'v2')).toBe('pending')
  expect(await done(alice)).toBe(2)
  expect((await media.tree(alice)).filter(path => path.includes('[v2]'))).toEqual([])
})

it('a show that a media server deletes as a folder loses its files', async () => {
  const alice = await personWithFiles(3)
  await rm(media.path(alice, 'Bread： Kitchen'), { recursive: true })
  await media.update(alice, 'check')
  expect(await done(alice)).toBe(0)
  expect(await media.tree(alice)).toEqual(['.backlot.json'])
})

it('an emptied tree, as of a disk that is not mounted, is filled again, and no video is deleted', async () => {
  const alice = await personWithFiles(3)
  const tree = await media.tree(alice)
  await rm(media.path(alice), { recursive: true })

  await media.update(alice, 'check')

  expect(await done(alice)).toBe(3)
  expect(await media.tree(alice)).toEqual(tree)
  expect(media.warnings).toHaveLength(1)
  const [service] = await sql`select guarded_links from media_service`
  expect(service).toBeUndefined()
})

it('when most links of a larger tree are missing at once, no video is deleted, and the links are made again', async () => {
  await sql`insert into media_service (seen_at) values (now())`
  const alice = await personWithFiles(25)
  const tree = await media.tree(alice)
  for (let nth = 1; nth <= 22; nth++) await rm(media.path(alice, `${nameOf(nth)}.mp4`))

  await media.update(alice, 'check')

  expect(await done(alice)).toBe(25)
  expect(await media.tree(alice)).toEqual(tree)
  expect(media.warnings).toHaveLength(1)
  const [service] = await sql`select guarded_links, guarded_at from media_service`
  expect(service).toMatchObject({ guarded_links: 22, guarded_at: expect.any(Date) })
  await sql`delete from media_service`
})

it('a link that a media server renames is no deletion: it gets its name again, and the other name stays', async () => {
  const alice = await personWithFiles(1)
  await rename(media.path(alice, `${nameOf(1)}.mp4`), media.path(alice, season, 'renamed.mp4'))
  await media.update(alice, 'check')
  expect(await statusOf(alice, 'v1')).toBe('completed')
  expect(await media.tree(alice)).toEqual(expect.arrayContaining([`${nameOf(1)}.mp4`, `${season}/renamed.mp4`]))
})

it('a link is made again when the file itself is missing in DOWNLOADS_DIR, and nothing is deleted', async () => {
  const alice = await personWithFiles(1)
  const file = (await media.files.localPath(`${alice.user.user_id}/kitchen/v1.mp4`)) ?? ''
  await rename(file, `${file}.away`)
  await rm(media.path(alice, `${nameOf(1)}.mp4`))
  await media.update(alice, 'check')
  expect(await statusOf(alice, 'v1')).toBe('completed')

  await rename(`${file}.away`, file)
  await media.update(alice)
  expect(await media.tree(alice)).toContain(`${nameOf(1)}.mp4`)
})

it('missing NFO files and files that a dead run left are repaired, and files of others stay', async () => {
  const alice = await personWithFiles(2)
  await rm(media.path(alice, `${nameOf(1)}.nfo`))
  await rm(media.path(alice, 'Bread： Kitchen/tvshow.nfo'))
  await writeFile(media.path(alice, season, '.backlot-new-x'), 'left')
  await writeFile(media.path(alice, season, 'theirs.srt'), 'theirs')
  await media.update(alice, 'check')
  const tree = await media.tree(alice)
  expect(tree).toEqual(
    expect.arrayContaining([`${nameOf(1)}.nfo`, 'Bread： Kitchen/tvshow.nfo', `${season}/theirs.srt`]),
  )
  expect(tree).not.toContain(`${season}/.backlot-new-x`)
})

it('a video that was deleted and downloaded again while the folders were read stays', async () => {
  const alice = await personWithFiles(2)
  await rm(media.path(alice, `${nameOf(1)}.mp4`))
  const again = async () => {
    await removeFiles(alice.library, { files: media.files, bin: no_bin }, ['v1'])
    await runDownload(media.files, alice, 'v1')
  }
  const tree = mediaTree(media.media_dir, alice.user.username)
  const changing = {
    ...tree,
    names: (folder: Parameters<typeof tree.names>[0]) => again().then(() => tree.names(folder)),
  }
  const parts = {
    library: alice.library,
    files: media.files,
    bin,
    tree: changing,
    template: templateOf(null),
    log: silent,
    toJpeg: async () => undefined,
    everyone: sql,
    signal: new AbortController().signal,
  }
  await checkTree(parts, (await tree.stamp()) ?? '')
  expect(await statusOf(alice, 'v1')).toBe('completed')
})

it.each(['the channel', 'the season', 'the tree'])('a link planted in the place of %s is not followed', async what => {
  const alice = await personWithKitchen(sql, 'alice', ['v1'])
  if (what !== 'the tree') await media.update(alice)
  await runDownload(media.files, alice, 'v1')
  const outside = `${media.downloads}/outside-${crypto.randomUUID()}`
  await mkdir(outside)
  await writeFile(`${outside}/S2026E112101 – Bread v1？ [v1].nfo`, 'theirs')
  const place = { 'the channel': 'Bread： Kitchen', 'the season': season, 'the tree': '' }[what] ?? ''
  await mkdir(dirname(media.path(alice, place)), { recursive: true })
  await symlink(outside, media.path(alice, place))

  await media.update(alice, 'check')

  expect(media.warnings.length).toBeGreaterThan(0)
  const { readdir, readFile } = await import('node:fs/promises')
  expect(await readdir(outside)).toEqual(['S2026E112101 – Bread v1？ [v1].nfo'])
  expect(await readFile(`${outside}/S2026E112101 – Bread v1？ [v1].nfo`, 'utf8')).toBe('theirs')
  expect(await done(alice)).toBe(1)
  media.warnings.length = 0
})

it('a link planted at the name of a file is replaced, and what it leads to stays as it was', async () => {
  const alice = await personWithKitchen(sql, 'alice', ['v1'])
  await media.update(alice)
  await runDownload(media.files, alice, 'v1')
  const target = `${media.downloads}/target-${crypto.randomUUID()}`
  await writeFile(target, 'theirs')
  await mkdir(media.path(alice, season), { recursive: true })
  await symlink(target, media.path(alice, `${nameOf(1)}.nfo`))
  await link(target, media.path(alice, `${nameOf(1)}.mp4`))

  await media.update(alice)

  const { readFile } = await import('node:fs/promises')
  expect(await readFile(target, 'utf8')).toBe('theirs')
  expect(await media.read(alice, `${nameOf(1)}.nfo`)).toContain('episodedetails')
  expect(await media.read(alice, `${nameOf(1)}.mp4`)).toBe('a file')
})
