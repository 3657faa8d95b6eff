/** On disk: links, copies, and comparing them. */
import { link, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { bringFile, isSameContent, isSamePlace } from '../../../src/domain/imports/bring-file.ts'
import { newFolder } from '../../support/run/new-folder.ts'

let folder: string
let source: string
beforeEach(async () => {
  folder = newFolder()
  source = join(folder, 'source')
  await writeFile(source, 'a film', { mode: 0o644 })
})

it.each([
  ['copy', false],
  ['link', true],
  ['move', true],
] as const)('%s: the same file is %s, and the original stays', async (manner, is_linked) => {
  const target = join(folder, 'target')
  expect(await bringFile(source, target, manner, 0o077)).toEqual({ is_linked })
  expect([await readFile(source, 'utf8'), await readFile(target, 'utf8')]).toEqual(['a film', 'a film'])
  expect((await stat(source)).ino === (await stat(target)).ino).toBe(is_linked)
})

it('a copy has the permissions of the service, and the original keeps its own', async () => {
  await bringFile(source, join(folder, 'target'), 'copy', 0o077)
  expect((await stat(join(folder, 'target'))).mode & 0o777).toBe(0o600)
  expect((await stat(source)).mode & 0o777).toBe(0o644)
})

it.each(['copy', 'link', 'move'] as const)('%s never writes over a file', async manner => {
  await writeFile(join(folder, 'target'), 'another film')
  await expect(bringFile(source, join(folder, 'target'), manner, 0o077)).rejects.toThrow('EEXIST')
  expect(await readFile(join(folder, 'target'), 'utf8')).toBe('another film')
})

it('two files have the same content only if every byte is the same', async () => {
  const large = Buffer.alloc(3 * 1024 * 1024 + 5, 'a')
  await writeFile(join(folder, 'a'), large)
  await writeFile(join(folder, 'b'), large)
  large[large.length - 1] = 0
  await writeFile(join(folder, 'c'), large)
  const same = (other: string) => isSameContent(join(folder, 'a'), join(folder, other))
  expect([await same('a'), await same('b'), await same('c'), await same('source'), await same('missing')]).toEqual([
    ...[true, true, false],
    ...[false, false],
  ])
})

it('a second path of a file in the library is the same place, and a link to the file is another one', async () => {
  const [other, alias] = [join(folder, 'other'), join(folder, 'alias')]
  await mkdir(other)
  await link(source, join(other, 'source'))
  await symlink(folder, alias)
  expect(await isSamePlace(join(alias, 'source'), source)).toBe(true)
  expect(await isSamePlace(join(other, 'source'), source)).toBe(false)
})
