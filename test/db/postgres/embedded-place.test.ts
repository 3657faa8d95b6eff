/** The lock beside the embedded Postgres, which lets one process at a time set it up or start it. */
import { readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeEach, expect, it } from 'vitest'
import { inTurn } from '../../../src/db/postgres/embedded-place.ts'
import { newFolder } from '../../support/run/new-folder.ts'

let top: string
let folder: string
beforeEach(() => {
  top = newFolder()
  folder = join(top, 'postgres')
})

it('calls of one process run one after another, and leave no lock', async () => {
  let running = 0
  const most = await Promise.all(
    Array.from({ length: 5 }, () =>
      inTurn(folder, async () => {
        running++
        await setTimeout(2)
        return running--
      }),
    ),
  )
  expect(most).toEqual([1, 1, 1, 1, 1])
  expect(await readdir(top)).toEqual([])
})

it.each([
  ['a process that has ended', '4194300', 0],
  ['an earlier process with the same id, as in a container', String(process.pid), 0],
  ['a running process, for more than a minute', '1', -61],
])('a lock is taken over from %s', async (_, holder, age_s) => {
  await lockOf(holder, age_s)
  expect(await Promise.race([inTurn(folder, async () => 'taken'), setTimeout(20_000, 'still waiting')])).toBe('taken')
})

it('a lock of a running process is waited for', async () => {
  await lockOf('1', 0)
  let is_free = false
  const turn = inTurn(folder, async () => is_free)
  await setTimeout(200)
  is_free = true
  await rm(`${folder}.lock`)
  expect(await turn).toBe(true)
})

it('a lock that cannot be written fails each call, and none waits for it', async () => {
  const missing = join(top, 'missing', 'postgres')
  for (let call = 0; call < 2; call++)
    await expect(inTurn(missing, async () => 'taken')).rejects.toMatchObject({ code: 'ENOENT' })
})

async function lockOf(holder: string, age_s: number): Promise<void> {
  await writeFile(`${folder}.lock`, holder)
  const made = Date.now() / 1000 + age_s
  await utimes(`${folder}.lock`, made, made)
}
