/** On disk: a folder with everything that a folder may contain. */
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { expect, it } from 'vitest'
import { rawPathOf, shownPath } from '../../../src/domain/imports/raw-path.ts'
import { folderKey, walk } from '../../../src/domain/imports/walk.ts'
import { newFolder } from '../../support/run/new-folder.ts'

async function folderWith(...names: (string | Buffer)[]): Promise<string> {
  const folder = newFolder()
  for (const name of names) {
    const path = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name)])
    await mkdir(path.subarray(0, path.lastIndexOf('/')), { recursive: true })
    await writeFile(path, 'x')
  }
  return folder
}

const walked = async (folder: string) => {
  const found = await Array.fromAsync(walk(rawPathOf(folder)))
  return found.map(item => ('path' in item ? { ...item, path: shownPath(item.path.slice(folder.length + 1)) } : item))
}
const mediaIn = async (folder: string) =>
  (await walked(folder)).flatMap(item =>
    item.kind === 'media' ? [[item.path, item.problem?.split('.')[0] ?? null]] : [],
  )

it('a walk finds videos and sounds in all folders, in the order of their names', async () => {
  const folder = await folderWith('b.mp4', 'a.MKV', 'deep/er/c.opus', 'cover.jpg', 'a.info.json')
  expect(await mediaIn(folder)).toEqual([
    ['a.MKV', null],
    ['b.mp4', null],
    ['deep/er/c.opus', null],
  ])
  const others = (await walked(folder)).flatMap(item => (item.kind === 'left_out' ? item.count : []))
  expect(others.reduce((sum, count) => sum + count, 0)).toBe(2)
})

it('a walk finds the subtitles of a video, and lists of downloads', async () => {
  const folder = await folderWith('a.mp4', 'a.en.vtt', 'a.srt', 'b.en.vtt', 'sub/archive.txt')
  const found = await walked(folder)
  expect(found.find(item => item.kind === 'media')).toMatchObject({
    subtitles: [
      { name: 'a.en.vtt', language: 'en' },
      { name: 'a.srt', language: null },
    ],
  })
  expect(found).toContainEqual({ kind: 'list', path: 'sub/archive.txt' })
})

it('a walk names unfinished downloads and symbolic links, and follows no link', async () => {
  const folder = await folderWith('a.mp4', 'b.mp4.part', 'c.f137.mp4', 'sub/d.mp4')
  await symlink(folder, join(folder, 'sub', 'circle'))
  await symlink(join(folder, 'a.mp4'), join(folder, 'e.mp4'))
  expect(await mediaIn(folder)).toEqual([
    ['a.mp4', null],
    ['b.mp4.part', 'It is an unfinished download, or one part of a video'],
    ['c.f137.mp4', 'It is an unfinished download, or one part of a video'],
    ['e.mp4', 'It is a symbolic link'],
    ['sub/d.mp4', null],
  ])
})

it.skipIf(process.platform !== 'linux')(
  'a walk finds names with line breaks and names that are not UTF-8',
  async () => {
    const folder = await folderWith('two\nlines.mp4', Buffer.from([0x61, 0xff, 0x2e, 0x6d, 0x70, 0x34]))
    expect(await mediaIn(folder)).toEqual([
      ['a\\xff.mp4', null],
      ['two\\x0alines.mp4', null],
    ])
  },
)

it('a walk says which folder cannot be read, and continues', async () => {
  const folder = await folderWith('closed/a.mp4', 'open/b.mp4')
  await rm(join(folder, 'closed'), { recursive: true })
  await symlink('nowhere', join(folder, 'gone'))
  expect(await mediaIn(folder)).toEqual([['open/b.mp4', null]])
  await chmod(folder, 0o700)
  const found = await Array.fromAsync(walk(rawPathOf(join(folder, 'missing'))))
  expect(found).toMatchObject([{ kind: 'unreadable', sentence: 'This folder cannot be read (ENOENT).' }])
})

it('a walk leaves out a folder of the service, under any path at which it is mounted', async () => {
  const folder = await folderWith('a.mp4', 'store/user/channel/b.mp4')
  const own = new Set([(await folderKey(join(folder, 'store'))) ?? ''])
  const found = await Array.fromAsync(walk(rawPathOf(folder), own))
  expect(found.filter(({ kind }) => kind !== 'left_out')).toEqual([
    expect.objectContaining({ kind: 'media', path: rawPathOf(join(folder, 'a.mp4')) }),
    expect.objectContaining({ kind: 'unreadable', sentence: 'This is a folder of the service, so it is left out.' }),
  ])
})
