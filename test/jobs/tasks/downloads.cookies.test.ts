/** A person's cookies in real downloads from the small YouTube: used only after a refusal, and what they bring is for that person alone. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { restoreDownload } from '../../../src/domain/bin/restore.ts'
import { deleteFile } from '../../../src/domain/downloads/deletions.ts'
import { storeCookies } from '../../../src/domain/downloads/site-cookies.ts'
import { createDownloader } from '../../../src/ytdlp/fetch/download.ts'
import { useDatabase } from '../../support/app/database.ts'
import { lock } from '../../support/app/locks.ts'
import type { Person } from '../../support/app/people.ts'
import { useSharing } from '../../support/app/shared-video.ts'
import { cookieFile } from '../../support/media/small-youtube/account.ts'
import { openSmallYoutube, type SmallYoutube, smallChannel } from '../../support/media/small-youtube.ts'
import { foundIn } from '../../support/process/found-in.ts'
import { toolsForTests } from '../../support/process/tools.ts'

const { sql } = useDatabase()
const scene = useSharing(sql)
const { wants, runJobs, status } = scene
const channel = smallChannel('members', { videos: 1 })
const [video] = channel.videos
if (!video) throw new Error('the channel has no video')
const watch = `https://www.youtube.com/watch?v=${video.id}`
const first_login = 'AFmmF2sw-a-small-login'
const secret_key = 'a-key-of-more-than-thirty-two-letters'

let youtube: SmallYoutube
beforeAll(async () => {
  youtube = await openSmallYoutube(channel)
})
afterAll(() => youtube.close())
beforeEach(async () => {
  await scene.begin()
  await sql`truncate tool_outcomes`
  youtube.requests.splice(0)
  youtube.login = first_login
  video.kind = 'members'
})

const parts = () => ({
  downloadVideo: createDownloader({ tools: youtube.tools(toolsForTests()), policy: youtube.policy() }),
  secret_key,
})
const download = (who: Person, more = {}) => scene.download(who, { ...parts(), ...more })
const stores = ({ library }: Person, text = cookieFile(youtube.login)) =>
  storeCookies(library, secret_key, { host: 'youtube.com', text }, new Date())
const cookiesOf = async ({ library }: Person) => (await library.cookies.list())[0]
const errorOf = async ({ library }: Person) => (await library.videos.find('v1'))?.download_error
const signedIn = () => youtube.requests.filter(({ cookie }) => cookie?.includes('LOGIN_INFO')).length
const rowOf = async ({ user }: Person) => {
  const [row] = await sql`
    select address_hash, availability, duration_seconds, download_reason from video_entries where user_id = ${user.user_id}`
  return row
}

describe('a video for members', () => {
  it('is fetched with cookies after the refusal, and another person gets neither the file nor its facts', async () => {
    const [alice, bob] = [await wants('alice', watch), await wants('bob', watch)]
    await stores(alice)
    await download(alice)
    expect(await status(alice)).toBe('completed')
    expect(await cookiesOf(alice)).toMatchObject({ worked_at: expect.any(Date), refused_at: null })
    expect(await rowOf(alice)).toMatchObject({ address_hash: null, duration_seconds: video.seconds })

    await runJobs('share-requested', parts())
    await runJobs('share-ended', parts())
    expect(await status(bob)).toBe('pending')
    await download(bob)

    expect([await status(bob), await errorOf(bob)]).toEqual(['failed', "Members only. We'll keep checking."])
    expect(await rowOf(bob)).toMatchObject({ duration_seconds: null, availability: 'members_only' })
    expect((await scene.fileOf(alice))?.nlink).toBe(1)
    expect(await sql`select ended_at from tool_outcomes where user_id = ${alice.user.user_id}`).toEqual([])
  })

  it('stays private after the bin', async () => {
    const alice = await wants('alice', watch)
    await stores(alice)
    await download(alice)
    const { files } = scene.parts()
    const bin = { hours: 24, quota_bytes: 0 }
    await deleteFile(alice.library, { files, bin }, 'v1')
    expect(await status(alice)).toBe('pending')
    await restoreDownload(alice.library, { files, bin }, 'v1')
    expect(await status(alice)).toBe('completed')

    const bob = await wants('bob', watch)
    await runJobs('share-requested', parts())
    expect([await status(bob), (await rowOf(alice))?.address_hash]).toEqual(['pending', null])
  })

  it('lets others go on at once who wait for the run that turns private', async () => {
    const [alice, bob] = [await wants('alice', watch), await wants('bob', watch)]
    await stores(alice)
    const free = youtube.hold('/videoplayback')
    const running = download(alice)
    await expect.poll(signedIn, { timeout: 20_000 }).toBeGreaterThan(0)
    await expect.poll(async () => (await rowOf(alice))?.address_hash).toBe(null)
    await runJobs('share-ended', parts())
    await download(bob)
    expect([await status(alice), await status(bob)]).toEqual(['downloading', 'failed'])
    free()
    await running
    expect(await status(alice)).toBe('completed')
  })
})

describe('cookies', () => {
  it('are not sent while the video can be had without them, and its file is shared', async () => {
    video.kind = 'public'
    const [alice, bob] = [await wants('alice', watch), await wants('bob', watch)]
    await stores(alice)
    await download(alice)
    await runJobs('share-requested', parts())
    expect([await status(alice), await status(bob), signedIn()]).toEqual(['completed', 'completed', 0])
  })

  it('are not used without the key, with another key, and for a locked person', async () => {
    const alice = await wants('alice', watch)
    await stores(alice)
    for (const key of [undefined, `${secret_key}s`]) {
      await alice.library.downloads.request(['v1'])
      await download(alice, { secret_key: key })
      expect([await status(alice), signedIn()]).toEqual(['failed', 0])
    }
    await lock(sql, alice)
    expect(await alice.library.cookies.find(['youtube.com'])).toBeUndefined()
  })

  it('whose sign-in has ended are noted for their person alone, and rest for an hour', async () => {
    const alice = await wants('alice', watch)
    await stores(alice)
    youtube.login = 'a-newer-login'
    await download(alice)
    const ended = 'Your cookies for youtube.com no longer work. Store new ones in Settings.'
    expect([await status(alice), await errorOf(alice)]).toEqual(['failed', ended])
    expect(await cookiesOf(alice)).toMatchObject({ worked_at: null, refused_at: expect.any(Date) })

    youtube.requests.splice(0)
    await alice.library.downloads.request(['v1'])
    await download(alice)
    expect([await errorOf(alice), signedIn()]).toEqual([ended, 0])

    await stores(alice)
    expect(await cookiesOf(alice)).toMatchObject({ worked_at: null, refused_at: null })
    await alice.library.downloads.request(['v1'])
    await download(alice)
    expect(await status(alice)).toBe('completed')
    expect(await sql`select ended_at from tool_outcomes`).toEqual([])
  })

  it('are nowhere in a folder that is kept after a failure, and what is resumed from it stays private', async () => {
    const alice = await wants('alice', watch)
    await stores(alice)
    const heal = youtube.fail('/videoplayback', { status: 403 })
    await download(alice)
    expect(await status(alice)).toBe('failed')
    const work = join(scene.folder(), '.work', alice.user.user_id)
    expect(await readdir(join(work, 'v1'))).toEqual(['left'])
    expect(await foundIn(scene.folder(), [youtube.login])).toEqual([])

    heal()
    video.kind = 'public'
    await download(alice)
    expect([await status(alice), (await rowOf(alice))?.address_hash]).toEqual(['completed', null])
  })
})
