import { mkdir, readdir, utimes } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { JobHelpers } from 'graphile-worker'
import { afterEach, expect, it, vi } from 'vitest'
import { refreshFeedTask } from '../../../jobs/tasks/feeds.ts'
import { forgetOldTask, housekeepingTask } from '../../../jobs/tasks/housekeeping.ts'
import { dead_after_s, recover } from '../../../src/domain/downloads/recovery.ts'
import { RuleRequest } from '../../../src/schema/rules/rule.ts'
import { never_fetched } from '../../../src/schema/sources/feed.ts'
import { useDatabase } from '../../support/app/database.ts'
import { idleParts } from '../../support/app/parts.ts'
import { entry, follows, person } from '../../support/app/people.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const { sql } = useDatabase()
afterEach(() => void vi.unstubAllEnvs())
const broken = () => Promise.reject(new Error('EIO: the disk does not answer'))

it('feeds are planned even when some files cannot be read', async () => {
  const alice = await person(sql, 'alice')
  await follows(alice, 'c', ['v1'])
  await sql`update channels set next_fetch_at = null`
  const parts = idleParts(sql)
  const files = { ...parts.files, forgetAbandoned: broken }

  await housekeepingTask({ ...parts, files, refresh_interval_minutes: 30 })({}, {} as JobHelpers)

  const [channel] = await sql`select next_fetch_at from channels where user_id = ${alice.user.user_id}`
  expect(channel?.next_fetch_at).not.toBeNull()
})

it('downloads of dead workers are queued again even when their files cannot be moved', async () => {
  const alice = await person(sql, 'alice')
  await follows(alice, 'c', ['v1', 'v2'])
  await alice.library.downloads.request(['v1', 'v2'])
  for (const id of ['v1', 'v2']) await alice.library.downloads.start(id, crypto.randomUUID())
  await sql`
    update video_entries set download_heartbeat_at = now() - ${dead_after_s + 1} * interval '1 second'
    where  user_id = ${alice.user.user_id}`
  const parts = idleParts(sql)

  await recover({ ...parts, files: { ...parts.files, leaveWork: broken } }, async () => {})

  const standing = await alice.library.videos.statuses(['v1', 'v2'])
  expect(standing.map(({ download_status, queued }) => [download_status, queued])).toEqual([
    ['pending', true],
    ['pending', true],
  ])
})

it('a refresh without news applies the rule to videos that were not judged yet', async () => {
  const alice = await person(sql, 'alice')
  const rss_url = 'https://videos.example/rule.xml'
  const channel = { channel_id: 'ruled', title: 'Ruled', rss_url }
  await alice.library.channels.save(channel, [])
  await alice.library.rules.save('ruled', RuleRequest.parse({ auto_download: true }))
  await alice.library.channels.save(channel, [entry('new', { published_at: null })])
  await sql`update channels set next_fetch_at = now() where channel_id = 'ruled'`

  const parts = {
    ...idleParts(sql),
    fetchChanges: async () => ({ known: never_fetched, min_wait_s: null }),
    refresh_interval_minutes: 30,
  }
  await refreshFeedTask(parts)({ rss_url }, {} as JobHelpers)

  expect(await alice.library.videos.find('new')).toMatchObject({ queued: true })
})

it('nothing is deleted because of its age while the clock may be wrong', async () => {
  const alice = await person(sql, 'alice')
  await sql`
    insert into sessions (id, user_id, expires_at)
    values (${'5'.repeat(64)}, ${alice.user.user_id}, now() - interval '1 hour')`
  const sessions = async () => (await sql`select from sessions where expires_at < now()`).length
  const temporary = newFolder()
  vi.stubEnv('TMPDIR', temporary)
  const folder = join(temporary, 'backlot-work-ask-of-another-process')
  await mkdir(folder)
  const long_ago = new Date(Date.now() - 7 * 3_600_000)
  await utimes(folder, long_ago, long_ago)
  let is_doubtful = true
  const forgetOld = forgetOldTask({ ...idleParts(sql), isTimeDoubtful: () => is_doubtful })

  await forgetOld({}, {} as JobHelpers)
  expect([await sessions(), await readdir(temporary)]).toEqual([1, [basename(folder)]])
  is_doubtful = false
  await forgetOld({}, {} as JobHelpers)
  expect([await sessions(), await readdir(temporary)]).toEqual([0, []])
})
