/** Temporary folders of processes that were killed. */
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { inNewFolder, inTemporaryFolder, removeAbandonedFolders } from '../../src/runtime/folders.ts'
import { newFolder } from '../support/run/new-folder.ts'

afterEach(() => void vi.useRealTimers().unstubAllEnvs())

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

it('a folder that this process uses is kept, also while the clock is ahead by a year', async () => {
  vi.stubEnv('TMPDIR', newFolder())
  const left = join(tmpdir(), 'backlot-work-ask-left')
  await mkdir(left)
  await inNewFolder('ask', async asked =>
    inTemporaryFolder(async makeFirst => {
      const uploaded = await makeFirst()
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 366 * 24 * 3_600_000 })
      await removeAbandonedFolders()
      // Each upload looks for abandoned ones.
      await inTemporaryFolder(async makeSecond => void (await makeSecond()))
      expect((await readdir(tmpdir())).toSorted()).toEqual([asked, uploaded].map(path => basename(path)).toSorted())
    }),
  )
  expect(await readdir(tmpdir())).toEqual([])
})
