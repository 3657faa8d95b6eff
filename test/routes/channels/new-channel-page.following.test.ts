/** Following a channel in one press, and taking it back. */
import { describe, expect } from 'vitest'
import type { Discovery } from '../../../src/domain/channels/discovery.ts'
import { DomainError } from '../../../src/errors.ts'
import type { FeedKind } from '../../../src/schema/sources/discovery.ts'
import { useApp, withPeople } from '../../support/app/app.ts'
import { entry, has, type Person, person } from '../../support/app/people.ts'
import { looked } from '../../support/app/samples.ts'
import { flashOf } from '../../support/app/sign-in.ts'

const answers = new Map<string, Discovery>()
const discover = async (address: string) => {
  const answer = answers.get(address)
  if (!answer) throw new DomainError('feed_failed', 'The site answered 404. Check the address.')
  return answer
}
const app = useApp({ discover, lookAt: async () => ({ video: looked() }) })
const { ask, sql } = app
const it = withPeople(app)

const fed = (kind: FeedKind, name: string) => ({
  rss_url: `https://videos.example/${name}`,
  kind,
  title: `Slow ${name}`,
  entries: null,
  newest_at: null,
})
const lead = (address: string, kinds: [FeedKind, string][]) => {
  const found = kinds.map(([kind, name]) => fed(kind, name))
  const feed = { channel_id: 'kitchen', title: 'Slow Kitchen', entries: [entry('v1'), entry('v2')], skipped: 0 }
  answers.set(address, { found, tried: [], best: { rss_url: found[0]?.rss_url ?? '', feed } })
}
const post = (as: Person, path: string, form: Record<string, string> = {}) => ask(path, { as, form })
const followed = async ({ library }: Person) => (await library.channels.list()).map(({ channel_id }) => channel_id)

describe('following in one press', () => {
  it('one press follows the whole channel of a platform, and says where to narrow it', async ({ alice, bob }) => {
    lead('@kitchen', [
      ['channel', 'all'],
      ['shorts', 'shorts'],
    ])
    const answer = await post(alice, '/channels', { url: '@kitchen' })

    expect(answer.headers.get('location')).toBe('/channels/kitchen')
    expect(flashOf(answer)).toEqual({
      kind: 'done',
      text: 'Following Slow Kitchen. The 2 newest are here.',
      undo: { do: 'unfollow', channel_id: 'kitchen' },
      followed: { channel_id: 'kitchen', has_choice: true },
    })
    const feeds = await ask('/channels/kitchen/feeds', { as: alice })
    expect(feeds.headers.get('location')).toBe('/channels/new?url=https%3A%2F%2Fvideos.example%2Fall#included')
    expect((await ask('/channels/kitchen/feeds', { as: bob })).status).toBe(404)
  })

  it('a channel that is followed already is opened, without Undo', async ({ alice }) => {
    lead('@kitchen', [['channel', 'all']])
    await post(alice, '/channels', { url: '@kitchen' })
    const answer = await post(alice, '/channels', { url: '@kitchen' })
    expect(answer.headers.get('location')).toBe('/channels/kitchen')
    expect(flashOf(answer)).toEqual({
      kind: 'done',
      text: 'You already follow Slow Kitchen.',
      followed: { channel_id: 'kitchen', has_choice: false, already: true },
    })
  })

  it('several feeds of one page are a question, and the answer is not asked again', async ({ alice }) => {
    for (const address of ['videos.example', 'https://videos.example/b'])
      lead(address, [
        ['feed', 'a'],
        ['feed', 'b'],
      ])
    const asked = await post(alice, '/channels', { url: 'videos.example' })
    expect([asked.status, await asked.text()]).toEqual([200, expect.stringContaining('What to follow')])
    expect(await followed(alice)).toEqual([])
    const answer = await post(alice, '/channels', { url: 'https://videos.example/b', chosen: 'on' })
    expect([answer.status, await followed(alice)]).toEqual([303, ['kitchen']])
  })

  it('the link of one video offers the video and its channel', async ({ alice }) => {
    const url = looked().video_url
    lead(url, [['channel', 'all']])
    const text = await (await post(alice, '/channels', { url })).text()
    expect(text).toContain('Download this video')
    expect(text).toMatch(/Follow .*Slow all/s)
    expect(await followed(alice)).toEqual([])
  })

  it('an address without anything is shown again with the reason', async ({ alice }) => {
    const answer = await post(alice, '/channels', { url: 'https://videos.example/nothing' })
    const text = await answer.text()
    expect(answer.status).toBe(502)
    expect(text).toContain('The site answered 404. Check the address.')
    expect(text).toContain('value="https://videos.example/nothing"')
  })
})

describe('taking back that a channel was followed', () => {
  const follow = async () => {
    const alice = await person(sql, 'alice')
    lead('@kitchen', [['channel', 'all']])
    await post(alice, '/channels', { url: '@kitchen' })
    return alice
  }
  const inBin = async (who: Person) =>
    (await sql`select from deleted_channels where user_id = ${who.user.user_id}`).count

  it('nothing of it is left, not even among what was recently deleted', async () => {
    const alice = await follow()
    const answer = await post(alice, '/channels/kitchen/undo-follow')
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/channels'])
    expect([await followed(alice), await inBin(alice)]).toEqual([[], 0])
    expect(await alice.library.videos.find('v1')).toBeUndefined()
  })

  it.each([
    ['watched', (alice: Person) => alice.library.viewings.record('v1', { seen: true })],
    ['downloaded', (alice: Person) => has(alice, 'v1', 'v1.mp4', 3)],
  ])('a channel with a video that was %s can be restored', async (_, use) => {
    const alice = await follow()
    await use(alice)
    await post(alice, '/channels/kitchen/undo-follow')
    expect([await followed(alice), await inBin(alice)]).toEqual([[], 1])
  })

  it('nobody can take back what another person follows', async () => {
    const [alice, bob] = [await follow(), await person(sql, 'bob')]
    expect((await post(bob, '/channels/kitchen/undo-follow')).status).toBe(404)
    expect(await followed(alice)).toEqual(['kitchen'])
  })
})
