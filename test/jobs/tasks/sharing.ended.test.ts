/** People who request a video while another one fetches it: one request, and each has the file when it arrives, or tries when it fails. */
import { beforeEach, describe, expect, it } from 'vitest'
import { everyoneIn } from '../../../src/db/everyone.ts'
import { connect } from '../../../src/db/postgres/client.ts'
import { userFlag } from '../../../src/db/queue/flags.ts'
import { downloadKey } from '../../../src/db/queue/queue.ts'
import { wordsHash } from '../../../src/schema/videos/video.ts'
import { useDatabase } from '../../support/app/database.ts'
import type { Person } from '../../support/app/people.ts'
import { useSharing, watch } from '../../support/app/shared-video.ts'

const { sql, url } = useDatabase()
const scene = useSharing(sql)
const { wants, download, runJobs, status, fileOf, queue } = scene
beforeEach(() => scene.begin())

const ends = (more = {}) => runJobs('share-ended', more)

/** Alice fetches the video; bob and carol requested it, and their downloads were about to start. */
async function whileAliceFetches() {
  const people = { alice: await wants('alice'), bob: await wants('bob'), carol: await wants('carol') }
  await runJobs('share-requested')
  const release = scene.site().hold()
  const stopping = new AbortController()
  const run = download(people.alice, {}, stopping)
  await scene.site().asked()
  await download(people.bob)
  await download(people.carol)
  /** Lets the run arrive, or gives it up. */
  const arrives = () => {
    release()
    return run
  }
  const isGivenUp = () => {
    stopping.abort()
    return arrives()
  }
  return { ...people, arrives, isGivenUp }
}

const isDue = async ({ user }: Person) => (await queue()).get(user.user_id)

it('two people who request a video while another one fetches it get the file when it arrives, by one request', async () => {
  const { alice, bob, carol, arrives } = await whileAliceFetches()
  expect([await status(bob), await isDue(bob), await isDue(carol)]).toEqual(['pending', false, false])

  await arrives()
  await ends()

  expect(await Promise.all([alice, bob, carol].map(status))).toEqual(['completed', 'completed', 'completed'])
  expect(scene.site().requests).toEqual([watch])
  expect(new Set(await Promise.all([alice, bob, carol].map(async who => (await fileOf(who))?.ino))).size).toBe(1)
  expect([await isDue(bob), await isDue(carol)]).toEqual([undefined, undefined])
})

it('a download that waits for another person’s run has a place in the queue like every other', async () => {
  const { alice, bob, carol, isGivenUp } = await whileAliceFetches()
  // Her run has it.
  await sql`delete from graphile_worker._private_jobs where key = ${downloadKey({ user_id: alice.user.user_id, video_id: 'v1' })}`
  const placeOf = async ({ library }: Person) => (await library.videos.find('v1'))?.queue_position
  expect(await Promise.all([alice, bob, carol].map(placeOf))).toEqual([null, 1, 1])
  await wants('dave', 'https://videos.example/other')
  const erin = await wants('erin', 'https://videos.example/another')
  expect(await Promise.all([bob, erin].map(placeOf))).toEqual([3, 2])
  await isGivenUp()
})

it('a download that workers skip now does not keep the others waiting that wait for the same run', async () => {
  const { alice, bob, carol, isGivenUp } = await whileAliceFetches()
  await sql`insert into workers (id, passed_over) values ('w', ${[userFlag(bob.user.user_id)]})`
  await alice.library.downloads.cancel('v1')
  await ends()
  expect([await isDue(bob), await isDue(carol)]).toEqual([false, true])
  await isGivenUp()
})

it('a run that fails because its person has no more room wakes the next person’s download at once', async () => {
  const [alice, bob] = [await wants('alice'), await wants('bob')]
  await runJobs('share-requested')
  const release = scene.site().hold()
  const run = download(alice, { room: { min_free_bytes: 0, quota_bytes: 5 } })
  await scene.site().asked()
  await download(bob)
  expect(await isDue(bob)).toBe(false)
  release()
  await run
  await ends()
  expect([await status(alice), await isDue(bob)]).toEqual(['failed', true])
  await download(bob)
  expect(await status(bob)).toBe('completed')
})

describe('the next person’s download runs at once, and only that one,', () => {
  it.each<[string, (parts: Awaited<ReturnType<typeof whileAliceFetches>>) => Promise<unknown>]>([
    ['when the run is cancelled', ({ alice }) => alice.library.downloads.cancel('v1')],
    ['when its channel is unfollowed', ({ alice }) => alice.library.channels.remove('channel')],
    ['when its account is deleted', ({ alice }) => sql`delete from users where id = ${alice.user.user_id}`],
    [
      'when the run fails',
      async ({ alice }) => {
        const [row] = await sql`select download_claim as claim from video_entries where user_id = ${alice.user.user_id}`
        const failed = { download_error: 'It is gone.', next_attempt_at: null }
        await alice.library.downloads.fail('v1', row?.claim, failed)
      },
    ],
    [
      'when its worker died',
      async ({ alice }) => {
        const [row] = await sql`select download_claim as claim from video_entries where user_id = ${alice.user.user_id}`
        await alice.library.downloads.handBack('v1', row?.claim)
      },
    ],
  ])('%s', async (_, end) => {
    const parts = await whileAliceFetches()

    await end(parts)
    await ends()

    expect([await isDue(parts.bob), await isDue(parts.carol)]).toEqual([true, false])
    await parts.isGivenUp()
  })

  it('a file with words of another person’s entry is not given: the next person’s download runs at once', async () => {
    const { alice, bob, carol, arrives } = await whileAliceFetches()
    const video = await alice.library.videos.find('v1')
    if (video) scene.site().writesWords(wordsHash({ ...video, title: 'Words of alice’s feed' }))
    await arrives()
    await ends()
    expect([await status(alice), await status(bob), await isDue(bob), await isDue(carol)]).toEqual([
      'completed',
      'pending',
      true,
      false,
    ])
  })
})

it('a run that fails makes no other download fail: each tries, one after the other', async () => {
  const { alice, bob, carol, isGivenUp } = await whileAliceFetches()
  await alice.library.downloads.cancel('v1')
  await ends()
  await isGivenUp()
  const again = scene.site().hold()
  const second = download(bob)
  await scene.site().asked()
  await download(carol)
  expect([await status(bob), await status(carol), await isDue(carol)]).toEqual(['downloading', 'pending', false])
  again()
  await second
  await ends()
  expect([await status(bob), await status(carol), scene.site().requests.length]).toEqual(['completed', 'completed', 2])
})

it('a download waits for the run of another person for a day at most', async () => {
  const { bob, arrives } = await whileAliceFetches()
  await sql`update video_entries set download_requested_at = now() - interval '25 hours' where user_id = ${bob.user.user_id}`
  const second = download(bob)
  await expect.poll(() => scene.site().requests.length).toBe(2)
  await Promise.all([arrives(), second])
})

it('with SHARE_FILES=off everyone requests the site', async () => {
  const off = { is_sharing: false }
  const [alice, bob] = [await wants('alice'), await wants('bob')]
  const release = scene.site().hold()
  const runs = [download(alice, off), download(bob, off)]
  await expect.poll(() => scene.site().requests.length).toBe(2)
  release()
  await Promise.all(runs)
  await runJobs('share-requested', off)
  await ends(off)
  expect((await fileOf(alice))?.ino).not.toBe((await fileOf(bob))?.ino)
})

it('250 people who wait for one video get it from one job', async () => {
  const people = await Promise.all(Array.from({ length: 250 }, (_, n) => wants(`p${n}`)))
  await runJobs('share-requested')
  await download(people[0] as Person)
  await ends()
  const [row] = await sql`select count(*) as count from video_entries where download_status = 'COMPLETED'`
  expect([row?.count, scene.site().requests.length]).toEqual([250, 1])
}, 60_000)

it('of several workers that start the downloads of several people at the same moment, one requests the site', async () => {
  const connections = Array.from({ length: 5 }, () => everyoneIn(connect(url, { max: 2 })))
  for (let round = 0; round < 10; round++) {
    await scene.begin()
    const people = await Promise.all(Array.from({ length: 5 }, (_, n) => wants(`p${n}`)))
    const release = scene.site().hold()
    let ended = 0
    const runs = people.map(async (who, n) => {
      await download(who, { sql: connections[n] ?? sql })
      ended += 1
    })
    // The others end at once, because they wait for the first.
    await expect.poll(() => ended).toBe(4)
    release()
    await Promise.all(runs)
    await runJobs('share-requested')
    await ends()
    expect(scene.site().requests).toHaveLength(1)
    expect(await Promise.all(people.map(status))).toEqual(people.map(() => 'completed'))
  }
  await Promise.all(connections.map(connection => connection.end()))
}, 60_000)
