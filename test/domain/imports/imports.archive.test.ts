/** Everything a person has, taken to another Backlot and back. */
import * as fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Library } from '../../../src/db/library.ts'
import { archiveOf, beginImport, getImport } from '../../../src/domain/imports/imports.ts'
import { RuleRequest } from '../../../src/schema/rules/rule.ts'
import { useDatabase } from '../../support/app/database.ts'
import { workThrough } from '../../support/app/imports.ts'
import { entry, follows, has, type Person, person, personWith } from '../../support/app/people.ts'
import { lowered } from '../../support/app/user-limits.ts'
import { holds } from '../../support/run/holds.ts'

const here = useDatabase()
const elsewhere = useDatabase()

async function exported(library: Library): Promise<string> {
  let text = ''
  for await (const piece of archiveOf(library, new Date('2026-11-22T12:00:00Z'))) text += piece
  return text
}

type Document = Record<'channels' | 'videos' | 'viewings', Record<string, unknown>[]> & { settings: unknown }

/** Without what only a file on disk can bring back. */
const documentOf = async (library: Library): Promise<Document> => {
  const document = JSON.parse(await exported(library))
  for (const video of document.videos) delete video.downloaded
  return document
}

const takeIn = async (owner: Person, text: string, downloads = false) => {
  const begun = await beginImport(owner.library, Buffer.from(text), { downloads })
  while ((await workThrough(owner, begun.import_id)) === 'more');
  return getImport(owner.library, begun.import_id)
}

/** A library with a bit of everything. */
async function fullLibrary(): Promise<Person> {
  const alice = await personWith(here.sql, 'alice', 'kitchen', ['a', 'b', 'c'])
  await alice.library.channels.save(
    {
      channel_id: 'odd',
      title: 'Odd "title" <b>&amp;\u2028 \ud83d\ude00',
      rss_url: 'https://videos.example/odd?a=1&b=2',
    },
    [entry('d', { published_at: null, description: 'x'.repeat(50_000), guid: 'tag:1' }), entry('a')],
  )
  await alice.library.channels.addVideo(
    { channel_id: 'single', title: 'Single', page_url: 'https://videos.example/single' },
    entry('e', { duration_seconds: 60, live_status: 'was_live', availability: 'unlisted' }),
  )
  await alice.library.rules.save(
    'kitchen',
    RuleRequest.parse({ auto_download: true, title_words: ['Bread'], keep_newest: 3 }),
  )
  await alice.library.rules.saveDefault(RuleRequest.parse({ auto_download: true, include_older: true }))
  await alice.library.settings.save({
    quality: 'compatible',
    skip_categories: ['intro', 'filler'],
    captions_of_all: true,
  })
  await alice.library.settings.save({ subtitle_languages: ['de', 'pt-BR'] })
  await alice.library.settings.setPlaysWhole('kitchen', true)
  await alice.library.rules.pin('b', true)
  await alice.library.viewings.record('a', { seen: true })
  await alice.library.viewings.record('b', { position_seconds: 30, duration_seconds: 100 })
  await alice.library.viewings.record('c', { position_seconds: 30, duration_seconds: 100, dismissed: true })
  await here.sql`update channels set quality = 'mp3' where user_id = ${alice.user.user_id} and channel_id = 'odd'`
  await here.sql`update video_entries set chapters = '[{"title": "Start", "start_seconds": 0}]' where video_id = 'a'`
  return alice
}

describe('an archive', () => {
  /** Alice has a bit of everything here, and bob nothing elsewhere. */
  let [alice, bob]: [Person, Person] = [{} as Person, {} as Person]
  beforeAll(async () => {
    alice = await fullLibrary()
  })
  beforeEach(async () => {
    bob = await person(elsewhere.sql, 'bob')
  })

  it('everything that is exported is the same after an import into an empty library, and importing it twice changes nothing', async () => {
    const document = await documentOf(alice.library)
    const imported = await takeIn(bob, await exported(alice.library))
    expect(await documentOf(bob.library)).toEqual(document)
    expect(document.videos).toHaveLength(6)
    expect(imported).toMatchObject({
      kind: 'archive',
      content: { channels_added: 2, videos_added: 6, marked: 1, marked_here: 1, pinned: 1, unknown: 0, queued: 0 },
    })
    expect(imported.finished_at).not.toBeNull()

    const again = await takeIn(bob, await exported(alice.library))
    expect(await documentOf(bob.library)).toEqual(document)
    expect(again.content).toMatchObject({ channels_added: 0, videos_added: 0, marked: 0, positions: 0, pinned: 0 })
  })

  it('an archive without videos, channels and marks can be imported', async () => {
    const carol = await person(here.sql, 'carol')
    await takeIn(bob, await exported(carol.library))
    expect(await documentOf(bob.library)).toEqual(await documentOf(carol.library))
  })

  it('an import into a library with content loses nothing, duplicates nothing, and keeps the newer marks', async () => {
    const bob = await personWith(elsewhere.sql, 'bob', 'kitchen', ['b', 'z'])
    await bob.library.viewings.record('b', { position_seconds: 77, duration_seconds: 100 })
    await bob.library.viewings.record('z', { seen: true })
    await bob.library.settings.save({ quality: '480', subtitle_languages: ['fr'] })
    const before = await documentOf(bob.library)
    await takeIn(bob, await exported(alice.library))
    const after = await documentOf(bob.library)
    const ids = after.videos.map(({ video_id, channel_id }) => `${channel_id} ${video_id}`)
    expect(ids).toEqual(['kitchen a', 'odd a', 'kitchen b', 'kitchen c', 'odd d', 'single e', 'kitchen z'])
    expect(after.settings).toMatchObject({ quality: '480', subtitle_languages: ['fr'] })
    const viewing = (id: string) => after.viewings.find(({ video_id }) => video_id === id)
    expect(viewing('b')).toMatchObject({ position_seconds: 77 })
    expect(viewing('z')).toEqual(before.viewings.find(({ video_id }) => video_id === 'z'))
    expect(viewing('a')?.seen_at).not.toBeNull()
  })

  it('what was removed from the history does not come back', async () => {
    const alice = await fullLibrary()
    await alice.library.watched.forget('a')
    const carol = await personWith(elsewhere.sql, 'carol', 'kitchen', ['a'])
    await carol.library.viewings.record('a', { seen: true })
    const text = await exported(alice.library)
    await takeIn(bob, text)
    const { entries } = await bob.library.watched.list({ limit: 9 })
    expect(entries.map(({ video_id }) => video_id)).toEqual(['c', 'b'])
    expect((await bob.library.videos.find('a'))?.seen_at).not.toBeNull()
    await takeIn(carol, text)
    expect((await carol.library.watched.list({ limit: 9 })).entries.map(({ video_id }) => video_id)).toContain('a')
  })

  it('an import requests no download, although its rules are on and the default rule includes older videos', async () => {
    await bob.library.rules.saveDefault(RuleRequest.parse({ auto_download: true, include_older: true }))
    await takeIn(bob, await exported(alice.library))
    const rules = await elsewhere.sql`
      select channel_id, on_since is not null as is_on, judge_from, apply_at
      from   channel_rules
      where  user_id = ${bob.user.user_id}`
    expect(rules).toEqual([{ channel_id: 'kitchen', is_on: true, judge_from: null, apply_at: null }])
    expect(await bob.library.rules.toJudge('kitchen')).toBeUndefined()
  })

  it('what was downloaded is requested again only if the person wants it', async () => {
    const text = (await exported(alice.library)).replace('"downloaded":false', '"downloaded":true')
    const carol = await person(elsewhere.sql, 'carol')
    expect((await takeIn(bob, text)).content?.queued).toBe(0)
    expect((await takeIn(carol, text, true)).content?.queued).toBe(1)
  })

  it('what is on disk, waits or runs is so marked in every archive on the way, until its download is cancelled', async () => {
    const marked = async (owner: Person) =>
      (JSON.parse(await exported(owner.library)) as Document).videos
        .filter(({ downloaded }) => downloaded)
        .map(({ video_id, requested_by }) => [video_id, requested_by])
    const [alice, carol] = [await fullLibrary(), await person(here.sql, 'carol')]
    const expected = [
      ['a', 'rule'],
      ['a', 'rule'],
      ['b', 'person'],
      ['c', 'person'],
      ['d', 'person'],
    ]
    await alice.library.downloads.request(['a'], 'rule')
    await alice.library.downloads.request(['c', 'd'])
    await has(alice, 'b', 'b.mp4', 7)
    expect(await alice.library.downloads.pause(['d'])).toEqual(['d'])
    expect(await marked(alice)).toEqual(expected)

    await takeIn(bob, await exported(alice.library), true)
    expect(await marked(bob)).toEqual(expected)
    await takeIn(carol, await exported(bob.library), true)
    expect(await marked(carol)).toEqual(expected)

    await carol.library.downloads.cancel('c')
    expect((await marked(carol)).map(([id]) => id)).toEqual(['a', 'a', 'b', 'd'])
  })

  it('limits of channels and videos are obeyed and reported', async () => {
    onTestFinished(lowered({ channels: 1, videos: 2 }))
    const { content } = await takeIn(bob, await exported(alice.library))
    expect(content).toMatchObject({ channels_added: 1, channels_left_out: 1, videos_added: 2, videos_left_out: 4 })
    expect(content?.no_room).toBe(1)
    expect((await documentOf(bob.library)).videos).toHaveLength(2)
  })

  it('an import that is interrupted after any part is completed by the next job', async () => {
    const { import_id } = await beginImport(bob.library, Buffer.from(await exported(alice.library)))
    // A part that was applied is gone in the same transaction, so a killed job is the same as one that ends here.
    while ((await bob.library.imports.applyNext(import_id)) !== undefined)
      expect((await getImport(bob.library, import_id)).finished_at).toBeNull()
    expect(await workThrough(bob, import_id)).toBe('finished')
    expect(await documentOf(bob.library)).toEqual(await documentOf(alice.library))
  })

  it('documents that break off, are of another kind, or of a later version are refused, and leave nothing behind', async () => {
    const text = await exported(alice.library)
    const refused = [text.slice(0, -10), text.slice(0, text.length / 2), text.replace('"version":1', '"version":2')]
    for (const broken of refused) {
      await expect(beginImport(bob.library, Buffer.from(broken), { is_archive: true })).rejects.toThrow(
        /breaks off|newer Backlot/,
      )
    }
    await expect(beginImport(bob.library, Buffer.from('{"channels":[]}'), { is_archive: true })).rejects.toThrow(
      'not an archive',
    )
    expect(await bob.library.imports.list()).toEqual([])
  })

  it('what an older version lacks and what a later one adds to the settings loses neither them nor a channel', async () => {
    const document = JSON.parse(await exported(alice.library))
    Object.assign(document.settings, { quality: 'hologram', subtitle_languages: undefined })
    document.channels[0].quality = 'hologram'

    const { content } = await takeIn(bob, JSON.stringify(document))

    expect(content).toMatchObject({ unknown: 0, channels_added: 2, videos_added: 6 })
    expect(await bob.library.settings.get()).toMatchObject({
      quality: 'best',
      captions_of_all: true,
      subtitle_languages: [],
    })
    expect(await bob.library.channels.find(document.channels[0].channel_id)).toMatchObject({ quality: null })
  })

  it('hostile items are left out and counted', async () => {
    const alice = await person(here.sql, 'alice')
    await follows(alice, 'kitchen', ['a'])
    const document = JSON.parse(await exported(alice.library))
    const [channel, video] = [document.channels[0], document.videos[0]]
    document.channels.push({ ...channel, channel_id: 'x', rss_url: 'javascript:alert(1)' }, 7, null, {
      ...channel,
      channel_id: '../../etc',
    })
    document.videos.push(
      { ...video, video_id: 'file', video_url: 'file:///etc/passwd' },
      { ...video, video_id: 'long', title: 'x'.repeat(501) },
      { ...video, video_id: 'year', first_seen_at: '+275760-09-13T00:00:00Z' },
      { ...video, video_id: 'offset', first_seen_at: '2026-01-01T00:00:00+23:00' },
      { ...video, video_id: 'fraction', first_seen_at: `2026-01-01T00:00:00.${'1'.repeat(300)}Z` },
      { ...video, video_id: 'bc', published_at: '0001-01-01T00:00:00+14:00' },
      { ...video, video_id: 'ten', published_at: '9999-12-31T23:59:59-14:00' },
      { ...video, video_id: 'untitled', title: '\0' },
      { ...video, video_id: 'other', channel_id: 'of-no-one' },
      { ...video, video_id: 'nul', title: 'a\u0000b\ud800', extra: { deep: [1] } },
    )
    document.viewings.push({ video_id: 'a', seen_at: '9999-01-01T00:00:00Z', position_seconds: -1 })
    document.groups = [{ name: 'later' }]
    const { content } = await takeIn(bob, JSON.stringify(document))
    expect(content).toMatchObject({ unknown: 13, channels_added: 1, videos_added: 2, videos_left_out: 1 })
    expect((await documentOf(bob.library)).videos.map(({ title }) => title)).toEqual(['Video a', 'ab\ufffd'])
  })

  it('an import with half characters and NUL in every text is completed', async () => {
    const odd = 'a\0b\ud800'
    const rule = { ...RuleRequest.parse({ auto_download: true }), title_words: [odd], without_words: [odd] }
    const empty = JSON.parse(await exported((await person(here.sql, 'alice')).library))
    const url = `https://videos.example/${odd}`
    const times = { first_seen_at: '2026-01-01T00:00:00Z', followed_at: '2026-01-01T00:00:00Z' }
    const { content, finished_at } = await takeIn(
      bob,
      JSON.stringify({
        ...empty,
        settings: { quality: 'best', default_rule: { ...rule, title_pattern: odd } },
        channels: [{ ...times, channel_id: 'k', title: odd, rss_url: url, page_url: url, image_url: url, rule }],
        videos: [
          {
            ...times,
            channel_id: 'k',
            video_id: 'v',
            title: odd,
            description: odd,
            video_url: url,
            guid: odd,
            moved_id: odd,
          },
        ],
      }),
    )
    expect(content).toMatchObject({ channels_added: 1, videos_added: 1, unknown: 0 })
    expect(finished_at).not.toBeNull()
    const { channels } = await documentOf(bob.library)
    expect(channels).toMatchObject([{ title: 'ab\ufffd', rule: { title_words: ['ab\ufffd'] } }])
  })

  it('any marks come back unchanged, and importing them twice changes nothing', async () => {
    const time = fc
      .date({ min: new Date('2005-01-01'), max: new Date('2026-01-01'), noInvalidDate: true })
      .map(date => date.toISOString())
    const viewing = fc.record({
      video_id: fc.constantFrom('a', 'b', 'c', 'd'),
      seen_at: fc.option(time),
      position_seconds: fc.option(fc.nat(1000)),
      duration_seconds: fc.option(fc.integer({ min: 1, max: 1000 })),
      watched_at: fc.option(time),
      dismissed_at: fc.option(time),
      forgotten_at: fc.option(time),
    })
    const empty = JSON.parse(await exported((await person(here.sql, 'alice')).library))
    await holds(
      fc.asyncProperty(fc.uniqueArray(viewing, { selector: ({ video_id }) => video_id }), async viewings => {
        const bob = await person(elsewhere.sql, 'bob')
        await takeIn(bob, JSON.stringify({ ...empty, viewings }))
        const once = await documentOf(bob.library)
        await takeIn(bob, JSON.stringify({ ...empty, viewings }))
        expect(await documentOf(bob.library)).toEqual(once)
        const carol = await person(here.sql, 'carol')
        await takeIn(carol, await exported(bob.library))
        expect((await documentOf(carol.library)).viewings).toEqual(once.viewings)
        expect(once.viewings).toHaveLength(viewings.length)
      }),
      { runs: 15 },
    )
  })
})
