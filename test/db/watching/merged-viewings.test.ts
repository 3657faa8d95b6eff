/** How imported viewings meet those of the person, and what rules that delete watched files make of them. */
import { describe, expect, it } from 'vitest'
import { filesNotKeptByRules } from '../../../src/db/rules/everyone/rules.ts'
import { mergeViewings } from '../../../src/db/watching/merged-viewings.ts'
import { ArchiveViewing } from '../../../src/schema/imports/archive.ts'
import { RuleRequest } from '../../../src/schema/rules/rule.ts'
import { useDatabase } from '../../support/app/database.ts'
import { type Person, person, personWith } from '../../support/app/people.ts'

const { sql } = useDatabase()

const nothing = ArchiveViewing.parse({ video_id: 'a' })
const [early, late] = ['2024-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z']

const merge = ({ user }: Person, more: Partial<ArchiveViewing>, room = 10) =>
  sql.begin(tx => mergeViewings(tx, user.user_id, [{ ...nothing, ...more }], room))

type Row = Record<'seen_at' | 'watched_at' | 'dismissed_at' | 'forgotten_at' | 'imported_at', Date | null> & {
  position_seconds: number | null
  duration_seconds: number | null
}
async function stored({ user }: Person): Promise<Row | undefined> {
  const [row] = await sql<Row[]>`
    select seen_at, watched_at, dismissed_at, forgotten_at, imported_at, position_seconds, duration_seconds
    from   viewings
    where  user_id = ${user.user_id} and video_id = 'a'`
  return row
}
const age = ({ user }: Person, days: number) => sql`
  update viewings
  set    seen_at = seen_at - ${days} * interval '1 day', watched_at = watched_at - ${days} * interval '1 day',
         imported_at = imported_at - ${days} * interval '1 day'
  where  user_id = ${user.user_id}`

describe('merging an imported viewing', () => {
  it('an unknown video gets the mark with its own time, and the time of the import', async () => {
    const alice = await person(sql, 'alice')
    expect(await merge(alice, { seen_at: early })).toMatchObject({ marked: 1, marked_here: 0, viewings_added: 1 })
    expect(await stored(alice)).toMatchObject({ seen_at: new Date(early), imported_at: expect.any(Date) })
  })

  it('a mark that the person made here has no time of an import until an import changes it', async () => {
    const alice = await personWith(sql, 'alice', 'kitchen', ['a'])
    await alice.library.viewings.record('a', { seen: true })
    const before = await stored(alice)
    expect(before?.imported_at).toBeNull()
    expect(await merge(alice, { seen_at: early })).toMatchObject({ marked: 0, positions: 0 })
    expect(await stored(alice)).toEqual(before)
    await merge(alice, { position_seconds: 30, watched_at: early })
    expect(await stored(alice)).toMatchObject({ seen_at: before?.seen_at, imported_at: expect.any(Date) })
  })

  it('of two marks the newer one counts, in either order', async () => {
    for (const times of [
      [early, late],
      [late, early],
    ]) {
      const alice = await person(sql, 'alice')
      for (const seen_at of times) await merge(alice, { seen_at })
      expect((await stored(alice))?.seen_at).toEqual(new Date(late))
    }
  })

  it('an unwatched video of the file does not remove a mark', async () => {
    const alice = await person(sql, 'alice')
    await merge(alice, { seen_at: early })
    await merge(alice, { position_seconds: 5, watched_at: late })
    expect(await stored(alice)).toMatchObject({ seen_at: new Date(early), position_seconds: 5 })
  })

  it('the position and the dismissal of the later playback count, in either order', async () => {
    const [older, newer] = [
      { position_seconds: 10, duration_seconds: 100, watched_at: early },
      { position_seconds: 20, watched_at: late, dismissed_at: late },
    ]
    for (const order of [
      [older, newer],
      [newer, older],
    ]) {
      const alice = await person(sql, 'alice')
      for (const one of order) await merge(alice, one)
      expect(await stored(alice)).toMatchObject({
        position_seconds: 20,
        duration_seconds: 100,
        watched_at: new Date(late),
        dismissed_at: new Date(late),
      })
    }
  })

  it('what was removed from the history stays removed unless it was watched later, in either order', async () => {
    const [before, between] = ['2023-01-01T00:00:00Z', '2024-06-01T00:00:00Z']
    const removed = { seen_at: before, forgotten_at: between }
    for (const [others, forgotten_at] of [
      [{ seen_at: early }, new Date(between)],
      [{ watched_at: early, position_seconds: 5 }, new Date(between)],
      [{ seen_at: late }, null],
      [{ watched_at: late, position_seconds: 5 }, null],
      [{ seen_at: early, forgotten_at: late }, new Date(late)],
    ] as const)
      for (const order of [
        [removed, others],
        [others, removed],
      ]) {
        const alice = await person(sql, 'alice')
        for (const one of [...order, ...order]) await merge(alice, one)
        expect((await stored(alice))?.forgotten_at).toEqual(forgotten_at)
      }
  })

  it('a removal that is older than the watching, or in the future, does not change when it is merged again', async () => {
    for (const [forgotten_at, expected] of [
      [early, null],
      ['2999-01-01T00:00:00Z', expect.any(Date)],
    ] as const) {
      const alice = await person(sql, 'alice')
      await merge(alice, { seen_at: late, forgotten_at })
      const once = await stored(alice)
      expect(once?.forgotten_at).toEqual(expected)
      await merge(alice, { seen_at: late, forgotten_at: once?.forgotten_at?.toISOString() ?? null })
      expect(await stored(alice)).toEqual(once)
    }
  })

  it('times in the future become the time of the import', async () => {
    const alice = await person(sql, 'alice')
    await merge(alice, { seen_at: '2999-01-01T00:00:00Z', watched_at: '2999-01-01T00:00:00Z' })
    const row = await stored(alice)
    expect([row?.seen_at, row?.watched_at]).toEqual([row?.imported_at, row?.imported_at])
  })

  it('without room a new viewing is left out and counted, and a known one is still merged', async () => {
    const alice = await person(sql, 'alice')
    expect(await merge(alice, { seen_at: early }, 0)).toMatchObject({ marked: 0, no_room: 1, viewings_added: 0 })
    expect(await stored(alice)).toBeUndefined()
    await merge(alice, { seen_at: early }, 1)
    expect(await merge(alice, { seen_at: late }, 0)).toMatchObject({ no_room: 0, viewings_added: 0 })
    expect((await stored(alice))?.seen_at).toEqual(new Date(late))
  })

  it('merging the same viewing twice changes nothing, and not the time of the import', async () => {
    const alice = await person(sql, 'alice')
    await merge(alice, { seen_at: early, position_seconds: 5, watched_at: early })
    const once = await stored(alice)
    await merge(alice, { seen_at: early, position_seconds: 5, watched_at: early })
    expect(await stored(alice)).toEqual(once)
  })
})

describe('a rule that deletes watched files', () => {
  /** The file of a rule that deletes what was watched five days ago. */
  async function withFile(): Promise<Person> {
    const alice = await personWith(sql, 'alice', 'kitchen', ['a'])
    await alice.library.rules.save('kitchen', RuleRequest.parse({ auto_download: true, delete_watched_days: 5 }))
    await sql`
      update video_entries
      set    download_status = 'COMPLETED', download_path = 'x/kitchen/a.mp4', file_size = 1, download_completed_at = now(),
             download_asked_by = 'rule'
      where  user_id = ${alice.user.user_id}`
    return alice
  }
  const deleted = async ({ user }: Person) =>
    (await filesNotKeptByRules(sql)).filter(({ user_id }) => user_id === user.user_id).length

  it('an imported mark of years ago deletes no file before the days of the rule have passed since the import', async () => {
    const alice = await withFile()
    await merge(alice, { seen_at: early, watched_at: early })
    expect(await deleted(alice)).toBe(0)
    await age(alice, 4)
    expect(await deleted(alice)).toBe(0)
    await age(alice, 2)
    expect(await deleted(alice)).toBe(1)
  })

  it('a mark that the person made here six days ago deletes the file, and an import that adds nothing does not delay it', async () => {
    const alice = await withFile()
    await alice.library.viewings.record('a', { seen: true })
    await age(alice, 6)
    await merge(alice, { seen_at: early })
    expect(await deleted(alice)).toBe(1)
  })

  it('an imported mark that is newer than the one made here counts from the import', async () => {
    const alice = await withFile()
    await alice.library.viewings.record('a', { seen: true })
    await age(alice, 30)
    await merge(alice, { seen_at: new Date(Date.now() - 10 * 24 * 60 * 60_000).toISOString() })
    expect(await deleted(alice)).toBe(0)
  })

  it('a video that is watched here after the import counts from then', async () => {
    const alice = await withFile()
    await merge(alice, { seen_at: early })
    await age(alice, 6)
    expect(await deleted(alice)).toBe(1)
    await alice.library.viewings.record('a', { position_seconds: 5, duration_seconds: 100 })
    await alice.library.viewings.record('a', { seen: true })
    expect(await deleted(alice)).toBe(0)
  })
})
