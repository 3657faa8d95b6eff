/** The real commands: a backup of a running service, and a new machine that is made from it. */
import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openMediaServer } from '../support/media/media.ts'
import { client, followAndRequest, publishFeed, register, settled, signIn } from '../support/process/journey.ts'
import { run, start } from '../support/process/processes.ts'
import { environmentIn } from '../support/process/tools.ts'
import { newFolder } from '../support/run/new-folder.ts'

it('a service that is restored from its backup signs its people in and plays their files', async () => {
  const folder = newFolder()
  const media = await openMediaServer()
  onTestFinished(() => media.close())
  const env: Record<string, string> = { ...(await environmentIn(folder)), DATABASE_URL: '' }
  const elsewhere = { ...env, DATA_DIR: join(folder, 'new', 'data'), DOWNLOADS_DIR: join(folder, 'new', 'downloads') }
  const command = (name: string, args: string[], on = env) =>
    run(['node_modules/.bin/node', `jobs/cli/${name}.ts`, ...args], on)
  const backups = join(folder, 'backups')

  const first = await start('all', { env })
  const ask = client(first.url)
  await register(ask, 'keeper')
  const [video_id = ''] = await followAndRequest(ask, publishFeed(media, { 'How to bake': '/plain.mp4' }))
  const { file_size } = await settled(ask, video_id)
  const made = await command('backup', [backups])
  const busy = await command('restore', [join(backups, (await readdir(backups))[0] ?? '')])
  expect(await first.stop('SIGINT')).toBe(0)
  const stopped = await command('backup', [backups, '--json'])

  expect(made).toMatchObject({ code: 0, said: expect.stringMatching(/is complete: .* and a list of 1 file \(/) })
  expect(busy).toMatchObject({ code: 1, said: expect.stringContaining('A running service uses this database.') })
  const { path } = JSON.parse(stopped.said) as { path: string }

  const without_files = await command('restore', [path, '--dry-run', '--json'], elsewhere)
  expect(JSON.parse(without_files.said)).toMatchObject({ faulty_files: 1, faults: [{ fault: 'missing' }] })
  await cp(env.DOWNLOADS_DIR ?? '', elsewhere.DOWNLOADS_DIR, { recursive: true })
  const dry = await command('restore', [path, '--dry-run', '--check-files'], elsewhere)
  expect(dry).toMatchObject({ code: 0, said: expect.stringMatching(/^This was a dry run\.[^\n]*\n$/) })
  expect(await readdir(join(folder, 'new'))).toEqual(['downloads'])
  const restored = await command('restore', [path], elsewhere)
  expect(restored).toMatchObject({ code: 0, said: expect.stringMatching(/^Restored the backup of [^\n]*\n$/) })
  const twice = await command('restore', [path], elsewhere)
  expect(twice).toMatchObject({ code: 1, said: expect.stringContaining('The database is not empty') })

  const second = await start('all', { env: elsewhere })
  const again = client(second.url)
  expect((await signIn(again, 'keeper')).status).toBe(303)
  const streamed = await (await again(`/stream/${video_id}`)).arrayBuffer()
  expect(streamed.byteLength).toBe(file_size)
  expect(await second.stop('SIGINT')).toBe(0)
})
