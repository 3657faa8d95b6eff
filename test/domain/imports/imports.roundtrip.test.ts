/** Libraries of any content, exported and imported into an empty account: the second export is the same. */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Library } from '../../../src/db/library.ts'
import { archiveOf, beginImport, getImport } from '../../../src/domain/imports/imports.ts'
import { qualities } from '../../../src/schema/downloads/quality.ts'
import { RuleRequest } from '../../../src/schema/rules/rule.ts'
import { SearchSort } from '../../../src/schema/search/saved-search.ts'
import { useDatabase } from '../../support/app/database.ts'
import { workThrough } from '../../support/app/imports.ts'
import { entry, type Person, person } from '../../support/app/people.ts'
import { holds } from '../../support/run/holds.ts'

const here = useDatabase()
const elsewhere = useDatabase()

const title = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter(text => text.trim() !== '')
const date = fc.date({ min: new Date('2006-01-01'), max: new Date('2026-10-01'), noInvalidDate: true })
const seconds = fc.integer({ min: 1, max: 90_000 })
const words = fc.array(fc.stringMatching(/^\w{1,20}$/), { maxLength: 3 })

const video = fc.record({
  title,
  description: fc.option(fc.string({ unit: 'grapheme', maxLength: 2000 })),
  published_at: fc.option(date),
  duration_seconds: fc.option(seconds),
  live_status: fc.option(fc.constantFrom('none' as const, 'upcoming' as const, 'was_live' as const)),
  availability: fc.option(fc.constantFrom('public' as const, 'unlisted' as const, 'members_only' as const)),
  has_guid: fc.boolean(),
  /** Also in the channel before. */
  is_shared: fc.boolean(),
  is_pinned: fc.boolean(),
  is_requested: fc.boolean(),
  viewing: fc.option(
    fc.record({
      seen: fc.boolean(),
      position_seconds: fc.integer({ min: 0, max: 99 }),
      dismissed: fc.boolean(),
      forgotten: fc.boolean(),
      list: fc.constantFrom('later', 'not_for_me', 'none'),
    }),
  ),
})
const rule = fc
  .record({
    auto_download: fc.boolean(),
    title_words: words,
    without_words: words,
    title_pattern: fc.option(fc.constantFrom('^bread', '\\d+ (loaf|loaves)')),
    skip_shorts: fc.boolean(),
    min_seconds: fc.option(fc.integer({ min: 1, max: 100 })),
    max_seconds: fc.option(fc.integer({ min: 100, max: 1000 })),
    live: fc.constantFrom('any', 'only', 'none'),
    also_days: fc.option(fc.integer({ min: 1, max: 3650 })),
    include_older: fc.boolean(),
    most_per_day: fc.option(fc.integer({ min: 1, max: 500 })),
    keep_newest: fc.option(fc.integer({ min: 1, max: 500 })),
    keep_days: fc.option(fc.integer({ min: 1, max: 3650 })),
    delete_watched_days: fc.option(fc.integer({ min: 1, max: 3650 })),
  })
  .map(fields => RuleRequest.parse(fields))
const channel = fc.record({
  title,
  quality: fc.option(fc.constantFrom(...qualities)),
  groups: fc.uniqueArray(fc.constantFrom('Bread', 'Müsik', 'وثائقيات')),
  rule: fc.option(rule),
  videos: fc.array(video, { maxLength: 12 }),
  bell: fc.boolean(),
  /** So many more, so that there are several pages and parts. */
  more: fc.integer({ min: 0, max: 150 }),
})
const everything = fc.record({
  quality: fc.constantFrom(...qualities),
  has_quiet_hours: fc.boolean(),
  searches: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom('Bread', 'bread?', 'وثائقيات'),
      q: title.map(q => q.trim()),
      sort: fc.constantFrom(...SearchSort.options),
    }),
    { selector: ({ name }) => name },
  ),
  playlists: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom('Bread', 'bread?', 'وثائقيات', 'Weekend'),
      /** Which videos of all, in this order. */
      picks: fc.array(fc.nat(), { maxLength: 20 }),
    }),
    { selector: ({ name }) => name },
  ),
  default_rule: fc.option(rule),
  channels: fc.array(channel, { minLength: 1, maxLength: 5 }),
  added: fc.array(video, { maxLength: 5 }),
})
type Everything = typeof everything extends fc.Arbitrary<infer Value> ? Value : never
type GivenVideo = Everything['added'][number]

const entryOf = (video_id: string, { has_guid, title, description, published_at, ...facts }: GivenVideo) => {
  const { duration_seconds, live_status, availability } = facts
  const guid = has_guid ? { guid: `tag:${video_id}` } : {}
  return entry(video_id, { title, description, published_at, duration_seconds, live_status, availability, ...guid })
}

async function build({ library, user }: Person, given: Everything): Promise<void> {
  const kept = new Map<string, GivenVideo>()
  let before: ReturnType<typeof entry>[] = []
  const groups = new Map<string, string>()
  for (const name of ['Bread', 'Müsik', 'وثائقيات', 'Empty'])
    groups.set(name, (await library.groups.create(name)).group_id)
  await library.bells.setOfGroup(groups.get('Bread') ?? '', true)
  for (const [nth, { title, videos, more, rule, quality, bell, groups: names }] of given.channels.entries()) {
    const channel_id = `c${nth}`
    const own = videos.map((video, at) => {
      kept.set(`c${nth}-${at}`, video)
      return entryOf(`c${nth}-${at}`, video)
    })
    const shared = before.filter((_, at) => videos[at]?.is_shared)
    const others = Array.from({ length: more }, (_, at) => entry(`c${nth}-more-${at}`))
    const rss_url = `https://videos.example/${channel_id}.xml?a=1&b=%20`
    await library.channels.save({ channel_id, title, rss_url, page_url: `https://videos.example/@${channel_id}` }, [
      ...own,
      ...shared,
      ...others,
    ])
    await here.sql`update channels set quality = ${quality} where user_id = ${user.user_id} and channel_id = ${channel_id}`
    await library.groups.setOfChannel(
      channel_id,
      names.map(name => groups.get(name) ?? ''),
    )
    await library.bells.setOfChannel(channel_id, bell)
    if (rule) await library.rules.save(channel_id, rule)
    before = own
  }
  for (const [at, video] of given.added.entries()) {
    kept.set(`added-${at}`, video)
    await library.channels.addVideo({ channel_id: 'single', title: 'Single videos' }, entryOf(`added-${at}`, video))
  }
  const quiet = { quiet_from: '22:30', quiet_to: '07:00', time_zone: 'Europe/Zurich', messages_a_day: 7 }
  await library.settings.save({ quality: given.quality, ...(given.has_quiet_hours && quiet) })
  for (const search of given.searches) await library.searches.create(search)
  const ids = [...kept.keys(), 'c0-more-0']
  for (const { name, picks } of given.playlists) {
    const { playlist_id } = await library.playlists.create(name)
    const video_ids = new Set(picks.map(pick => ids[pick % ids.length] ?? ''))
    await library.playlists.addVideos(playlist_id, [...video_ids])
  }
  const playlist_id = (await library.playlists.list())[0]?.playlist_id ?? null
  if (given.default_rule) await library.rules.saveDefault({ ...given.default_rule, playlist_id })
  const [ruled] = given.channels.flatMap(({ rule }, nth) => (rule ? [{ channel_id: `c${nth}`, rule }] : []))
  if (ruled) await library.rules.save(ruled.channel_id, { ...ruled.rule, playlist_id })
  for (const [video_id, { is_pinned, is_requested, viewing }] of kept) {
    if (is_pinned) await library.rules.pin(video_id, true)
    if (is_requested) await library.downloads.request([video_id])
    if (!viewing) continue
    const { seen, position_seconds, dismissed, forgotten, list } = viewing
    await library.viewings.note(video_id, { position_seconds, duration_seconds: 100 })
    await library.viewings.note(video_id, { seen, dismissed, [list]: true })
    if (forgotten) await library.watched.forget(video_id)
  }
  await library.viewings.note('c0-more-0', { seen: true })
}

async function textOf(library: Library): Promise<string> {
  let text = ''
  for await (const piece of archiveOf(library, new Date('2026-11-22T12:00:00Z'))) text += piece
  return text
}

it('an export of any library, imported into an empty account, is exported again as the same text', async () => {
  await holds(
    fc.asyncProperty(everything, async given => {
      const [alice, bob] = [await person(here.sql, 'alice'), await person(elsewhere.sql, 'bob')]
      await build(alice, given)
      const text = await textOf(alice.library)
      const { import_id } = await beginImport(bob.library, Buffer.from(text))
      while ((await workThrough(bob, import_id)) === 'more');
      const { content } = await getImport(bob.library, import_id)
      expect(content).toMatchObject({ failed: 0, unknown: 0, videos_left_out: 0, done: content?.items })
      expect(content).toMatchObject({ playlists: given.playlists.length, playlists_left_out: 0 })
      expect(await textOf(bob.library)).toBe(text)
    }),
    { runs: 6, shrinks: false },
  )
})
