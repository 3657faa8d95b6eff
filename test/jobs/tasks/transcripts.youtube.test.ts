/** What is said in a video that nobody downloaded, from the small YouTube to the search of a person, with the real yt-dlp. */
import type { JobHelpers } from 'graphile-worker'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { captionsTask } from '../../../jobs/tasks/transcripts.ts'
import { listPauses } from '../../../src/db/queue/host-pauses.ts'
import { queueCaptions } from '../../../src/db/search/everyone/captions.ts'
import { webListings } from '../../../src/domain/listings/listings.ts'
import { isKnownHost } from '../../../src/feed/platforms/by-address.ts'
import { useApp } from '../../support/app/app.ts'
import { idleParts } from '../../support/app/parts.ts'
import { entry, type Person, person } from '../../support/app/people.ts'
import { pageAt } from '../../support/app/platform.ts'
import { rolling } from '../../support/media/captions.ts'
import { openSmallYoutube, type SmallYoutube, smallChannel } from '../../support/media/small-youtube.ts'
import { toolsForTests } from '../../support/process/tools.ts'

const { sql, ask } = useApp()
let youtube: SmallYoutube
let [alice, bob]: [Person, Person] = [{} as Person, {} as Person]
const [baking, brewing] = [smallChannel('baking', { videos: 1 }), smallChannel('brewing', { videos: 1 })]

beforeAll(async () => {
  youtube = await openSmallYoutube(baking, brewing)
  for (const video of [...baking.videos, ...brewing.videos])
    video.captions = [{ language: 'en', vtt: rolling, automatic: true }]
})
beforeEach(async () => {
  ;[alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
  await alice.library.settings.save({ captions_of_all: true })
})
afterAll(() => youtube.close())

/** The id of the only video of a channel that this person now follows. */
async function videoOf({ library }: Person, { channel_id, videos }: typeof baking): Promise<string> {
  const rss_url = `https://www.youtube.com/feeds/videos.xml?channel_id=${channel_id}`
  const entries = videos.map(({ id, published_at }) => entry(id, { video_url: pageAt(id), published_at }))
  await library.channels.save({ channel_id, title: channel_id, rss_url }, entries)
  return videos[0]?.id ?? expect.fail('no video')
}

async function run() {
  await sql`update users set captions_at = 'epoch'`
  await sql`delete from graphile_worker._private_jobs`
  await queueCaptions(sql, { isKnownHost })
  const tools = youtube.tools(toolsForTests())
  const listings = webListings({ policy: youtube.policy(), findTools: async () => tools })
  await captionsTask({ ...idleParts(sql), listings })({ host: 'youtube.com' }, {
    abortSignal: new AbortController().signal,
  } as JobHelpers)
}
const answer = async (path: string, as: Person) => {
  const response = await ask(path, { as })
  return { status: response.status, body: await response.json() }
}

it('search finds what is said in a video that is not on disk, for the person who wants it alone', async () => {
  const video_id = await videoOf(alice, baking)
  await videoOf(bob, baking)

  await run()

  const found = await answer('/api/search?q=sourdough', alice)
  expect(found.body.entries).toMatchObject([{ video_id, download_status: 'pending', moments: [{ start_seconds: 2 }] }])
  expect((await answer('/api/search?q=sourdough', bob)).body.entries).toEqual([])
  expect(await answer(`/api/transcript/${video_id}`, alice)).toMatchObject({
    status: 200,
    body: { language: 'en', automatic: true, lines: [{ start_seconds: 0, text: 'today we bake a loaf' }, {}, {}, {}] },
  })
  expect((await answer(`/api/transcript/${video_id}`, bob)).status).toBe(404)
  expect(youtube.requests.filter(({ path }) => path === '/videoplayback')).toEqual([])
})

it('captions that YouTube refuses with 429 pause captions there, and a later one is fetched after the pause', async () => {
  const video_id = await videoOf(alice, brewing)
  const works = youtube.fail('/api/timedtext', { status: 429 })
  await run()
  expect(await listPauses(sql, 9)).toMatchObject([{ host: 'youtube.com', what: 'captions' }])

  youtube.requests.splice(0)
  works()
  await run()
  expect(youtube.requests).toEqual([])

  await sql`delete from host_pauses`
  await run()
  expect(await alice.library.transcripts.find(video_id)).toMatchObject({ automatic: true })
})
