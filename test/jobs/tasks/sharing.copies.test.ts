/**
 * Who gets the file of another person: where the file system has no hard links, those for whom the disk has room for a copy; where the
 * file may lack the subtitles that they prefer, those who would get no others.
 */
import { link } from 'node:fs/promises'
import { beforeEach, expect, it, vi } from 'vitest'
import { filesIn, type MakeLink } from '../../../src/store/local-files.ts'
import { useDatabase } from '../../support/app/database.ts'
import type { Person } from '../../support/app/people.ts'
import { useSharing } from '../../support/app/shared-video.ts'

const noLinks = () => Promise.reject(Object.assign(new Error('no links here'), { code: 'EPERM' }))

const { sql } = useDatabase()
const scene = useSharing(sql)
const { wants, download, runJobs, status, fileOf } = scene
let alice: Person
let bob: Person
beforeEach(async () => {
  await scene.begin()
  alice = await wants('alice')
  await download(alice)
  await sql`truncate graphile_worker._private_jobs`
  bob = await wants('bob')
})

/** A disk with this many bytes left before the floor, by default without hard links. */
function diskWith(bytes: number, makeLink: MakeLink = noLinks) {
  const freeBytes = vi.fn(async () => 1000 + bytes)
  const files = { ...filesIn(scene.folder(), { makeLink }), freeBytes }
  return { files, freeBytes, room: { min_free_bytes: 1000, quota_bytes: 0 } }
}
const errorOf = async ({ library }: Person) => (await library.videos.find('v1'))?.download_error

it('a person gets a copy of their own, without a request to the site', async () => {
  await runJobs('share-requested', diskWith(1000))
  const [hers, his] = await Promise.all([fileOf(alice), fileOf(bob)])
  expect([await status(bob), scene.site().requests.length]).toEqual(['completed', 1])
  expect([his?.size, his?.nlink, hers?.nlink]).toEqual([hers?.size, 1, 1])
  expect(his?.ino).not.toBe(hers?.ino)
})

it('a copy is not made where the disk has no room for it, and the person reads why', async () => {
  await runJobs('share-requested', diskWith(20))
  expect([await status(bob), await fileOf(bob), await errorOf(bob)]).toEqual([
    'failed',
    undefined,
    expect.stringContaining('not enough space left on the disk'),
  ])
})

it('deleted files give way to a copy where the disk has no room for it', async () => {
  const { files, room } = diskWith(20)
  const carol = await wants('carol', 'https://videos.example/other')
  await download(carol)
  await carol.library.downloads.discardFile('v1', path => files.discard(path))
  let emptied = false
  const purge = async (path: string) => {
    await files.purge(path)
    emptied = true
  }
  const freeBytes = async () => (emptied ? 2000 : 1020)
  await runJobs('share-requested', { files: { ...files, purge, freeBytes }, room })
  expect([await status(bob), emptied]).toEqual(['completed', true])
})

it('a link needs no room on the disk, and empties no bin', async () => {
  const full = diskWith(-500, link)
  await runJobs('share-requested', full)
  expect([await status(bob), (await fileOf(bob))?.ino]).toEqual(['completed', (await fileOf(alice))?.ino])
  expect(full.freeBytes).not.toHaveBeenCalled()
})

/** As many as a download takes of a site that has more. */
const many = ['en', 'de', 'ar', 'bg', 'cs', 'da', 'el', 'fi', 'hu', 'zh-Hans']
const hers = (subtitles: string[]) =>
  sql`update video_entries set subtitles = ${subtitles} where user_id = ${alice.user.user_id}`

it.each([
  ['gets the file', many, []],
  ['gets the file', many, ['de-CH']],
  ['gets the file', many, ['zh-Hans', 'fr']],
  ['downloads it', many, ['fr', 'de']],
  ['downloads it', many, ['zh-Hant']],
  ['downloads it', [...many.slice(1), 'fr-forced'], ['fr']],
  // The site has no more.
  ['gets the file', ['en'], ['fr']],
  ['gets the file', [], ['fr']],
])('bob %s with the subtitles %j if he prefers %j', async (what, subtitles, preferred) => {
  await hers(subtitles)
  await bob.library.settings.save({ subtitle_languages: preferred })

  await runJobs('share-requested')

  expect(await status(bob)).toBe(what === 'gets the file' ? 'completed' : 'pending')
  if (what === 'gets the file') return
  await download(bob)
  expect([await status(bob), scene.site().requests.length]).toEqual(['completed', 2])
})
