/** Temporary folders of processes that were killed. */
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { inNewFolder, removeAbandonedFolders } from '../../src/runtime/folders.ts'

it('a folder that a killed process left is removed after hours, and one in use is kept', async () => {
  const prefix = `backlot-work-${crypto.randomUUID()}-`
  const [left, used] = await Promise.all([mkdtemp(join(tmpdir(), prefix)), mkdtemp(join(tmpdir(), prefix))])
  await writeFile(join(left, 'given'), 'a picture')
  const long_ago = new Date(Date.now() - 7 * 3_600_000)
  await utimes(left, long_ago, long_ago)

  await removeAbandonedFolders()

  const names = (await readdir(tmpdir())).filter(name => name.startsWith(prefix))
  expect(names.map(name => join(tmpdir(), name))).toEqual([used])
  await rm(used, { recursive: true })
})

it('a folder for work is among those, and removed with the end of the work, however it ends', async () => {
  let folder = ''
  const work = inNewFolder('ask', async made => {
    folder = made
    throw new Error('refused')
  })

  await expect(work).rejects.toThrow('refused')
  expect(basename(folder)).toMatch(/^backlot-work-ask-/)
  await expect(stat(folder)).rejects.toThrow('ENOENT')
})
