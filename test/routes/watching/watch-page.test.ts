/** The watch page: its neighbours, and where the player starts. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { everyoneIn } from '../../../src/db/everyone.ts'
import { listenForWatchers } from '../../../src/db/service/everyone/operations.ts'
import { useApp } from '../../support/app/app.ts'
import { entry, follows, has, type Person, person, personWith } from '../../support/app/people.ts'

const app = useApp()
const { ask, sql, textAt } = app

const alice = (video_ids = ['a', 'b', 'c']) => personWith(sql, 'alice', 'slow', video_ids)

describe('next to a video', () => {
  it('the watch page links the older and the newer video of the channel', async () => {
    const she = await person(sql, 'alice')
    const day = (date: string) => ({ published_at: new Date(`2026-05-${date}T12:00:00Z`) })
    await she.library.channels.save({ channel_id: 'slow', title: 'Slow', rss_url: 'https://videos.example/slow.xml' }, [
      entry('first', day('01')),
      entry('second', day('02')),
      entry('third', day('03')),
    ])
    await follows(she, 'else', ['other'])
    const beside = async (id: string) => {
      const html = await textAt(`/watch/${id}`, { as: she })
      return ['prev', 'next'].map(rel => new RegExp(`rel="${rel}" href="([^"]*)"`).exec(html)?.[1])
    }
    expect(await textAt('/watch/second', { as: she })).toContain('Next: <bdi>Video third</bdi>')
    expect(await beside('second')).toEqual(['/watch/first', '/watch/third'])
    expect(await beside('third')).toEqual(['/watch/second', undefined])
    expect(await beside('other')).toEqual([undefined, undefined])
  })

  it('the watch page lists the videos around it in its channel, not the newest ones', async () => {
    const she = await person(sql, 'alice')
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1)
    const entries = numbers.map(n => entry(`v${n}`, { published_at: new Date(Date.UTC(2026, 4, n)) }))
    await follows(she, 'slow', entries, { title: 'Slow' })
    const listed = async (id: string) => {
      const html = await textAt(`/watch/${id}`, { as: she })
      const [, side = ''] = html.split('<aside')
      return [...side.matchAll(/<h3[^>]*>\s*<a href="\/watch\/(\w+)"/g)].map(([, video_id]) => video_id)
    }
    expect(await listed('v10')).toEqual(['v11', 'v9', 'v8', 'v7'])
    expect(await listed('v20')).toEqual(['v19', 'v18', 'v17', 'v16'])
    expect(await listed('v1')).toEqual(['v5', 'v4', 'v3', 'v2'])
  })
})

describe('where the player starts', () => {
  it('the watch page says where a video stopped whose file is gone', async () => {
    const she = await alice()
    await ask('/videos/a/position', { as: she, form: { position_seconds: '75', duration_seconds: '760' } })
    expect(await textAt('/watch/a', { as: she })).toContain('Continue from 1:15')
    expect(await textAt('/watch/b', { as: she })).not.toContain('Continue from')
  })

  it('a video that is not on disk is watched from the time in the address, also where it stopped elsewhere', async () => {
    const she = await alice()
    await ask('/videos/a/position', { as: she, form: { position_seconds: '75', duration_seconds: '2000' } })
    expect(await textAt('/watch/a?t=751', { as: she })).toMatch(/action="\/videos\/a\/watch\?t=751".*Watch from 12:31/s)

    const pressed = await ask('/videos/a/watch?t=751', { as: she, method: 'POST' })
    expect(pressed.headers.get('location')).toBe('/watch/a?now&t=751')
    expect(await textAt('/watch/a?now&t=751', { as: she })).toContain('data-start="751"')
  })

  it('the player starts where playing stopped or where the address says, without scripts', async () => {
    const she = await alice()
    await has(she, 'a', `${she.user.user_id}/slow/a.mp4`, 9)
    await ask('/videos/a/position', { as: she, form: { position_seconds: '760', duration_seconds: '1000' } })
    const html = async (query = '') => textAt(`/watch/a${query}`, { as: she })

    expect(await html()).toMatch(/src="\/stream\/a#t=760".*Resumed at 12:40/s)
    expect(await html('?t=30')).toContain('src="/stream/a#t=30"')
    expect(await html('?t=30')).not.toContain('Resumed')
    expect(await html('?t=0')).toContain('src="/stream/a"')
    expect(await html('?t=%22%3E')).toContain('#t=760')
  })
})

describe('chapters', () => {
  const finished = async (chapters?: { start_seconds: number; title: string }[]) => {
    const she = await alice()
    const claim = crypto.randomUUID()
    const facts = {
      duration_seconds: 600,
      live_status: null,
      availability: null,
      published_precision: null,
      published_at: null,
      chapters,
    }
    await she.library.downloads.request(['a'])
    await she.library.downloads.start('a', claim)
    const file = { download_path: `${she.user.user_id}/slow/a.mp4`, file_size: 9, facts }
    const nothing = async () => {}
    await she.library.downloads.finish('a', claim, file, nothing, nothing)
    return she
  }
  const listed = async (she: Awaited<ReturnType<typeof alice>>) => {
    const html = await textAt('/watch/a', { as: she })
    return [...html.matchAll(/<a href="([^"]*)" data-seek="\d+"><span class="quiet">[^<]*<\/span> <bdi>([^<]*)</g)].map(
      ([, href, title]) => `${href} ${title}`,
    )
  }

  it('the chapters that the site names are links to their times, and stay when the video is followed twice', async () => {
    const she = await finished([
      { start_seconds: 0, title: 'Start' },
      { start_seconds: 80.5, title: 'The <dough>' },
    ])
    const expected = ['/watch/a?t=0 Start', '/watch/a?t=80 The &lt;dough&gt;']
    expect(await listed(she)).toEqual(expected)
    await follows(she, 'else', ['a'])
    const rows = await sql`select chapters from video_entries where user_id = ${she.user.user_id} and video_id = 'a'`
    expect(rows.map(({ chapters }) => chapters?.length)).toEqual([2, 2])
  })

  it('where the site names none, those of the description are shown', async () => {
    const she = await finished()
    expect(await listed(she)).toEqual([])
    await sql`update video_entries set description = ${'0:00 Mixing\n2:10 Baking'} where user_id = ${she.user.user_id}`
    expect(await listed(she)).toEqual(['/watch/a?t=0 Mixing', '/watch/a?t=130 Baking'])
  })
})

describe('in a list', () => {
  it('the page says where the video is in the list, and leads to those beside it that are on disk', async () => {
    const she = await alice(['a', 'b', 'c', 'd'])
    for (const id of ['a', 'b', 'd']) await has(she, id, `${she.user.user_id}/slow/${id}.mp4`, 9)
    for (const id of ['a', 'b', 'c']) await she.library.viewings.record(id, { later: true })
    const shown = async (list: string, as = she) => {
      const html = await textAt(`/watch/b?list=${list}`, { as })
      const [, where] = /<p class="quiet">(\d[^<]*)<bdi>/.exec(html) ?? []
      return [
        where?.trim(),
        ...new Set([...html.matchAll(/rel="(?:prev|next)" href="([^"]*)"/g)].map(([, href]) => href)),
      ]
    }
    expect(await shown('later')).toEqual(['1 of 2 on disk in', '/watch/a?now&amp;list=later'])
    expect(await shown('new')).toEqual(['2 of 3 on disk in', '/watch/a?now&amp;list=new', '/watch/d?now&amp;list=new'])
    for (const list of ['nonsense', `group:${crypto.randomUUID()}`]) expect((await shown(list))[0]).toBeUndefined()
  })
})

describe('the transcript of a video that is not on disk', () => {
  const lines = [{ start_seconds: 751, text: 'the crust sings' }]
  const linkOf = async (she: Person, headers = {}) =>
    (await textAt('/watch/a/transcript', { as: she, headers })).match(/<a[^>]*data-seek="751"[^>]*>/)?.[0]

  it('is beside its picture, and a line leads to its time, where the video can be watched', async () => {
    const she = await alice()
    expect(await textAt('/watch/a', { as: she })).not.toContain('<details id="transcript"')
    await she.library.transcripts.save('a', { language: 'en', automatic: true, lines })

    expect(await textAt('/watch/a', { as: she })).toContain('<details id="transcript"')
    expect(await linkOf(she)).toContain('href="/watch/a?t=751"')
    expect(await linkOf(she, { 'HX-Request': 'true' })).toContain('href="/watch/a?t=751"')
    expect((await ask('/watch/a/transcript', { as: await person(sql, 'bob') })).status).toBe(404)
  })

  it('is plain text where the site has removed the video', async () => {
    const she = await alice()
    await she.library.transcripts.save('a', { language: 'en', automatic: true, lines })
    await sql`update video_entries set availability = 'removed' where user_id = ${she.user.user_id}`
    expect(await linkOf(she)).not.toContain('href')
  })
})

describe('the page of a video that is not on disk', () => {
  it('it lets workers get yt-dlp ready, and the page of a file does not', async () => {
    const she = await alice(['a', 'b'])
    await has(she, 'b', 'files/b.mp4', 7)
    let told = 0
    const expected = Promise.withResolvers<void>()
    const unlisten = await listenForWatchers(everyoneIn(sql), () => {
      told += 1
      expected.resolve()
    })
    onTestFinished(unlisten)

    await ask('/watch/b', { as: she })
    await ask('/watch/a', { as: she })

    await expected.promise
    expect(told).toBe(1)
  })
})
