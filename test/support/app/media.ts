/** In this process: MEDIA_DIR with the trees of people, on real folders, updated by the real job. */
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JobHelpers } from 'graphile-worker'
import { mediaTask } from '../../../jobs/tasks/media.ts'
import { everyoneIn } from '../../../src/db/everyone.ts'
import type { Sql } from '../../../src/db/postgres/client.ts'
import type { Log } from '../../../src/runtime/log.ts'
import type { BinLimits } from '../../../src/schema/bin/bin.ts'
import type { Files } from '../../../src/store/files.ts'
import { filesIn } from '../../../src/store/local-files.ts'
import { newFolder } from '../run/new-folder.ts'
import { silent } from './app.ts'
import { entry, type Person, person } from './people.ts'

type MediaFolders = {
  readonly files: Files
  readonly media_dir: string
  readonly downloads: string
  /** Runs the job of a person. `check`: the folders are due to be read. */
  update(of: Person, check?: 'check'): Promise<void>
  /** The paths of all files of a person's tree, sorted. */
  tree(of: Person): Promise<string[]>
  path(of: Person, ...names: string[]): string
  read(of: Person, ...names: string[]): Promise<string>
  inode(path: string): Promise<number>
  warnings: string[]
}

/** The bin of these tests. */
export const bin: BinLimits = { hours: 24, quota_bytes: 0 }

/** The converter of these tests returns the bytes with a mark. */
export const jpegMark = 'as JPEG: '

/** For the tests of one file. */
export function useMedia(db: { sql: Sql }): MediaFolders {
  const [downloads, media_dir] = [newFolder(), newFolder()]
  const files = filesIn(downloads)
  const warnings: string[] = []
  const log = Object.assign(Object.create(silent), {
    warn: ({ err }: { err?: unknown }, message: string) => void warnings.push(err ? `${message}: ${err}` : message),
  }) as Log
  const path: MediaFolders['path'] = ({ user }, ...names) => join(media_dir, user.username, ...names)

  return {
    warnings,
    files,
    media_dir,
    downloads,
    async update({ user }, check) {
      if (check) await db.sql`update media_trees set checked_at = null where user_id = ${user.user_id}`
      const toJpeg = async (bytes: Uint8Array) => Buffer.concat([Buffer.from(jpegMark), bytes])
      const task = mediaTask({
        sql: everyoneIn(db.sql),
        files,
        log,
        bin,
        media: { dir: media_dir, toJpeg },
      })
      await task({ user_id: user.user_id }, { abortSignal: new AbortController().signal } as JobHelpers)
    },
    async tree(of) {
      const names = await readdir(path(of), { recursive: true, withFileTypes: true }).catch(() => [])
      return names
        .filter(name => !name.isDirectory())
        .map(name => join(name.parentPath, name.name).slice(path(of).length + 1))
        .toSorted()
    },
    path,
    read: (of, ...names) => readFile(path(of, ...names), 'utf8'),
    inode: async file => (await lstat(file)).ino,
  }
}

/** A new person with one channel of these videos, all of them of 21 November 2026. */
export async function personWithKitchen(sql: Sql, name: string, video_ids: string[]): Promise<Person> {
  const made = await person(sql, name)
  await made.library.channels.save(
    { channel_id: 'kitchen', title: 'Bread: Kitchen', rss_url: 'https://videos.example/kitchen' },
    video_ids.map(id => entry(id, { title: `Bread ${id}?`, published_at: new Date('2026-11-21T12:00:00Z') })),
  )
  return made
}
