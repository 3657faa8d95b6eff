/** In this process: MEDIA_DIR with the trees of people, on real folders, updated by the real job. */
import { lstat, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JobHelpers } from 'graphile-worker'
import { afterAll, beforeAll } from 'vitest'
import { mediaTask } from '../../../jobs/tasks/media.ts'
import { everyoneIn } from '../../../src/db/everyone.ts'
import type { Sql } from '../../../src/db/postgres/client.ts'
import type { Log } from '../../../src/runtime/log.ts'
import type { BinLimits } from '../../../src/schema/bin/bin.ts'
import type { Files } from '../../../src/store/files.ts'
import { filesIn } from '../../../src/store/local-files.ts'
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

/** `elsewhere`: the folder in which MEDIA_DIR is made. */
export function useMedia(db: { sql: Sql }, elsewhere = tmpdir()): MediaFolders {
  const made: { folder?: string; media?: string; files?: Files } = {}
  const warnings: string[] = []
  const log = Object.assign(Object.create(silent), {
    warn: ({ err }: { err?: unknown }, message: string) => void warnings.push(err ? `${message}: ${err}` : message),
  }) as Log
  beforeAll(async () => {
    made.folder = await mkdtemp(join(tmpdir(), 'backlot-downloads-'))
    made.media = await mkdtemp(join(elsewhere, 'backlot-media-'))
    made.files = filesIn(made.folder)
  })
  afterAll(async () => {
    for (const folder of [made.folder, made.media]) if (folder) await rm(folder, { recursive: true, force: true })
  })
  const files = () => made.files ?? filesIn('')
  const path: MediaFolders['path'] = ({ user }, ...names) => join(made.media ?? '', user.username, ...names)

  return {
    warnings,
    get files() {
      return files()
    },
    get media_dir() {
      return made.media ?? ''
    },
    get downloads() {
      return made.folder ?? ''
    },
    async update({ user }, check) {
      if (check) await db.sql`update media_trees set checked_at = null where user_id = ${user.user_id}`
      const toJpeg = async (bytes: Uint8Array) => Buffer.concat([Buffer.from(jpegMark), bytes])
      const task = mediaTask({
        sql: everyoneIn(db.sql),
        files: files(),
        log,
        bin,
        media: { dir: made.media ?? '', toJpeg },
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
