/** MEDIA_DIR with real downloads by the real worker, which is killed while it fills the tree. */

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { addExchange } from '../../src/db/queue/jobs.ts'
import type { UserId } from '../../src/schema/values/user.ts'
import { useDatabase } from '../support/app/database.ts'
import { smallChannel } from '../support/media/small-youtube.ts'
import { watchedServer } from '../support/media/watched-servers.ts'
import { json, settled } from '../support/process/journey.ts'
import { letSilencePass, useService, useYoutube } from '../support/process/service.ts'
import { newFolder } from '../support/run/new-folder.ts'

const db = useDatabase()
const channel = smallChannel('cooking', { videos: 3 })
const media_dir = newFolder()
const youtube = useYoutube(channel)
const service = useService(db, {
  env: () => ({ MEDIA_DIR: media_dir, SECRET_KEY: 'a-key-of-more-than-thirty-two-letters' }),
  youtube,
})

const treeOf = async (username: string) =>
  (await readdir(join(media_dir, username), { recursive: true }).catch(() => []))
    .filter(name => /\.\w+$/.test(name))
    .toSorted()
const ended = (name: string, endings: string[]) => (names: string[]) =>
  endings.every(ending => names.some(path => path.includes(`[${name}]`) && path.endsWith(ending)))
const until = (username: string, reached: (names: string[]) => boolean) =>
  vi.waitFor(
    async () => {
      const names = await treeOf(username)
      if (!reached(names)) throw new Error(`not yet: ${names.join('\n')}`)
      return names
    },
    { timeout: 60_000, interval: 300 },
  )

it('a download appears in the tree, survives a killed worker, and leaves the tree when its file is deleted', async () => {
  const ask = await service.person('viewer')
  const ids = channel.videos.map(({ id }) => id)
  const [first = '', second = ''] = ids
  const worker = await service.worker()
  const add = (id: string) => ask('/api/videos', json({ url: `https://www.youtube.com/watch?v=${id}`, download: true }))
  await add(first)
  const { download_path } = await settled(ask, first)
  const names = await until('viewer', ended(first, ['.mp4', '.nfo']))
  const linked = join(media_dir, 'viewer', names.find(name => name.endsWith(`[${first}].mp4`)) ?? '')
  const file = join(service.env.DOWNLOADS_DIR ?? '', download_path ?? '')
  expect((await stat(linked)).ino).toBe((await stat(file)).ino)

  await add(second)
  await settled(ask, second)
  await worker.stop('SIGKILL')
  await letSilencePass(db.sql)
  // As if it had died after a link and before its note.
  await db.sql`update media_episodes set state = 'unsure', words_hash = null`
  await db.sql`update media_trees set checked_at = null`
  await service.worker()
  await until('viewer', ended(second, ['.mp4', '.nfo']))
  await vi.waitFor(
    async () => {
      const [open] = await db.sql`select count(*) as count from media_episodes where state <> 'present'`
      expect(open?.count).toBe(0)
    },
    { timeout: 60_000 },
  )

  expect((await ask(`/api/download/${first}`, { method: 'DELETE' })).ok).toBe(true)
  const left = await until('viewer', found => !found.some(name => name.includes(`[${first}]`)))
  expect(ended(second, ['.mp4', '.nfo'])(left)).toBe(true)
})

it('the worker has a media server read the folder again after a download, and what was watched goes both ways', async () => {
  const ask = await service.person('watcher')
  await service.worker()
  const there = await watchedServer('jellyfin')
  Object.assign(there, { people: [{ Id: 'u1', Name: 'Watcher' }], locations: ['/mnt/tv/watcher'] })
  const added = await ask('/api/media-servers', json({ kind: 'jellyfin', address: there.url, key: there.key }))
  const { server_id } = (await added.json()) as { server_id: string }
  const [{ user_id } = { user_id: '' }] = await db.sql<{ user_id: UserId }[]>`
    select user_id from media_servers where server_id = ${server_id}`
  const id = channel.videos[2]?.id ?? ''
  await ask('/api/videos', json({ url: `https://www.youtube.com/watch?v=${id}`, download: true }))
  await settled(ask, id)
  const names = await until('watcher', ended(id, ['.mp4', '.nfo']))
  there.add(`/mnt/tv/watcher/${names.find(name => name.endsWith('.mp4'))}`, { is_watched: true })
  // The job that waits a minute for further downloads is run now.
  await addExchange(db.sql, { user_id: user_id as UserId, server_id })
  await vi.waitFor(async () => {
    const watched = await db.sql`select from viewings where user_id = ${user_id} and seen_at is not null`
    expect([there.readings, watched.length]).toEqual([there.locations, 1])
  }, 30_000)
})
