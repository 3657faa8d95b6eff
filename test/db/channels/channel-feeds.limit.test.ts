/** How many channels and videos one user may have, by page, API and import. */
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { followChannel } from '../../../src/domain/channels/channels.ts'
import type { FeedFinder } from '../../../src/domain/channels/discovery.ts'
import { performImport } from '../../../src/domain/imports/perform-import.ts'
import type { Channel } from '../../../src/schema/channels/channel.ts'
import { useApp } from '../../support/app/app.ts'
import { beginList } from '../../support/app/imports.ts'
import { entry, follows, person } from '../../support/app/people.ts'
import { lowered } from '../../support/app/user-limits.ts'

const findFeed: FeedFinder = async address => ({
  rss_url: address,
  feed: { channel_id: new URL(address).pathname.slice(1), title: 'A channel', entries: [entry('v')], skipped: 0 },
})

describe('channels of one user', () => {
  const app = useApp({ findFeed })
  beforeEach(() => lowered({ channels: 3 }))
  const add = (as: Awaited<ReturnType<typeof person>>, id: string) =>
    app.ask('/api/channels', { as, json: { url: `https://videos.example/${id}` } })

  it('a user can follow no more channels than allowed, even by adding them at the same moment', async () => {
    const [alice, bob] = [await person(app.sql, 'alice'), await person(app.sql, 'bob')]
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => add(alice, `c${index}`)))
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([201, 201, 201, ...Array(9).fill(422)])
    const problem = await answers.find(({ status }) => status === 422)?.json()
    expect(problem).toMatchObject({ errors: { url: expect.stringContaining('You follow 3 channels') } })
    expect(await alice.library.channels.list()).toHaveLength(3)
    expect((await add(bob, 'c1')).status).toBe(201)
  })

  it('at the limit channels can still be refreshed, and unfollowing one makes room', async () => {
    const alice = await person(app.sql, 'alice')
    for (const id of ['a', 'b', 'c']) await follows(alice, id, [`${id}1`])
    expect((await add(alice, 'a')).status).toBe(200)
    expect((await app.ask('/api/feed', { as: alice, json: { rss_url: 'https://videos.example/d' } })).status).toBe(422)
    const shown = await app.ask('/channels', { as: alice, form: { url: 'https://videos.example/d' } })
    expect([shown.status, await shown.text()]).toEqual([422, expect.stringContaining('Unfollow some')])
    await app.ask('/api/channels/b', { as: alice, method: 'DELETE' })
    expect((await add(alice, 'd')).status).toBe(201)
  })

  it('an import stops at the limit of channels, and its lines say why they failed', async () => {
    onTestFinished(lowered({ channels: 2 }))
    const { library } = await person(app.sql, 'alice')
    await followChannel(library, findFeed, 'https://videos.example/first')
    const lines = ['x', 'y', 'z'].map(id => ({ address: `https://videos.example/${id}`, title: null }))
    const import_id = await beginList({ library }, lines)
    await performImport({ library, findFeed, stopping: new AbortController().signal }, import_id)
    const after = await library.imports.lines(import_id, 10)
    expect(after.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'added'])
    expect(after[0]?.message).toContain('You follow 2 channels')
  })

  it('far from the limit, the saves of one user do not wait for each other', async () => {
    onTestFinished(lowered({ channels: 5000 }))
    const { user, library } = await person(app.sql, 'alice')
    const created = await app.sql.begin(async tx => {
      // What a save near the limit holds.
      await tx`select from users where id = ${user.user_id} for no key update`
      const saves = ['a', 'b'].map(channel_id =>
        library.channels.save({ channel_id, title: 'A', rss_url: `https://videos.example/${channel_id}` }, [
          entry(channel_id),
        ]),
      )
      return (await Promise.all(saves)).map(({ created }) => created)
    })
    expect(created).toEqual([true, true])
  })
})

describe('videos of one user', () => {
  const videos = { count: 5 }
  const many: FeedFinder = async address => ({
    rss_url: address,
    feed: {
      channel_id: new URL(address).pathname.slice(1),
      title: 'A channel',
      entries: Array.from({ length: videos.count }, (_, n) =>
        entry(`v${n}`, { published_at: new Date(Date.UTC(2026, 0, n + 1)) }),
      ),
      skipped: 0,
    },
  })
  const app = useApp({ findFeed: many })
  beforeEach(() => lowered({ videos: 8 }))

  it('at the limit of videos only the newest are kept, and the channel says how many are not', async () => {
    const [alice, bob] = [await person(app.sql, 'alice'), await person(app.sql, 'bob')]
    const add = async (as: typeof alice, id: string) =>
      (await (await app.ask('/api/channels', { as, json: { url: `https://videos.example/${id}` } })).json()) as Channel
    expect(await add(alice, 'a')).toMatchObject({ entry_count: 5, fetch_error: null })

    const full = await add(alice, 'b')

    expect(full).toMatchObject({
      entry_count: 3,
      saved: { inserted: 3, updated: 0, unchanged: 0 },
      fetch_error: expect.stringContaining('2 new videos of this channel are not kept, because you have 8 videos'),
      failing_since: expect.any(String),
    })
    const { entries } = await alice.library.videos.list({ channel_id: 'b', limit: 10 })
    expect(entries.map(({ video_id }) => video_id)).toEqual(['v4', 'v3', 'v2'])
    const page = await app.ask('/channels/b', { as: alice })
    expect(await page.text()).toContain('2 new videos of this channel are not kept')
    expect(await add(bob, 'b')).toMatchObject({ entry_count: 5, fetch_error: null })

    expect(await add(alice, 'a')).toMatchObject({ fetch_error: null, saved: { inserted: 0, updated: 0, unchanged: 5 } })
    await app.ask('/api/channels/a', { as: alice, method: 'DELETE' })
    expect(await add(alice, 'b')).toMatchObject({ entry_count: 5, fetch_error: null, saved: { inserted: 2 } })
  })
})
