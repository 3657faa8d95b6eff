/** A person's cookies at a site of which yt-dlp knows nothing, with the real yt-dlp over https: when they are sent, and to which hosts. */
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import type { TaskParts } from '../../../jobs/tasks/task-parts.ts'
import { storeCookies } from '../../../src/domain/downloads/site-cookies.ts'
import { createDownloader } from '../../../src/ytdlp/fetch/download.ts'
import { useDatabase } from '../../support/app/database.ts'
import type { Person } from '../../support/app/people.ts'
import { useSharing } from '../../support/app/shared-video.ts'
import { openTestStorage } from '../../support/app/storages.ts'
import { type MembersSite, openMembersSite } from '../../support/media/members-site.ts'
import { foundIn } from '../../support/process/found-in.ts'
import { toolsForTests } from '../../support/process/tools.ts'

const { sql } = useDatabase()
const scene = useSharing(sql)
const { status, wants } = scene
const secret_key = 'a-key-of-more-than-thirty-two-letters'

/** As a browser exports them: of the site for this host alone, and of two others. */
const exported = ['films.example', '.cdn-films.example', 'media.films.example']
  .map((host, n) =>
    [host, n === 1 ? 'TRUE' : 'FALSE', '/', 'TRUE', 4_070_908_800, 'session', `of-alice-${n}`].join('\t'),
  )
  .join('\n')

const film = 'https://films.example/film.mp4'

let site: MembersSite
beforeAll(async () => {
  site = await openMembersSite(['films.example', 'media.films.example', 'cdn-films.example'], 'session=of-alice-0')
})
afterAll(() => site.close())
beforeEach(async () => {
  await scene.begin()
  site.requests.splice(0)
})

const download = (who: Person, more: Partial<TaskParts> = {}) =>
  scene.download(who, {
    downloadVideo: createDownloader({ tools: site.tools(toolsForTests()), policy: site.policy }),
    secret_key,
    ...more,
  })
const stores = ({ library }: Person, text = exported) =>
  storeCookies(library, secret_key, { host: 'films.example', text }, new Date())
const errorOf = async ({ library }: Person) => (await library.videos.find('v1'))?.download_error
const told = () => [...new Set(site.requests.flatMap(({ host, cookie }) => (cookie ? [`${host} ${cookie}`] : [])))]

it('a film that answers 401 is refused without cookies, and fetched with them', async () => {
  const [alice, bob] = [await wants('alice', film), await wants('bob', film)]
  await download(bob)
  expect([await status(bob), await errorOf(bob)]).toEqual([
    'failed',
    'You need to be signed in on films.example to see this video.',
  ])

  await stores(alice)
  await download(alice)
  expect([await status(alice), told()]).toEqual(['completed', ['films.example session=of-alice-0']])
  expect(site.requests.findIndex(({ cookie }) => cookie)).toBeGreaterThan(0)
})

it('a film that answers 403 is fetched with cookies, and fails as before without them', async () => {
  const forbidden = 'https://films.example/forbidden/film.mp4'
  const [alice, bob] = [await wants('alice', forbidden), await wants('bob', forbidden)]
  await download(bob)
  expect([await status(bob), await errorOf(bob)]).toEqual(['failed', 'Access denied by films.example (403).'])

  await stores(alice)
  await download(alice)
  expect([await status(alice), told()]).toEqual(['completed', ['films.example session=of-alice-0']])
})

it('a 403 with cookies says so, and does not count as the end of the sign-in', async () => {
  const alice = await wants('alice', 'https://films.example/forbidden/film.mp4')
  await stores(alice, exported.replaceAll('of-alice', 'of-someone'))
  await download(alice)

  expect([await status(alice), await errorOf(alice)]).toEqual([
    'failed',
    'Access denied by films.example (403), with your cookies too.',
  ])
  expect(await alice.library.cookies.list()).toMatchObject([{ worked_at: null, refused_at: null }])
})

it('cookies are nowhere in the bucket that gets the film, and nowhere on the disk of its worker', async () => {
  const { files, bucket, folder, close } = await openTestStorage('a bucket')
  onTestFinished(close)
  const alice = await wants('alice', film)
  await stores(alice)
  await download(alice, { files })

  const { download_path } = (await alice.library.videos.find('v1')) ?? expect.fail()
  expect([told(), await bucket?.keys()]).toEqual([['films.example session=of-alice-0'], [download_path]])
  expect(await foundIn(bucket?.folder ?? '', [download_path ?? ''])).not.toEqual([])
  expect(await foundIn(bucket?.folder ?? '', ['of-alice'])).toEqual([])
  expect(await foundIn(folder, ['of-alice'])).toEqual([])
})

it('a redirect to another site does not take the cookies along', async () => {
  const alice = await wants('alice', 'https://films.example/to/cdn-films.example')
  await stores(alice)
  await download(alice)

  expect([await status(alice), await errorOf(alice)]).toEqual(['completed', null])
  expect(site.requests).toContainEqual({ host: 'cdn-films.example', path: '/film.mp4', cookie: undefined })
  expect(told()).toEqual(['films.example session=of-alice-0'])
})

it('a redirect to a site below it does, as Settings says', async () => {
  const alice = await wants('alice', 'https://films.example/to/media.films.example')
  await stores(alice)
  await download(alice)

  expect([await status(alice), await errorOf(alice)]).toEqual(['completed', null])
  expect(told()).toContainEqual(expect.stringMatching(/^media\.films\.example .*of-alice-2$/))
})
