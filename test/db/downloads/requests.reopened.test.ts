/** Downloads that failed because their video was closed are requested again when it opens. */
import { beforeEach, expect, it } from 'vitest'
import { requestOpened } from '../../../jobs/tasks/videos.ts'
import { changeRule } from '../../../src/domain/rules/rules.ts'
import { RuleRequest } from '../../../src/schema/rules/rule.ts'
import { silent } from '../../support/app/app.ts'
import { useDatabase } from '../../support/app/database.ts'
import { type Person, personWith } from '../../support/app/people.ts'

const { sql } = useDatabase()
let alice: Person
beforeEach(async () => {
  await sql`delete from channels`
  await sql`delete from graphile_worker._private_jobs`
  alice = await personWith(sql, 'alice', 'kitchen', ['v1', 'v2'])
})

async function fails({ library }: Person, video_id: string, reason: 'members' | 'private' | 'removed') {
  const claim = crypto.randomUUID()
  await library.downloads.start(video_id, claim)
  const availability = reason === 'members' ? 'members_only' : reason
  await library.downloads.fail(video_id, claim, {
    download_error: 'Closed.',
    download_detail: null,
    next_attempt_at: null,
    reason,
    availability,
  })
  await sql`delete from graphile_worker._private_jobs`
}
const opens = (video_id: string) => sql`update video_entries set availability = 'public' where video_id = ${video_id}`
const look = () => requestOpened({ sql, log: silent })
const state = async ({ library }: Person, video_id: string) => {
  const { download_status, queued, keeps_trying } = (await library.videos.find(video_id)) ?? expect.fail('no video')
  return { download_status, queued, keeps_trying }
}
const asked = async ({ user }: Person, video_id: string) =>
  (await sql`select download_asked_by from video_entries where user_id = ${user.user_id} and video_id = ${video_id}`)[0]
    ?.download_asked_by

it('a person’s download that failed because its video was for members is queued when the video opens', async () => {
  await alice.library.downloads.request(['v1'])
  await fails(alice, 'v1', 'members')
  await look()
  expect(await state(alice, 'v1')).toMatchObject({ download_status: 'failed', queued: false })

  await opens('v1')
  await look()
  await look()

  expect(await state(alice, 'v1')).toEqual({ download_status: 'pending', queued: true, keeps_trying: false })
  expect(await sql`select key from graphile_worker.jobs where key like 'download:%'`).toHaveLength(1)
})

it('a cancelled download is not requested again when its video opens', async () => {
  await alice.library.downloads.request(['v1'])
  await fails(alice, 'v1', 'members')
  await alice.library.downloads.cancel('v1')
  await opens('v1')
  await look()
  expect(await state(alice, 'v1')).toMatchObject({ download_status: 'pending', queued: false })
})

it('a rule’s download is requested again for the rule when its private video opens, unless the rule is off', async () => {
  await changeRule(alice.library, 'kitchen', RuleRequest.parse({ auto_download: true }))
  await alice.library.downloads.request(['v1', 'v2'], 'rule')
  await fails(alice, 'v1', 'private')
  await fails(alice, 'v2', 'members')
  await opens('v1')
  await look()
  expect(await state(alice, 'v1')).toEqual({ download_status: 'pending', queued: true, keeps_trying: true })
  expect(await asked(alice, 'v1')).toBe('rule')

  await changeRule(alice.library, 'kitchen', RuleRequest.parse({ auto_download: false }))
  await opens('v2')
  await look()
  expect(await state(alice, 'v2')).toMatchObject({ download_status: 'failed', queued: false })
})

it('a person’s download of a private video is left to the person', async () => {
  await alice.library.downloads.request(['v1'])
  await fails(alice, 'v1', 'private')
  await opens('v1')
  await look()
  expect(await state(alice, 'v1')).toMatchObject({ download_status: 'failed', queued: false })
})

it('an opened video is queued once when two workers notice it at the same time, and only for the person who requested it', async () => {
  const bob = await personWith(sql, 'bob', 'kitchen', ['v1'])
  await alice.library.downloads.request(['v1'])
  await fails(alice, 'v1', 'members')
  await opens('v1')
  await Promise.all([look(), look(), look()])
  expect(await sql`select key from graphile_worker.jobs where key like 'download:%'`).toHaveLength(1)
  expect(await state(bob, 'v1')).toMatchObject({ queued: false })
})

it('a failure that says a video may open plans a look, even when earlier looks were given up', async () => {
  const looks = () =>
    sql`select look_at is not null as planned, looks, availability from video_entries where video_id = 'v1'`
  await alice.library.downloads.request(['v1'])
  await fails(alice, 'v1', 'members')
  expect(await looks()).toEqual([{ planned: true, looks: -1, availability: 'members_only' }])

  await sql`update video_entries set look_at = null, looks = 43`
  await alice.library.downloads.request(['v1'])
  await fails(alice, 'v1', 'members')
  expect(await looks()).toEqual([{ planned: true, looks: -1, availability: 'members_only' }])

  await alice.library.downloads.request(['v1'])
  await fails(alice, 'v1', 'removed')
  expect(await looks()).toMatchObject([{ availability: 'removed' }])
})
