/** The real command of `npm run import-files`, killed again and again while it moves files. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it, vi } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { person } from '../support/app/people.ts'
import { infoOf, useOwnedFiles } from '../support/media/owned-files.ts'
import { environmentIn } from '../support/process/tools.ts'
import { newFolder } from '../support/run/new-folder.ts'

const db = useDatabase()
const owned = useOwnedFiles()
const count = 14

it('an import that is killed three times, and continued, loses no file and imports each one once', async () => {
  const alice = await person(db.sql, 'alice')
  const service = newFolder()
  const env = { ...(await environmentIn(service)), DATABASE_URL: db.url, MIN_FREE_MB: '0' }
  for (let n = 10; n < 10 + count; n++) {
    await owned.film(`Talk ${n} [aaaaaaaaa${n}].mp4`)
    await owned.write(`Talk ${n} [aaaaaaaaa${n}].info.json`, infoOf(`aaaaaaaaa${n}`))
  }
  const originals = await contentsIn(owned.folder)
  expect(originals.size).toBe(count)
  const start = () =>
    execa(
      'node_modules/.bin/node',
      ['jobs/cli/import-files.ts', owned.folder, '--for', alice.user.username, '--move'],
      {
        env,
        reject: false,
        stdin: 'ignore',
      },
    )
  const imported = async () => {
    const [row] = await db.sql<{ count: number }[]>`
      select count(*) from video_entries where user_id = ${alice.user.user_id} and download_status = 'COMPLETED'`
    return row?.count ?? 0
  }

  for (const reached of [1, 4, 8]) {
    const command = start()
    await vi.waitFor(async () => expect(await imported()).toBeGreaterThanOrEqual(reached), {
      timeout: 60_000,
      interval: 5,
    })
    command.kill('SIGKILL')
    expect((await command).signal).toBe('SIGKILL')
    const left = await contentsIn(owned.folder)
    const stored = await contentsIn(join(service, 'downloads', alice.user.user_id))
    expect(new Set([...left, ...stored])).toEqual(originals)
  }
  expect(await imported()).toBeLessThan(count)

  const { exitCode, stdout } = await start()

  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('imported before')])
  expect(await imported()).toBe(count)
  expect(await contentsIn(join(service, 'downloads', alice.user.user_id))).toEqual(originals)
  expect((await readdir(owned.folder)).filter(name => name.endsWith('.mp4'))).toEqual([])
})

/** The digests of all films in a folder. */
async function contentsIn(folder: string): Promise<Set<string>> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const films = names.filter(name => name.endsWith('.mp4'))
  const digests = await Promise.all(
    films.map(async name =>
      createHash('sha256')
        .update(await readFile(join(folder, name)))
        .digest('hex'),
    ),
  )
  return new Set(digests)
}
