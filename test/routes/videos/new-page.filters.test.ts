/** What New shows: the filters of its address, and those that are remembered. */
import { expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { entry, follows, has, type Person, person, personWith } from '../../support/app/people.ts'

const alice = (video_ids = ['a', 'b', 'c']) => personWith(sql, 'alice', 'slow', video_ids)

const { ask, sql, textAt } = useApp()

const shown = (page: string) => [...page.matchAll(/id="title-(\w+)"/g)].map(([, id]) => id)
const New = async (she: Person, path = '/') => textAt(path, { as: she })

/** What each chip says, and where the list goes on without it. */
const chipsOf = (page: string) =>
  [...page.matchAll(/class="chip" href="([^"]*)".*?<bdi>(.*?)<\/bdi>/g)].map(([, href, label]) => [
    label,
    href?.replaceAll('&amp;', '&'),
  ])

it('Unwatched and On disk are combined, and each has a chip that ends it alone', async () => {
  const she = await alice(['a', 'b', 'c'])
  for (const id of ['a', 'b']) await has(she, id, `${she.user.user_id}/slow/${id}.mp4`, 9)
  await ask('/videos/b/seen', { as: she, method: 'POST' })

  const page = await New(she, '/?seen=false&on_disk=true')

  expect(shown(page)).toEqual(['a'])
  expect(chipsOf(page)).toEqual([
    ['Unwatched', '/?on_disk=true'],
    ['On disk', '/?seen=false'],
  ])
  expect(chipsOf(await New(she, '/?show=all'))).toEqual([])
})

it('every limit has a chip, and what is remembered returns after a limit that is not', async () => {
  const she = await alice(['a'])
  const { group_id } = await she.library.groups.create('Work')
  await New(she, `/?group=${group_id}&seen=false`)
  const limits = {
    'seen=true': 'Watched',
    'on_disk=true': 'On disk',
    'length=long': 'Over 20 minutes',
    'live=true': 'Only live streams',
    'dismissed=true': 'Hidden',
    'month=2025-03': 'From March 2025',
  }
  for (const [limit, label] of Object.entries(limits))
    expect(chipsOf(await New(she, `/?${limit}`))).toEqual([[label, '/']])
  expect(chipsOf(await New(she))).toEqual([
    ['Work', '/?seen=false'],
    ['Unwatched', `/?group=${group_id}`],
  ])
  expect(chipsOf(await New(she, '/?seen=false'))).toEqual([['Unwatched', '/?show=all']])
})

it('a group, no Shorts, a length and live streams limit New', async () => {
  const she = await person(sql, 'alice')
  const channel = { channel_id: 'tech', title: 'Tech', rss_url: 'https://videos.example/t.xml' }
  await she.library.channels.save(channel, [
    entry('short', { duration_seconds: 299 }),
    entry('middle', { duration_seconds: 1200 }),
    entry('long', { duration_seconds: 1201, live_status: 'was_live' }),
    entry('clip', { title: 'A clip #shorts', duration_seconds: 40 }),
  ])
  await follows(she, 'news', ['n'])
  const { group_id } = await she.library.groups.create('Work')
  await she.library.groups.setOfChannel('tech', [group_id])

  const found = async (path: string) => shown(await New(she, path)).toSorted()
  expect(await found(`/?group=${group_id}`)).toEqual(['clip', 'long', 'middle', 'short'])
  expect(await found('/?shorts=false')).toEqual(['long', 'middle', 'n', 'short'])
  expect(await found('/?length=short')).toEqual(['clip', 'short'])
  expect(await found('/?length=medium')).toEqual(['middle'])
  expect(await found('/?length=long')).toEqual(['long'])
  expect(await found('/?live=true')).toEqual(['long'])
  expect(await found(`/?live=false&group=${group_id}&length=short&shorts=false`)).toEqual(['short'])
  expect(await New(she, '/?show=all')).toContain(`href="/?group=${group_id}"`)
})

it('New remembers a group, Unwatched and No Shorts, on every device, until everything is chosen', async () => {
  const she = await alice(['a', 'b'])
  await ask('/videos/b/seen', { as: she, method: 'POST' })
  const { group_id } = await she.library.groups.create('Work')
  await she.library.groups.setOfChannel('slow', [group_id])
  await New(she, `/?seen=false&shorts=false&group=${group_id}`)
  expect((await she.library.new_page.remembered()).filter).toEqual({ seen: 'false', shorts: 'false', group: group_id })
  expect(shown(await New(she))).toEqual(['a'])

  await New(she, '/?show=all')
  expect(shown(await New(she)).toSorted()).toEqual(['a', 'b'])
  const bob = await personWith(sql, 'bob', 'slow', ['a'])
  await New(she, '/?seen=false')
  expect(shown(await New(bob))).toEqual(['a'])
})

it('a look at watched videos of a group ends with it: New leads to all channels, and the logo to everything', async () => {
  const she = await alice(['a', 'b'])
  await ask('/videos/b/seen', { as: she, method: 'POST' })
  const { group_id } = await she.library.groups.create('Work')
  await she.library.groups.setOfChannel('slow', [group_id])
  await New(she, `/?group=${group_id}&shorts=false`)
  const page = await New(she, `/?group=${group_id}&shorts=false&seen=true`)
  expect(shown(page)).toEqual(['b'])
  expect(shown(await New(she)).toSorted()).toEqual(['a', 'b'])

  const leads = (pattern: RegExp) => page.match(pattern)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(chipsOf(await New(she, leads(/href="([^"]*)"[^>]*>New</)))).toEqual([['No Shorts', '/?show=all']])
  expect(chipsOf(await New(she, leads(/class="brand" href="([^"]*)"/)))).toEqual([])
  expect((await she.library.new_page.remembered()).filter).toEqual({})
})

it('a filter that an older version remembered limits nothing', async () => {
  const she = await alice(['a'])
  await sql`update users set new_filter = '{"seen": "true", "length": "long"}' where id = ${she.user.user_id}`
  expect(shown(await New(she))).toEqual(['a'])
})

it('a group of the column keeps the remembered filter, and nothing is remembered for a link of another site', async () => {
  const she = await alice(['a', 'b'])
  await ask('/videos/b/seen', { as: she, method: 'POST' })
  const { group_id } = await she.library.groups.create('Work')
  await she.library.groups.setOfChannel('slow', [group_id])
  await New(she, '/?seen=false')
  expect(shown(await New(she, `/?group=${group_id}&with=remembered`))).toEqual(['a'])
  expect((await she.library.new_page.remembered()).filter).toEqual({ seen: 'false', group: group_id })

  await ask('/?shorts=false', { as: she, headers: { 'Sec-Fetch-Site': 'cross-site' } })
  expect((await she.library.new_page.remembered()).filter).toMatchObject({ seen: 'false' })
})

it('a group and the lists of a person are named above their videos', async () => {
  const she = await alice(['a'])
  const { group_id } = await she.library.groups.create('Work')
  const headed = async (path: string) => {
    const page = await New(she, path)
    return [/<title>(.*?) ·/, /<h1>(.*?)<\/h1>/].map(pattern => page.match(pattern)?.[1])
  }
  expect(await New(she, `/?group=${group_id}`)).toMatch(
    new RegExp(`This group has no channels yet. <a href="/groups/${group_id}">Add channels`),
  )
  await she.library.groups.setOfChannel('slow', [group_id])
  expect(await headed('/')).toEqual(['Work', 'New'])
  expect(await New(she)).toContain(`href="/groups/${group_id}">Edit group</a>`)
  expect(await headed('/?later=true')).toEqual(['Watch later', 'Watch later'])
  expect(await headed('/?show=all')).toEqual(['New', 'New'])
})

it('Watch later and hidden videos include older videos that were loaded, and New does not', async () => {
  const she = await alice(['a'])
  await sql`update video_entries set source = 'listing' where user_id = ${she.user.user_id}`
  expect(shown(await New(she))).toEqual([])
  await she.library.viewings.record('a', { later: true })
  expect(shown(await New(she, '/?later=true'))).toEqual(['a'])
  await she.library.viewings.record('a', { not_for_me: true })
  expect(shown(await New(she, '/?dismissed=true'))).toEqual(['a'])
})

it.each([
  '/?seen=true',
  '/?on_disk=true',
  '/?length=short',
  '/?live=false',
  '/?shorts=false&later=true',
  '/?shorts=false&dismissed=true',
  '/?month=2020-01',
  '/?shorts=false&cursor=x',
])('%s is not remembered', async path => {
  const she = await alice(['a'])
  await New(she, '/?seen=false')
  await New(she, path)
  expect((await she.library.new_page.remembered()).filter).toEqual({ seen: 'false' })
})

it('a remembered group that was deleted, and one of another person, limit nothing', async () => {
  const [she, bob] = [await alice(['a']), await personWith(sql, 'bob', 'slow', ['a'])]
  const { group_id } = await she.library.groups.create('Work')
  expect(shown(await New(she, `/?group=${group_id}`))).toEqual([])
  await she.library.groups.remove(group_id)
  expect(shown(await New(she))).toEqual(['a'])
  expect(shown(await New(bob, `/?group=${group_id}`))).toEqual(['a'])
})

it('Mark all as watched is offered only where all unwatched videos are listed', async () => {
  const she = await alice(['a'])
  for (const path of ['/?show=all', '/?seen=false']) expect(await New(she, path)).toContain('Mark all as watched')
  for (const path of ['/?length=short', '/?live=false&seen=false', '/?month=2030-01'])
    expect(await New(she, path)).not.toContain('Mark all as watched')
})
