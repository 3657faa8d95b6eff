/** Who gets the file of another person where it may lack the subtitles that they prefer. */
import { beforeEach, expect, it } from 'vitest'
import { useDatabase } from '../../support/app/database.ts'
import type { Person } from '../../support/app/people.ts'
import { useSharing } from '../../support/app/shared-video.ts'

const { sql } = useDatabase()
const scene = useSharing(sql)
const { wants, download, runJobs, status } = scene
let alice: Person
beforeEach(async () => {
  await scene.begin()
  alice = await wants('alice')
  await download(alice)
  await sql`truncate graphile_worker._private_jobs`
})

/** As many as a download takes of a site that has more. */
const many = ['en', 'de', 'ar', 'bg', 'cs', 'da', 'el', 'fi', 'hu', 'zh-Hans']
const hers = (subtitles: string[]) =>
  sql`update video_entries set subtitles = ${subtitles} where user_id = ${alice.user.user_id}`

it.each([
  ['gets the file', many, []],
  ['gets the file', many, ['de-CH']],
  ['gets the file', many, ['zh-Hans', 'fr']],
  ['downloads it', many, ['fr', 'de']],
  ['downloads it', many, ['zh-Hant']],
  // The site has no more.
  ['gets the file', ['en'], ['fr']],
  ['gets the file', [], ['fr']],
])('bob %s with the subtitles %j if he prefers %j', async (what, subtitles, preferred) => {
  await hers(subtitles)
  const bob = await wants('bob')
  await bob.library.settings.save({ subtitle_languages: preferred })

  await runJobs('share-requested')

  expect(await status(bob)).toBe(what === 'gets the file' ? 'completed' : 'pending')
  if (what === 'gets the file') return
  await download(bob)
  expect([await status(bob), scene.site().requests.length]).toEqual(['completed', 2])
})
