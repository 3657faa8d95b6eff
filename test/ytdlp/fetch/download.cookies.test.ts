/** Downloads with cookies of a person: who gets them, and what is left of them when the download has ended. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { download } from '../../support/media/downloads.ts'
import { cookieFile } from '../../support/media/small-youtube/account.ts'
import { openSmallYoutube, type SmallYoutube, smallChannel } from '../../support/media/small-youtube.ts'
import { foundIn } from '../../support/process/found-in.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const channel = smallChannel('members', { videos: 3 })
const [members, age, open] = channel.videos
if (!members || !age || !open) throw new Error('the channel has no videos')
members.kind = 'members'
members.captions = [{ language: 'en', vtt: 'WEBVTT\n\n00:00.000 --> 00:01.000\nOnly for members\n' }]
age.kind = 'age'

let youtube: SmallYoutube
beforeAll(async () => {
  youtube = await openSmallYoutube(channel)
})
afterAll(() => youtube.close())

type Seen = { jar?: { mode: number; text: string } }

async function fetchedWith({ id }: { id: string }, cookies?: string) {
  youtube.requests.splice(0)
  const folder = newFolder()
  const seen: Seen = {}
  const jar = join(folder, 'home', 'cookies.txt')
  const options = { tools: youtube.tools(toolsForTests()), policy: youtube.policy() }
  const result = await download(options, {
    url: `https://www.youtube.com/watch?v=${id}`,
    cookies,
    folder,
    onProgress() {
      stat(jar)
        .then(async ({ mode }) => {
          seen.jar ??= { mode: mode & 0o777, text: await readFile(jar, 'utf8') }
        })
        .catch(() => {})
    },
  })
  return { result, folder, seen }
}

it('a video for members is refused without cookies, and fetched with them, subtitles included', async () => {
  expect(await fetchedWith(members)).toMatchObject({ result: { failure: { reason: 'members' } } })
  expect(youtube.requests.filter(({ cookie }) => cookie?.includes('LOGIN_INFO'))).toEqual([])

  const { result, folder, seen } = await fetchedWith(members, cookieFile(youtube.login))
  expect(result).toMatchObject({ file_size: expect.any(Number), subtitles: [{ language: 'en' }] })
  const told = youtube.requests.filter(({ cookie }) => cookie?.includes(youtube.login)).map(({ host }) => host)
  expect([...new Set(told)]).toEqual(['www.youtube.com'])
  expect(youtube.requests.some(({ host }) => host === 'r1.googlevideo.com')).toBe(true)
  expect(seen.jar).toEqual({ mode: 0o600, text: expect.stringContaining(youtube.login) })
  expect(await foundIn(folder, [youtube.login])).toEqual([])
})

it('a video with an age limit is fetched with cookies', async () => {
  expect(await fetchedWith(age)).toMatchObject({ result: { failure: { reason: 'sign_in' } } })
  expect(await fetchedWith(age, cookieFile(youtube.login))).toMatchObject({ result: { file_size: expect.any(Number) } })
})

it('a sign-in that has ended is a refusal of the cookies, whatever the page of the video says', async () => {
  const { result } = await fetchedWith(members, cookieFile('a-login-of-last-year'))
  expect(result).toMatchObject({ failure: { reason: 'sign_in', detail: expect.stringContaining('no longer valid') } })
})
