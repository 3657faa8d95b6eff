/** The preview of a rule: for any channel and any two rules, saving the second one does what its preview said. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { deleteByRules } from '../../../jobs/tasks/housekeeping.ts'
import { changeRule, previewRule, previewRules } from '../../../src/domain/rules/rules.ts'
import { LiveChoice, type Rule, RuleRequest } from '../../../src/schema/rules/rule.ts'
import { Availability, LiveStatus, Source } from '../../../src/schema/sources/facts.ts'
import { filesIn } from '../../../src/store/local-files.ts'
import { silent } from '../../support/app/app.ts'
import { useDatabase } from '../../support/app/database.ts'
import { no_bin } from '../../support/app/files.ts'
import { person } from '../../support/app/people.ts'
import { channel_id, downloads, onDiskOf, queuedFor, saves } from '../../support/app/ruled-channel.ts'
import { holds } from '../../support/run/holds.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const { sql } = useDatabase()
const folder = newFolder()
const files = filesIn(folder)

const few = (max: number) => fc.option(fc.integer({ min: 1, max }), { freq: 2 })
const words = fc.constantFrom('bread', 'soup')
const anyRule: fc.Arbitrary<Rule> = fc
  .record({
    auto_download: fc.constantFrom(true, true, true, false),
    title_words: fc.oneof(fc.constant([]), fc.array(words, { maxLength: 1 })),
    without_words: fc.oneof(fc.constant([]), fc.array(words, { maxLength: 1 })),
    min_seconds: few(900),
    live: fc.constantFrom(...LiveChoice.options, 'any', 'any'),
    also_days: few(30),
    include_older: fc.boolean(),
    most_per_day: few(6),
    keep_newest: few(6),
    keep_days: few(20),
    delete_watched_days: few(20),
    keep_newest_watched: few(3),
  })
  .map(changes => RuleRequest.parse(changes))

const video = fc.record({
  days_ago: fc.integer({ min: -2, max: 40 }),
  title: fc.constantFrom('Bread', 'Soup', 'Bread soup', 'Salad'),
  duration_seconds: fc.constantFrom(null, 60, 600, 6000),
  live_status: fc.constantFrom(null, ...LiveStatus.options, 'none' as const),
  availability: fc.constantFrom(null, ...Availability.options, 'public' as const),
  source: fc.constantFrom(...Source.options, 'feed' as const, 'feed' as const),
  // Whether the video appears before or after the first rule, and the state of its download.
  is_early: fc.boolean(),
  became: fc.constantFrom(
    'nothing',
    'nothing',
    'file',
    'old file',
    'watched file',
    'playing file',
    'pinned file',
    'deleted',
    'of a person',
  ),
})
type AnyVideo = typeof video extends fc.Arbitrary<infer Value> ? Value : never

async function happens(alice: Awaited<ReturnType<typeof person>>, video_id: string, { became }: AnyVideo) {
  const { library } = alice
  const mine = sql`user_id = ${library.user_id} and video_id = ${video_id}`
  if (became === 'nothing') return
  if (became === 'of a person') return library.downloads.request([video_id])
  await library.downloads.request([video_id], 'rule')
  await sql`update video_entries set download_asked_by = 'rule' where ${mine}`
  await downloads(alice, sql, files, folder, video_id)
  if (became === 'old file')
    await sql`update video_entries set download_completed_at = now() - interval '9 days' where ${mine}`
  if (became === 'watched file')
    await sql`insert into viewings (user_id, video_id, seen_at) values (${library.user_id}, ${video_id}, now() - interval '9 days')`
  if (became === 'playing file') await library.viewings.record(video_id, { position_seconds: 8 })
  if (became === 'pinned file') await library.rules.pin(video_id, true)
  if (became === 'deleted') await library.downloads.deleteFile(video_id)
}

const idsOf = (videos: { video_id: string }[]) => videos.map(({ video_id }) => video_id).toSorted()

it('for any channel and any rules before and after, saving the rule requests and deletes what its preview said', async () => {
  await holds(
    fc.asyncProperty(fc.array(video, { maxLength: 25 }), anyRule, anyRule, async (videos, before, after) => {
      const alice = await person(sql, 'alice')
      const given = Object.fromEntries(
        videos.map(({ is_early: _, became: __, ...more }, n) => [
          `v${n}`,
          { ...more, days_ago: more.days_ago + n / 100 },
        ]),
      )
      const those = (wanted: boolean) =>
        Object.fromEntries(Object.entries(given).filter((_, n) => videos[n]?.is_early === wanted))
      await saves(alice, sql, those(true))
      await changeRule(alice.library, channel_id, before)
      await saves(alice, sql, those(false))
      await sql`update channels set created_at = now() - interval '10 days' where user_id = ${alice.user.user_id}`
      for (const [n, one] of videos.entries()) await happens(alice, `v${n}`, one)

      const [queued, there] = [await queuedFor(alice, sql), await onDiskOf(alice, sql)]
      const preview = await previewRule(alice.library, channel_id, after)
      const several = await previewRules(alice.library, { channel_ids: [channel_id] }, after)
      expect(await queuedFor(alice, sql)).toEqual(queued)
      const fitting = [...preview.would_download, ...preview.skipped.filter(({ fits }) => fits)]
      expect(preview.newest_fits).toBe(fitting.length)
      expect(idsOf(fitting)).toEqual(expect.arrayContaining(idsOf(several.fitting)))
      expect(several).toMatchObject({
        would_delete: preview.would_delete,
        delete_count: preview.delete_count,
        delete_bytes: preview.delete_bytes,
      })
      await changeRule(alice.library, channel_id, after)
      await deleteByRules({ sql, files, bin: no_bin, log: silent })

      const requested = (await queuedFor(alice, sql)).filter(id => !queued.includes(id))
      const left = await onDiskOf(alice, sql)
      expect(preview.would_download.map(({ video_id }) => video_id).toSorted()).toEqual(requested.toSorted())
      expect(preview.would_delete.map(({ video_id }) => video_id).toSorted()).toEqual(
        there.filter(id => !left.includes(id)).toSorted(),
      )
      for (const [n, { became, availability }] of videos.entries())
        if (became === 'playing file' || ['removed', 'private'].includes(availability ?? ''))
          expect(left.includes(`v${n}`), `v${n}`).toBe(there.includes(`v${n}`))
      const all = [...preview.would_download, ...preview.skipped].map(({ video_id }) => video_id)
      expect(all.toSorted()).toEqual(Object.keys(given).toSorted())
      await sql`delete from users where id = ${alice.user.user_id}`
    }),
    { runs: 30 },
  )
}, 60_000)
