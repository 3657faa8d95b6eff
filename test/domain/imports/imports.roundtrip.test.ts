/** Archives of any content, whose values come from the schema: an empty account that takes one in exports the same again. */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { z } from 'zod'
import type { Library } from '../../../src/db/library.ts'
import { archiveOf, beginImport, getImport } from '../../../src/domain/imports/imports.ts'
import {
  type Archive,
  ArchiveChannel,
  ArchivePlaylist,
  ArchiveSettings,
  ArchiveVideo,
  ArchiveViewing,
} from '../../../src/schema/imports/archive.ts'
import { useDatabase } from '../../support/app/database.ts'
import { workThrough } from '../../support/app/imports.ts'
import { type Person, person } from '../../support/app/people.ts'
import { holds } from '../../support/run/holds.ts'
import { valuesOf } from '../../support/run/values.ts'

const here = useDatabase()
const elsewhere = useDatabase()

type Document = z.output<typeof Archive>
type Rule = ArchiveChannel['rule']

const known = {
  subtitle_languages: fc.constantFrom([], ['pt-BR', 'de']),
  time_zone: fc.constantFrom('UTC', 'Europe/Zurich'),
  media_names: fc.constantFrom(null, '{group}/{title} [{id}]'),
}
const listOf = <Schema extends z.ZodObject>(schema: Schema, maxLength: number) =>
  fc.array(valuesOf(schema, known), { minLength: 1, maxLength })

const settings = valuesOf(ArchiveSettings, known)
const lists = fc.record({
  channels: listOf(ArchiveChannel, 4),
  videos: listOf(ArchiveVideo, 12),
  playlists: listOf(ArchivePlaylist, 3),
  viewings: listOf(ArchiveViewing, 12),
  /** So many more videos, so that there are several pages and parts. */
  more: fc.integer({ min: 0, max: 450 }),
})

/** What belongs together agrees, as in a library: names and ids exist, and are there once. */
const documents = fc
  .tuple(settings, lists)
  .map(([settings, { channels, videos, playlists, viewings, more }]): Document => {
    const named = unique(settings.groups, name => name.toLowerCase())
    const names_of_playlists = playlists.map((_, at) => `Playlist ${at}`)
    const playlistOf = (rule: Rule, name: string | null) =>
      rule && name !== null ? (names_of_playlists[0] ?? null) : null
    const kept = channels.map((channel, at): ArchiveChannel => {
      // What is not followed is there only for its videos, and has no rule.
      const is_followed = channel.rss_url !== null || at >= videos.length
      const rule = is_followed ? fitting(channel.rule) : null
      return {
        ...channel,
        channel_id: `c${at}`,
        rss_url: is_followed ? `https://videos.example/c${at}.xml?a=1&b=%20` : null,
        groups: named.slice(0, channel.groups.length),
        rule,
        rule_playlist: playlistOf(rule, channel.rule_playlist),
      }
    })
    const of_channels = videos.map((video, at) => ({
      ...video,
      channel_id: `c${at % kept.length}`,
      video_id: `v${String(at).padStart(3, '0')}`,
      guid: video.guid && `tag:${at}`,
      // Only a file on disk makes a video downloaded.
      downloaded: false,
    }))
    const plain = Array.from({ length: more }, (_, at) => ({ ...of_channels[0], video_id: `w${at}`, guid: null }))
    const shared = kept.length > 1 ? [{ ...of_channels[0], channel_id: 'c1', guid: null }] : []
    const all = [...of_channels, ...plain, ...shared] as ArchiveVideo[]
    const default_rule = fitting(settings.default_rule)
    return {
      format: 'backlot-archive',
      version: 1,
      exported_at: '2026-11-22T12:00:00.000Z',
      settings: {
        ...settings,
        groups: named,
        group_bells: named.slice(0, settings.group_bells.length),
        quiet_to: settings.quiet_from && (settings.quiet_to ?? '07:00'),
        searches: unique(settings.searches, ({ name }) => name.toLowerCase()),
        default_rule,
        default_rule_playlist: playlistOf(default_rule, settings.default_rule_playlist),
      },
      channels: kept,
      videos: all,
      playlists: playlists.map(({ video_ids }, at) => ({
        name: `Playlist ${at}`,
        video_ids: of_channels.slice(0, video_ids.length * 2).map(({ video_id }) => video_id),
      })),
      viewings: viewings.map((viewing, at) => ({
        ...viewing,
        video_id: `v${String(at).padStart(3, '0')}`,
        // Watching brings a video back into the history.
        forgotten_at: viewing.forgotten_at && '2026-10-02T12:00:00.000123+00:00',
      })),
    }
  })

const unique = <Item>(items: Item[], keyOf: (item: Item) => string): Item[] => [
  ...new Map(items.map(item => [keyOf(item), item])).values(),
]

function fitting(rule: Rule): Rule {
  if (!rule) return null
  const max_seconds = rule.max_seconds && rule.max_seconds + (rule.min_seconds ?? 0)
  return { ...rule, max_seconds: max_seconds && Math.min(max_seconds, 604_800) } as Rule
}

async function textOf(library: Library): Promise<string> {
  let text = ''
  for await (const piece of archiveOf(library, new Date('2026-11-22T12:00:00Z'))) text += piece
  return text
}

async function takeIn(owner: Person, text: string): Promise<void> {
  const { import_id } = await beginImport(owner.library, Buffer.from(text))
  while ((await workThrough(owner, import_id)) === 'more');
  const { content } = await getImport(owner.library, import_id)
  expect(content).toMatchObject({
    failed: 0,
    unknown: 0,
    videos_left_out: 0,
    playlists_left_out: 0,
    done: content?.items,
  })
}

/** The lists have no order of their own; a name sorts as the database sorts it. */
const sorted = ({ settings, channels, videos, viewings, ...rest }: Document) => {
  const by = <Item>(items: Item[], keyOf: (item: Item) => string) =>
    items.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  const name = (item: string) => item
  return {
    ...rest,
    settings: {
      ...settings,
      groups: by(settings.groups, name),
      group_bells: by(settings.group_bells, name),
      searches: by(settings.searches, ({ name }) => name),
    },
    channels: by(
      channels.map(channel => ({ ...channel, groups: by(channel.groups, name) })),
      ({ channel_id }) => channel_id,
    ),
    videos: by(videos, ({ video_id, channel_id }) => `${video_id} ${channel_id}`),
    viewings: by(viewings, ({ video_id }) => video_id),
  }
}

it('an empty account that takes in an archive of any values exports the same archive, to the byte the second time', async () => {
  await holds(
    fc.asyncProperty(documents, async given => {
      const [alice, bob] = [await person(here.sql, 'alice'), await person(elsewhere.sql, 'bob')]
      await takeIn(alice, JSON.stringify(given))
      const text = await textOf(alice.library)
      expect(sorted(JSON.parse(text))).toEqual(sorted(given))
      await takeIn(bob, text)
      expect(await textOf(bob.library)).toBe(text)
    }),
    { runs: 8, shrinks: false },
  )
})
