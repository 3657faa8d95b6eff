/** The permissions of the folders that the service makes. */
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { afterAll, expect, it } from 'vitest'
import { requireFolder } from '../../src/runtime/folders.ts'
import { newFolder } from '../support/run/new-folder.ts'

const top = newFolder()
const umask_before = process.umask()
afterAll(() => void process.umask(umask_before))

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

it.each([
  [0o077, '755', '701'],
  [0o077, '777', '701'],
  [0o027, '775', '751'],
  [0o022, '755', '755'],
  [0o077, '700', '700'],
])('with the umask %o an existing folder with permissions %s gets %s', async (umask, was, becomes) => {
  process.umask(umask)
  const folder = join(top, `${umask}-${was}`)
  await mkdir(folder)
  await chmod(folder, Number.parseInt(was, 8))

  const said = await requireFolder('DOWNLOADS_DIR', folder)

  expect([await modeOf(folder), said]).toEqual([becomes, was !== becomes])
  expect(await requireFolder('DOWNLOADS_DIR', folder)).toBe(false)
})

it('a folder whose permissions cannot be changed is accepted, as on exFAT', async ({ skip }) => {
  process.umask(0o077)
  const folder = join(top, 'fixed')
  await mkdir(folder)
  await chmod(folder, 0o755)
  // An append-only folder can be written to, and refuses chmod. Only root makes one, and not on every disk.
  if ((await execa('chattr', ['+a', folder], { reject: false })).exitCode !== 0) return skip()
  try {
    expect(await requireFolder('DOWNLOADS_DIR', folder)).toBe(false)
    await writeFile(join(folder, 'film.mp4'), '')
  } finally {
    await execa('chattr', ['-a', folder])
  }
})

it('a new folder has the permissions that the umask allows', async () => {
  process.umask(0o077)
  expect(await requireFolder('DATA_DIR', join(top, 'new', 'data'))).toBe(false)
  expect([await modeOf(join(top, 'new')), await modeOf(join(top, 'new', 'data'))]).toEqual(['700', '700'])
})

it.each(['src/roles.ts', 'jobs/cli/program.ts', 'jobs/cli/fetch-tools.ts', 'graphile.config.ts'])(
  '%s sets the umask before it creates any file',
  async file => expect(await readFile(file, 'utf8')).toMatch(/configOfProcess\(\)\n\s*process\.umask\(/),
)
