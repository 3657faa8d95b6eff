/** The first checks of feeds after an import of an archive: which videos the rules download. */
import { describe, expect, it } from 'vitest'
import { beginImport } from '../../../src/domain/imports/imports.ts'
import { applyRule } from '../../../src/domain/rules/rules.ts'
import { archive_format } from '../../../src/schema/imports/archive.ts'
import { RuleRequest } from '../../../src/schema/rules/rule.ts'
import { useDatabase } from '../../support/app/database.ts'
import { workThrough } from '../../support/app/imports.ts'
import { entry, follows, type Person, person } from '../../support/app/people.ts'

const { sql } = useDatabase()

const long_ago = '2024-01-01T00:00:00Z'
const kitchen = { channel_id: 'kitchen', title: 'Kitchen', rss_url: 'https://videos.example/kitchen.xml' }
const video = (video_id: string) => ({
  channel_id: 'kitchen',
  video_id,
  video_url: `https://videos.example/${video_id}`,
  title: video_id,
  published_at: long_ago,
  first_seen_at: long_ago,
})

async function takeIn(owner: Person, rule: unknown, videos = [video('known')]): Promise<void> {
  const document = {
    format: archive_format,
    version: 1,
    exported_at: long_ago,
    settings: {},
    channels: [{ ...kitchen, followed_at: '2020-01-01T00:00:00Z', rule }],
    videos,
    viewings: [],
  }
  const { import_id } = await beginImport(owner.library, Buffer.from(JSON.stringify(document)))
  while ((await workThrough(owner, import_id)) === 'more');
}

/** A check of the feed, after which the rule is applied. */
async function check({ user, library }: Person, entries: ReturnType<typeof entry>[]): Promise<string[]> {
  await library.channels.save(kitchen, entries)
  await applyRule(library, 'kitchen')
  const requested = await sql<{ video_id: string }[]>`
    select video_id from video_entries
    where  user_id = ${user.user_id} and download_asked_by is not null
    order by video_id`
  return requested.map(({ video_id }) => video_id)
}

const old = entry('old', { published_at: new Date('2026-05-01T12:00:00Z') })
const undated = entry('undated', { published_at: null })
const fresh = () => entry('fresh', { published_at: new Date() })
const on = RuleRequest.parse({ auto_download: true })

describe('the first check of a feed after an import', () => {
  const rules = {
    'new videos': on,
    'older videos too': { ...on, include_older: true },
    'the last days': { ...on, also_days: 3650 },
  }
  for (const [what, rule] of Object.entries(rules))
    it(`a rule for ${what} downloads no video that was published before, and those that are published afterwards`, async () => {
      const alice = await person(sql, 'alice')
      await takeIn(alice, rule)
      const renamed = entry('known', { title: 'Another title' })
      expect(await check(alice, [renamed, old, undated])).toEqual([])
      // Facts that become known later make the rule judge again.
      const [later, newer] = [
        entry('undated', { published_at: null, title: 'Later' }),
        entry('undated-2', { published_at: null }),
      ]
      expect(await check(alice, [renamed, { ...old, duration_seconds: 60 }, later, newer, fresh()])).toEqual([
        'fresh',
        'undated-2',
      ])
    })

  it('a rule that the person makes before the first check downloads no video that was published before', async () => {
    const alice = await person(sql, 'alice')
    await takeIn(alice, null, [])
    await alice.library.rules.save('kitchen', on)
    expect(await check(alice, [old, undated, fresh()])).toEqual(['fresh'])
  })

  it('a rule for older videos that the person makes afterwards downloads them', async () => {
    const alice = await person(sql, 'alice')
    await takeIn(alice, on)
    await check(alice, [old])
    await alice.library.rules.save('kitchen', { ...on, include_older: true })
    expect(await check(alice, [old])).toEqual(['known', 'old'])
  })

  it('a channel that is followed again has no trace of the import', async () => {
    const alice = await person(sql, 'alice')
    await takeIn(alice, on)
    await sql`update channels set rss_url = null where user_id = ${alice.user.user_id}`
    await follows(alice, 'kitchen', ['a'])
    const [channel] = await sql`select imported_at from channels where user_id = ${alice.user.user_id}`
    expect(channel?.imported_at).toBeNull()
  })
})
