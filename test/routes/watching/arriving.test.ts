/** What has arrived of a video, as its people get it, and no one else does. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { arrivingKey } from '../../../src/domain/downloads/arriving.ts'
import { sliceIn } from '../../../src/runtime/sending.ts'
import type { ArrivingState } from '../../../src/schema/downloads/run.ts'
import { useApp } from '../../support/app/app.ts'
import { arrives, playlist } from '../../support/app/arriving.ts'
import { entry, type Person, person } from '../../support/app/people.ts'

/** Of one test: a shared download has no owner. */
let [address, claim] = ['', '']
beforeEach(() => {
  claim = crypto.randomUUID()
  address = `https://videos.example/${claim}`
})

describe.each(['on', 'off'] as const)('with SHARE_FILES=%s', SHARE_FILES => {
  const app = useApp({ SHARE_FILES })
  const { ask, sql, textAt } = app

  const follower = async (name: string) => {
    const someone = await person(sql, name)
    const channel = { channel_id: 'c', title: 'C', rss_url: `https://videos.example/${name}` }
    await someone.library.channels.save(channel, [entry('film', { video_url: address })])
    return someone
  }

  /** Alice's download runs, and its first segment is there. */
  const arrivesFor = (alice: Person, list = playlist) =>
    arrives(app.storage.files, alice, { video_id: 'film', claim, is_sharing: SHARE_FILES === 'on', playlist: list })

  it('its person gets the playlist and the segments that it names', async () => {
    const alice = await follower('alice')
    const { key, arriving } = await arrivesFor(alice)
    await arriving.writeState(
      key,
      JSON.stringify({ duration_s: 12, is_whole_only: false, ends_at: null } as ArrivingState),
    )
    const answer = await ask('/stream/film/index.m3u8', { as: alice })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/vnd.apple.mpegurl'])
    const text = await answer.text()
    expect(text).toContain('#EXT-X-BACKLOT-DURATION:12')
    const segment = text.split('\n').find(line => line.endsWith('0.m4s'))
    const part = await ask(`/stream/film/${segment}`, { as: alice })
    expect(sliceIn(part)).toBeDefined()
    expect([part.status, part.headers.get('content-type'), await part.text()]).toEqual([200, 'video/mp4', 'segment'])
  })

  it.each([
    ['its worker died, without the last part', false, ['0.m4s']],
    ['all of it has arrived, with the last part', true, ['0.m4s', '1.m4s']],
  ])('a playlist that ffmpeg ended is shown when %s', async (_, has_all, names) => {
    const alice = await follower('alice')
    const { key, arriving } = await arrivesFor(alice, `${playlist}#EXTINF:1.066667,\n1.m4s\n#EXT-X-ENDLIST\n`)
    const note: ArrivingState = { duration_s: 12, is_whole_only: false, has_all, ends_at: null }
    await arriving.writeState(key, JSON.stringify(note))
    const lines = (await textAt('/stream/film/index.m3u8', { as: alice })).split('\n')
    expect(lines.filter(line => line.endsWith('.m4s')).map(line => line.split('/').at(-1))).toEqual(names)
    expect(lines).not.toContain('#EXT-X-ENDLIST')
  })

  it('a single part that may be cut off is not shown', async () => {
    const alice = await follower('alice')
    await arrivesFor(alice, `${playlist}#EXT-X-ENDLIST\n`)
    const answer = await ask('/stream/film/index.m3u8', { as: alice })
    expect([answer.status, await answer.text()]).toEqual([404, 'Waiting for the first part of the video…'])
  })

  const fromOurPlayer = (alice: Person, seen: string) =>
    ask('/stream/film/index.m3u8', { as: alice, headers: { 'backlot-seen': seen } })
  const more = `${playlist}#EXTINF:2.000000,\n1.m4s\n`
  const early = playlist.replace('init.mp4', 'early.mp4').replace('2.000000,\n0', '0.500000,\nearly0')

  it('our own player gets the next part when the part is there', async () => {
    const alice = await follower('alice')
    const { key, arriving } = await arrivesFor(alice)
    const folder = await arriving.newFolder(key, claim)
    const answered = fromOurPlayer(alice, '')
    await writeFile(join(folder, 'index.m3u8'), more)
    const answer = await answered
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining(`${claim}.2/1.m4s`)])
    expect(answer.headers.get('backlot-seen')).toBe(`${claim}.2/1.m4s`)
  })

  it('only our own player gets parts that begin without a key frame, until the whole ones reach as far', async () => {
    const alice = await follower('alice')
    const { key, arriving } = await arrivesFor(alice)
    const folder = await arriving.newFolder(key, claim)
    await writeFile(join(folder, 'early.m3u8'), early)
    expect((await ask('/stream/film/index.m3u8', { as: alice })).status).toBe(404)
    const text = await (await fromOurPlayer(alice, '')).text()
    expect(text).toContain(`URI="arriving/${claim}.2/early.mp4"`)
    expect(text).toContain(`arriving/${claim}.2/early0.m4s`)
    await writeFile(join(folder, 'index.m3u8'), playlist)
    expect(await (await fromOurPlayer(alice, '')).text()).not.toContain('early')
  })

  it('our own player stays with its parts where the whole ones reach only a moment further', async () => {
    const alice = await follower('alice')
    const { key, arriving } = await arrivesFor(alice)
    const folder = await arriving.newFolder(key, claim)
    await writeFile(join(folder, 'early.m3u8'), early.replace('0.500000', '1.500000'))
    await writeFile(join(folder, 'index.m3u8'), playlist)
    expect(await (await fromOurPlayer(alice, '')).text()).toContain('early0.m4s')
    await arriving.writeState(
      key,
      JSON.stringify({ duration_s: 2, is_whole_only: false, has_all: true, ends_at: null } satisfies ArrivingState),
    )
    expect(await (await fromOurPlayer(alice, '')).text()).not.toContain('early')
  })

  it('our own player gets the same playlist after a while, if no part comes, and counts as an open file', async () => {
    const alice = await follower('alice')
    await arrivesFor(alice)
    const answers = await Promise.all(Array.from({ length: 30 }, () => fromOurPlayer(alice, `${claim}.1/0.m4s`)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
  })

  it('who asks for the playlist wants the video', async () => {
    const alice = await follower('alice')
    const { key, arriving } = await arrivesFor(alice)
    expect(await arriving.isWanted(key)).toBe(false)
    await ask('/stream/film/index.m3u8', { as: alice })
    expect(await arriving.isWanted(key)).toBe(true)
  })

  it('another person gets it only after they requested the same video, and only where files are shared', async () => {
    const [alice, bob] = [await follower('alice'), await follower('bob')]
    await arrivesFor(alice)
    expect((await ask('/stream/film/index.m3u8', { as: bob })).status).toBe(404)
    expect((await ask(`/stream/film/arriving/${claim}.1/0.m4s`, { as: bob })).status).toBe(404)
    await bob.library.downloads.request(['film'])
    const shared = SHARE_FILES === 'on' ? 200 : 404
    expect((await ask('/stream/film/index.m3u8', { as: bob })).status).toBe(shared)
    const part = await ask(`/stream/film/arriving/${claim}.1/0.m4s`, { as: bob })
    // Its file is closed when it is read.
    expect([part.status, (await part.text()) === 'segment']).toEqual([shared, shared === 200])
  })

  it('a video that its site has closed is shared with no one', async () => {
    const [alice, bob] = [await follower('alice'), await follower('bob')]
    await sql`update video_entries set availability = 'members_only' where user_id = ${alice.user.user_id}`
    await arrivesFor(alice)
    await bob.library.downloads.request(['film'])
    expect((await ask('/stream/film/index.m3u8', { as: alice })).status).toBe(200)
    expect((await ask('/stream/film/index.m3u8', { as: bob })).status).toBe(404)
  })

  it.each(['..%2F..%2Fwanted', '%2e%2e', '..%2F0.m4s', '0.m4s%00'])(
    'no name leads out of the folder of segments: %s',
    async name => {
      const alice = await follower('alice')
      const { key, arriving } = await arrivesFor(alice)
      await arriving.want(key)
      expect((await ask(`/stream/film/arriving/..%2F${claim}.1/${name}`, { as: alice })).status).toBe(404)
      expect((await ask(`/stream/film/arriving/%2e%2e/${name}`, { as: alice })).status).toBe(404)
    },
  )

  it('while nothing can be played, it says why', async () => {
    const alice = await follower('alice')
    const { key, arriving } = await arrivesFor(alice)
    await arriving.forget(key, claim)
    const asked = async () => textAt('/stream/film/index.m3u8', { as: alice })
    expect(await asked()).toBe('Waiting for the first part of the video…')
    const note: ArrivingState = { duration_s: null, is_whole_only: true, ends_at: Date.now() + 300_400 }
    await arriving.writeState(key, JSON.stringify(note))
    expect(await asked()).toBe('This format can be played only when it is complete. About 5 minutes left.')
  })

  it('a player that waits is told when to ask again, and after a failure why it is over', async () => {
    const alice = await follower('alice')
    await arrivesFor(alice)
    await alice.library.downloads.request(['film'])
    const { arriving } = app.storage.files
    await arriving.forget(
      arrivingKey(
        { video_id: 'film', video_url: address, availability: null, user_id: alice.user.user_id, quality: 'best' },
        SHARE_FILES === 'on',
      ),
      claim,
    )
    const waiting = await ask('/stream/film/index.m3u8', { as: alice })
    expect([waiting.status, waiting.headers.get('retry-after')]).toEqual([404, '2'])
    const failed = { download_error: 'This video is gone.', next_attempt_at: null }
    await alice.library.downloads.fail('film', claim, failed)
    const over = await ask('/stream/film/index.m3u8', { as: alice })
    expect([over.status, over.headers.get('retry-after'), await over.text()]).toEqual([
      404,
      null,
      'This video is gone.',
    ])
  })

  it('a press on Watch puts the download first, and opens the page that plays it', async () => {
    const alice = await follower('alice')
    const answer = await ask('/videos/film/watch', { as: alice, method: 'POST' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/watch/film?now'])
    const jobs = await sql`select key from graphile_worker.jobs where key like ${`%:${alice.user.user_id}:film`}`
    expect(jobs.map(({ key }) => key.split(':')[0]).toSorted()).toEqual(['download', 'watch'])
    expect(await textAt('/watch/film?now', { as: alice })).toContain('data-arriving="/stream/film/index.m3u8"')
    expect(await textAt('/watch/film', { as: alice })).not.toContain('data-arriving')
  })
})
