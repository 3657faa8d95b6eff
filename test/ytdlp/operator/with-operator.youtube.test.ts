/** A bot check that a plugin passes: YTDLP_CONFIG and YTDLP_PLUGINS, yt-dlp's own PO-token providers, and the small YouTube. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readOperator } from '../../../src/ytdlp/tools/operator.ts'
import { download } from '../../support/media/downloads.ts'
import { openPotProvider, writePotPlugin } from '../../support/media/small-youtube/pot-provider.ts'
import { openSmallYoutube, type SmallYoutube, smallChannel } from '../../support/media/small-youtube.ts'
import { asBinary } from '../../support/process/fake-tool.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const channel = smallChannel('checked', { videos: 2 })
let youtube: SmallYoutube
let provider: Awaited<ReturnType<typeof openPotProvider>>
const place = newFolder()
beforeAll(async () => {
  youtube = await openSmallYoutube(channel)
  provider = await openPotProvider()
  for (const video of channel.videos) video.kind = 'bot'
  await mkdir(join(place, 'plugins'), { mode: 0o755 })
  await writePotPlugin(join(place, 'plugins'))
  const options = [
    `--extractor-args "youtube:player_client=mweb;fetch_pot=always"`,
    `--extractor-args youtubepot-small:base_url=${provider.url}`,
  ]
  await writeFile(join(place, 'yt-dlp.conf'), options.join('\n'))
})
afterAll(async () => {
  await provider.close()
  await youtube.close()
})

beforeEach(() => {
  provider.asked.length = 0
})

async function fetched(how: string, config: Parameters<typeof readOperator>[0]) {
  const usual = youtube.tools(toolsForTests())
  const { ytdlp, ...tools } = how === 'started' ? await asBinary(usual, place) : usual
  const operator = await readOperator(config)
  const url = `https://www.youtube.com/watch?v=${channel.videos[0]?.id}`
  return download({ tools: { ...tools, ytdlp: { ...ytdlp, operator } }, policy: youtube.policy() }, { url })
}

it('a video behind a bot check fails without a plugin', async () => {
  const YTDLP_CONFIG = join(place, 'yt-dlp.conf')

  expect(await fetched('forked', {})).toMatchObject({ failure: { reason: 'bot_check', kind: 'operator' } })
  expect(await fetched('forked', { YTDLP_CONFIG })).toMatchObject({ failure: { reason: 'bot_check' } })
  expect(provider.asked).toEqual([])
})

const with_plugin = () => ({ YTDLP_CONFIG: join(place, 'yt-dlp.conf'), YTDLP_PLUGINS: join(place, 'plugins') })

it("a yt-dlp that is started downloads it with a provider's token", async () => {
  expect(await fetched('started', with_plugin())).toMatchObject({ file_size: expect.any(Number) })
  expect(provider.asked).toEqual([channel.videos[0]?.id])
})

it('a run without the plugin, after a run with it, has no token', async () => {
  expect(await fetched('forked', with_plugin())).toMatchObject({ file_size: expect.any(Number) })
  expect(provider.asked).toEqual([channel.videos[0]?.id])
  provider.asked.length = 0

  expect(await fetched('forked', {})).toMatchObject({ failure: { reason: 'bot_check' } })
  expect(provider.asked).toEqual([])
})
