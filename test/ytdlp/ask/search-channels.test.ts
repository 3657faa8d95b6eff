/** Searches the small YouTube for channels with the real yt-dlp. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createYoutubeSearcher, type YoutubeSearcher } from '../../../src/ytdlp/ask/search-channels.ts'
import { openSmallYoutube, type SmallYoutube, smallChannel } from '../../support/media/small-youtube.ts'
import { toolsForTests } from '../../support/process/tools.ts'

const many = Array.from({ length: 12 }, (_, at) => smallChannel(`notes${at}`, { videos: 1 }))
const signal = new AbortController().signal
let youtube: SmallYoutube
let search: YoutubeSearcher

beforeAll(async () => {
  youtube = await openSmallYoutube(...many)
  search = createYoutubeSearcher({ findTools: async () => youtube.tools(toolsForTests()), policy: youtube.policy() })
})
afterAll(() => youtube.close())
beforeEach(() => youtube.requests.splice(0))

it('the first ten channels with a name are found, with their handles', async () => {
  const [first] = many
  const title = first?.title ?? ''

  const result = await search({ words: title.slice(0, 5), signal })

  expect(result).toMatchObject({
    channels: [
      { title, page_url: `https://www.youtube.com/channel/${first?.channel_id}`, site: `YouTube · ${first?.handle}` },
      ...many.slice(1, 10).map(({ title }) => ({ title })),
    ],
  })
  expect(youtube.requests.filter(({ path }) => path === '/youtubei/v1/search')).toHaveLength(1)
})

it('a name that no channel has finds nothing, which is no failure', async () => {
  expect(await search({ words: 'zzzz', signal })).toEqual({ channels: [] })
})

it('a refusal says so in words about the site', async () => {
  const restore = youtube.fail('/youtubei/v1/search', { status: 429 })
  const result = await search({ words: 'notes', signal })
  restore()
  expect('failure' in result && result.failure).toMatchObject({ reason: 'rate_limited' })
})

it('words that look like options are only words', async () => {
  expect(await search({ words: '--exec touch /tmp/x', signal })).toEqual({ channels: [] })
})
