/** The first page: news, and Continue watching. */
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { publishedFeeds } from '../../support/app/feeds.ts'
import { entry, follows, has, type Person, person, personWith, viewing } from '../../support/app/people.ts'
import { flashOf } from '../../support/app/sign-in.ts'
import { statementsOf } from '../../support/app/statements.ts'

const alice = (video_ids = ['a', 'b', 'c']) => personWith(sql, 'alice', 'slow', video_ids)

const { findFeed, publish } = publishedFeeds()

const { ask, sql, jsonAt, textAt } = useApp({ findFeed })

const url = 'https://videos.example/feed.xml'

it.each([
  ['New', '/', 5],
  ['a channel', '/channels/slow', 7],
])('%s is read with few statements, once what has changed is counted', async (_, path, most) => {
  const she = await alice()
  const open = () => ask(path, { as: she, headers: { accept: 'text/html' } })
  await open()
  const sent = await statementsOf(sql, open)

  expect(sent.length, sent.join('\n')).toBeLessThanOrEqual(most)
  expect(sent.join('\n')).not.toContain('keep_channel_summaries')
})

describe('news on several pages', () => {
  it('the line of the last visit is on the page where the new ones end', async () => {
    const she = await person(sql, 'alice')
    await follows(she, 'kitchen', ['old'])
    await ask('/', { as: she })
    await sql`update users set looked_at = now() - interval '1 hour' where id = ${she.user.user_id}`
    await sql`update video_entries set first_seen_at = now() - interval '2 hours' where user_id = ${she.user.user_id}`
    await follows(
      she,
      'news',
      Array.from({ length: 30 }, (_, n) => `n${n}`),
    )
    const page = await textAt('/', { as: she })
    expect(page).toMatch(/24\+ new <time[\s\S]*id="videos"/)
    expect(page).not.toContain('Your last visit')
    expect(page.match(/class="day"/g)).toHaveLength(1)

    const next = page.match(/hx-get="([^"]*cursor[^"]*)"/)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const further = await textAt(next, { as: she, headers: { 'HX-Request': 'true' } })
    expect(further.match(/Your last visit/g)).toHaveLength(1)
    expect(further.indexOf('class="day"')).toBeGreaterThan(further.indexOf('Your last visit'))
    expect(await textAt(next, { as: she })).toMatch(/class="day".*Your last visit/s)
  })
})

describe('new videos', () => {
  it('videos are new since the last look, and stay new for the visit', async () => {
    const she = await alice(['old'])
    const html = async () => textAt('/', { as: she })
    expect(await html()).not.toContain('since your last visit')

    await sql`update users set looked_at = now() - interval '14 hours' where id = ${she.user.user_id}`
    await sql`update video_entries set first_seen_at = now() - interval '20 hours' where user_id = ${she.user.user_id}`
    expect(await html()).toMatch(/Nothing new <time[^>]*>since your last visit, 14 hours ago/)
    await she.library.channels.save({ channel_id: 'slow', title: 'Slow', rss_url: 'https://videos.example/slow.xml' }, [
      entry('fresh'),
    ])
    for (const _ of [1, 2]) expect(await html()).toMatch(/1 new <time.*Video fresh.*Your last visit.*Video old/s)

    await sql`update users set looked_at = now() - interval '31 minutes' where id = ${she.user.user_id}`
    await sql`update video_entries set first_seen_at = now() - interval '40 minutes' where user_id = ${she.user.user_id} and video_id = 'fresh'`
    expect(await html()).toContain('Nothing new <time')
  })

  it('many visits within a minute are stored once, and the next minute is stored again', async () => {
    const she = await alice(['old'])
    const visits = () => Promise.all(Array.from({ length: 12 }, () => ask('/', { as: she })))
    // Each write of a row gives it another place.
    const place = async () => (await sql`select ctid::text from users where id = ${she.user.user_id}`)[0]?.ctid

    await visits()
    const after_first_visits = await place()
    await visits()
    expect(await place()).toBe(after_first_visits)

    await sql`update users set looked_at = now() - interval '61 seconds' where id = ${she.user.user_id}`
    await visits()
    const [look] =
      await sql`select looked_at > now() - interval '1 minute' as is_stored from users where id = ${she.user.user_id}`
    expect(look).toEqual({ is_stored: true })
  })

  it.each([
    ['/?seen=true', 'Nothing watched yet.'],
    ['/?seen=false', 'You&#39;re all caught up.'],
    ['/?on_disk=true', 'Nothing on disk yet.'],
    ['/?on_disk=true&seen=true', 'No video matches.'],
    ['/?later=true', 'Nothing here yet.'],
    ['/?dismissed=true', 'Nothing is hidden.'],
    ['/', 'No videos yet.'],
  ])('%s explains itself when it is empty', async (path, words) => {
    expect(await textAt(path, { as: await alice([]) })).toContain(words)
  })

  it.each(['/?later=true', '/?dismissed=true'])('%s does not ask a new person to follow a channel', async path => {
    const html = await textAt(path, { as: await person(sql, 'newcomer') })
    expect(html).toContain('Nothing ')
    expect(html).not.toContain('Paste a link: channel')
  })
})

describe('days', () => {
  it('videos are under the weeks of the time zone that the browser names', async () => {
    const she = await alice(['a'])
    await sql`
      update video_entries
      set    published_at = '2026-02-01T22:30:00Z', first_seen_at = '2026-02-02T12:00:00Z', sort_at = '2026-02-01T22:30:00Z'
      where  user_id = ${she.user.user_id}`
    const dayIn = async (time_zone: string) => {
      const headers = { Cookie: `${she.cookie}; time_zone=${encodeURIComponent(time_zone)}` }
      return (await textAt('/', { headers })).match(/class="day">([^<]*)</)?.[1]
    }
    expect(await dayIn('UTC')).toMatch(/^Week of 26 January/)
    expect(await dayIn('Asia/Tokyo')).toMatch(/^Week of 2 February/)
    expect(await dayIn('<script>')).toMatch(/^Week of 26 January/)
  })
})

describe('continue watching', () => {
  async function begun(): Promise<Person> {
    const she = await alice(['a', 'b', 'c', 'd'])
    for (const id of ['a', 'b', 'd']) await has(she, id, `${she.user.user_id}/slow/${id}.mp4`, 9)
    for (const id of ['a', 'b', 'c'])
      await ask(`/videos/${id}/position`, { as: she, form: { position_seconds: '100', duration_seconds: '860' } })
    return she
  }
  const offered = async (she: Person) =>
    ((await jsonAt('/api/videos/unfinished', { as: she })) as { entries: { video_id: string }[] }).entries.map(
      ({ video_id }) => video_id,
    )

  it('Continue watching offers unfinished videos on disk, the last played first', async () => {
    const she = await begun()
    expect(await offered(she)).toEqual(['b', 'a'])
    await ask('/videos/a/position', { as: she, form: { position_seconds: '101' } })
    expect(await offered(she)).toEqual(['a', 'b'])
    await ask('/videos/a/seen', { as: she, method: 'POST' })
    expect(await offered(she)).toEqual(['b'])
    expect(await textAt('/', { as: she })).toMatch(/Continue watching.*Video b.*12:40 left/s)
  })

  it('Continue watching fits what the page is limited to', async () => {
    const she = await begun()
    const continued = async (path: string) => (await textAt(path, { as: she })).match(/begun-download-\w/g)
    await follows(she, 'clips', ['clip'])
    await sql`update video_entries set title = 'A clip #shorts' where user_id = ${she.user.user_id} and video_id = 'clip'`
    await has(she, 'clip', `${she.user.user_id}/clips/clip.mp4`, 9)
    await ask('/videos/clip/position', { as: she, form: { position_seconds: '9' } })
    const { group_id } = await she.library.groups.create('Work')
    await she.library.groups.setOfChannel('slow', [group_id])

    expect(await continued(`/?group=${group_id}`)).not.toContain('begun-download-c')
    expect(new Set(await continued('/?show=all'))).toEqual(new Set(['a', 'b', 'c'].map(id => `begun-download-${id}`)))
    expect(await continued('/?shorts=false')).not.toContain('begun-download-c')
    for (const limit of ['seen=true', 'on_disk=true', 'length=long', 'live=true', 'month=2025-01'])
      expect(await continued(`/?${limit}`), limit).toBeNull()
  })

  it('a video removed from Continue watching returns by undo, or when it is played again', async () => {
    const she = await begun()
    const dismissed = await ask('/videos/b/dismiss', { as: she, method: 'POST' })
    expect([dismissed.status, await offered(she)]).toEqual([303, ['a']])
    expect(flashOf(dismissed).undo).toEqual({ do: 'offer', video_id: 'b' })
    await ask('/videos/b/offer', { as: she, method: 'POST' })
    expect(await offered(she)).toEqual(['b', 'a'])
    expect(await viewing(she, 'b')).toMatchObject({ position_seconds: 100 })

    await ask('/api/videos/b/viewing', { as: she, method: 'PUT', json: { dismissed: true } })
    await ask('/videos/b/seen', { as: she, method: 'POST' })
    await ask('/videos/b/unseen', { as: she, method: 'POST' })
    expect(await offered(she)).toEqual(['a'])
    await ask('/videos/b/position', { as: she, form: { position_seconds: '120' } })
    expect(await offered(she)).toEqual(['b', 'a'])
  })

  it('Continue watching offers a video of two channels once', async () => {
    const she = await begun()
    await follows(she, 'list', ['b'])
    expect(await offered(she)).toEqual(['b', 'a'])
  })
})

describe('the newest of all channels', () => {
  it('the first page shows a video of two channels once', async () => {
    const alice = await person(sql, 'alice')
    publish(url, 'kitchen', [entry('v1', { title: 'In both' })])
    await ask('/api/channels', { as: alice, json: { url } })
    publish('https://videos.example/list.xml', 'playlist', [entry('v1', { title: 'In both' })], 'A playlist')
    await ask('/api/channels', { as: alice, json: { url: 'https://videos.example/list.xml' } })

    const page = await textAt('/', { as: alice })
    expect(page.match(/href="\/watch\/v1"/g)?.length).toBeGreaterThan(0)
    expect(page.match(/id="download-v1"/g)).toHaveLength(1)
    for (const channel of ['kitchen', 'playlist'])
      expect(await jsonAt(`/api/history/${channel}`, { as: alice })).toMatchObject({
        entries: [{ video_id: 'v1' }],
      })
  })

  it('the first page explains how to follow a channel when there is none', async () => {
    const alice = await person(sql, 'alice')
    expect(await textAt('/', { as: alice })).toMatch(/<form[^>]*action="\/channels"/)
  })
})
