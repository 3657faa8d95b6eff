/** Parts of an import that the database refuses. */
import { describe, expect, it } from 'vitest'
import { getImport } from '../../../src/domain/imports/imports.ts'
import { performImport } from '../../../src/domain/imports/perform-import.ts'
import { ArchiveVideo, ArchiveViewing } from '../../../src/schema/imports/archive.ts'
import { type ImportPart, no_content } from '../../../src/schema/imports/import.ts'
import { useDatabase } from '../../support/app/database.ts'
import { type Person, person, personWith } from '../../support/app/people.ts'

const { sql } = useDatabase()

const viewing = (video_id: string, seen_at = '2026-01-01T00:00:00Z') => ({
  ...ArchiveViewing.parse({ video_id }),
  seen_at,
})
const video = (video_id: string, first_seen_at = '2026-01-01T00:00:00Z') => ({
  ...ArchiveVideo.parse({
    channel_id: 'kitchen',
    video_id,
    video_url: `https://videos.example/${video_id}`,
    title: video_id,
    first_seen_at: '2026-01-01T00:00:00Z',
  }),
  first_seen_at,
})

/** No value that Postgres takes. */
const no_time = 'yesterday at noon'

async function begin({ library }: Person, parts: ImportPart[]): Promise<string> {
  const begun = await library.imports.begin(async store => {
    for (const part of parts) await store(part)
    const items = parts.reduce((sum, part) => sum + part.items.length, 0)
    return { kind: 'archive', lines: [], passed_over: 0, content: { ...no_content, items } }
  })
  return begun ?? ''
}

describe('a part of an import', () => {
  it('items that the database refuses are counted and reported, all others are saved, and the import ends', async () => {
    const alice = await personWith(sql, 'alice', 'kitchen', ['a'])
    const import_id = await begin(alice, [
      { kind: 'videos', items: [video('b'), video('c', no_time), video('d')] },
      { kind: 'viewings', items: [viewing('a'), viewing('b', no_time), viewing('c'), viewing('d', no_time)] },
      { kind: 'settings', items: [{ quality: 'no such quality', default_rule: null }] },
    ])
    const faults: unknown[] = []
    const findFeed = async () => expect.unreachable()
    const deps = { library: alice.library, findFeed, stopping: new AbortController().signal }
    const ended = await performImport({ ...deps, onFault: fault => faults.push(fault) }, import_id)
    const { content, finished_at } = await getImport(alice.library, import_id)
    expect([ended, finished_at]).toEqual(['finished', expect.any(Date)])
    expect(content).toMatchObject({ items: 8, done: 8, failed: 4, videos_added: 2, marked: 2, marked_here: 1 })
    expect(faults).toHaveLength(4)
    const videos = await sql`select video_id from video_entries where user_id = ${alice.user.user_id} order by video_id`
    expect(videos.map(({ video_id }) => video_id)).toEqual(['a', 'b', 'd'])
  })

  it('five imports with refused parts do not keep a person from the next import', async () => {
    const alice = await person(sql, 'alice')
    for (let nth = 0; nth < 6; nth++) {
      const import_id = await begin(alice, [{ kind: 'viewings', items: [viewing('a', no_time)] }])
      expect(import_id).not.toBe('')
      await alice.library.imports.applyNext(import_id)
      expect(await alice.library.imports.endJob(import_id, null)).toBe('finished')
    }
  })

  it('the room for viewings is not used twice when a part is divided', async () => {
    const alice = await person(sql, 'alice')
    const import_id = await begin(alice, [
      { kind: 'viewings', items: [viewing('a'), viewing('b'), viewing('c', no_time), viewing('d'), viewing('e')] },
      { kind: 'viewings', items: [viewing('f')] },
    ])
    const applied = await alice.library.imports.applyNext(import_id, 3)
    await alice.library.imports.applyNext(import_id, applied?.room)
    expect(applied?.room).toBe(0)
    expect((await getImport(alice.library, import_id)).content).toMatchObject({ failed: 1, marked: 3, no_room: 2 })
  })
})
