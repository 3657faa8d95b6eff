/** MEDIA_DIR and DOWNLOADS_DIR must fit together. */
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { requireMedia } from '../../src/store/media-tree.ts'
import { newFolder } from '../support/run/new-folder.ts'

const folder = newFolder()
beforeAll(async () => {
  for (const name of ['downloads', 'media', 'downloads/inside', 'downloads-2']) await mkdir(join(folder, name))
  await symlink(join(folder, 'downloads'), join(folder, 'link'))
})

const required = (media: string, downloads: string) =>
  requireMedia({
    MEDIA_DIR: join(folder, media),
    DOWNLOADS_DIR: downloads.includes(':') ? downloads : join(folder, downloads),
  })

it('two folders next to each other are fine, and a missing MEDIA_DIR is made', async () => {
  await required('media', 'downloads')
  await required('downloads-2', 'downloads')
  await required('new/media', 'downloads')
  expect(await requireMedia({ MEDIA_DIR: undefined, DOWNLOADS_DIR: 's3://bucket' })).toBe(false)
  expect(await readdir(join(folder, 'new'))).toEqual(['media'])
})

it.each([
  ['downloads/inside', 'downloads'],
  ['downloads', 'downloads'],
  ['.', 'downloads'],
  ['link/inside', 'downloads'],
])('MEDIA_DIR in %s is refused with downloads in %s', async (media, downloads) => {
  await expect(required(media, downloads)).rejects.toThrow(
    'MEDIA_DIR and DOWNLOADS_DIR should be two folders of which neither is inside the other.',
  )
})

it('MEDIA_DIR is refused together with a DOWNLOADS_DIR on s3://', async () => {
  await expect(required('media', 's3://bucket/prefix')).rejects.toThrow(
    'MEDIA_DIR has links to files on this machine, so it cannot be used with a DOWNLOADS_DIR on s3://.',
  )
})

it('a MEDIA_DIR that does not answer ends the start with a sentence', async () => {
  const check = () => new Promise<never>(() => {})
  const folders = { MEDIA_DIR: '/mnt/share', DOWNLOADS_DIR: join(folder, 'downloads') }
  await expect(requireMedia(folders, { within_ms: 10, check })).rejects.toThrow(
    'MEDIA_DIR did not answer within 0.01 seconds. Check that the disk or the network share of /mnt/share is there.',
  )
})
