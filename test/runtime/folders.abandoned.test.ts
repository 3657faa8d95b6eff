/** Temporary folders of processes that were killed. */
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { removeAbandoned } from '../../src/runtime/folders.ts'

it('a folder that a killed process left is removed after hours, and one in use is kept', async () => {
  const prefix = `backlot-${crypto.randomUUID()}-`
  const [left, used] = await Promise.all([mkdtemp(join(tmpdir(), prefix)), mkdtemp(join(tmpdir(), prefix))])
  await writeFile(join(left, 'given'), 'a picture')
  const long_ago = new Date(Date.now() - 7 * 3_600_000)
  await utimes(left, long_ago, long_ago)

  await removeAbandoned(prefix)

  const names = (await readdir(tmpdir())).filter(name => name.startsWith(prefix))
  expect(names.map(name => join(tmpdir(), name))).toEqual([used])
  await rm(used, { recursive: true })
})
