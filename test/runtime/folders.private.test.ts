/** Which folders may contain code that is run later. */
import { chmod, chown, mkdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { beforeEach, expect, it } from 'vitest'
import { privateFolder } from '../../src/runtime/folders.ts'
import { newFolder } from '../support/run/new-folder.ts'

let top: string
beforeEach(() => {
  top = newFolder()
})

it('the folder is created so that only its owner can enter it', async () => {
  const folder = join(top, 'cache')
  expect(privateFolder([folder])).toBe(folder)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  expect(privateFolder([folder])).toBe(folder)
})

it('the next folder is used when the one before has no parent, or is a file', async () => {
  await writeFile(join(top, 'file'), '')
  const folder = join(top, 'cache')
  expect(privateFolder([join(top, 'nowhere/cache'), '/proc/nowhere/cache', join(top, 'file'), folder])).toBe(folder)
})

it('a folder that other users can write to is not used', async () => {
  const folder = join(top, 'open')
  await mkdir(folder)
  await chmod(folder, 0o770)
  expect(privateFolder([folder])).toBeUndefined()
})

it('a link to a folder is not used, because its target may change', async () => {
  await mkdir(join(top, 'ours'), { mode: 0o700 })
  await symlink(join(top, 'ours'), join(top, 'link'))
  expect(privateFolder([join(top, 'link')])).toBeUndefined()
})

it.runIf(process.getuid?.() === 0)('a folder of another user is not used', async () => {
  const folder = join(top, 'theirs')
  await mkdir(folder, { mode: 0o700 })
  await chown(folder, 65534, 65534)
  expect(privateFolder([folder])).toBeUndefined()
})
