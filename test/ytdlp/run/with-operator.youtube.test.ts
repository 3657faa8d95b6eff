/** A bot check that a plugin passes: YTDLP_CONFIG and YTDLP_PLUGINS, yt-dlp's own PO-token providers, and the small YouTube. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDownloader } from '../../../src/ytdlp/run/download.ts'
import type { Tools } from '../../../src/ytdlp/run/tools.ts'
import { readOperator } from '../../../src/ytdlp/tools/operator.ts'
import { openPotProvider, writePotPlugin } from '../../support/media/small-youtube/pot-provider.ts'
import { openSmallYoutube, type SmallYoutube, smallChannel } from '../../support/media/small-youtube.ts'
import { shellScript } from '../../support/process/fake-tool.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const channel = smallChannel('checked', { videos: 2 })
let youtube: SmallYoutube
let provider: Awaited<ReturnType<typeof openPotProvider>>
let place = ''
beforeAll(async () => {
  youtube = await openSmallYoutube(channel)
  provider = await openPotProvider()
  for (const video of channel.videos) video.kind = 'bot'
  place = await mkdtemp(join(tmpdir(), 'backlot-plugins-'))
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
  await rm(place, { recursive: true, force: true })
})

async function download(how: string, config: Parameters<typeof readOperator>[0]) {
  const folder = await newFolder()
  const tools: Tools = youtube.tools(toolsForTests())
  const operator = await readOperator(config)
  const { command, env } = tools.ytdlp
  // A binary cannot be forked.
  const binary = join(place, `yt-dlp-${how}`)
  if (how === 'started') await writeFile(binary, shellScript(command, env), { mode: 0o755 })
  const ytdlp = { ...tools.ytdlp, operator, ...(how === 'started' && { command: [binary], env: {} }) }
  return createDownloader({ tools: { ...tools, ytdlp }, policy: youtube.policy() })({
    url: `https://www.youtube.com/watch?v=${channel.videos[0]?.id}`,
    ...{ folder, signal: new AbortController().signal, onProgress: () => {} },
  })
}

it('a video behind a bot check fails without a plugin', async () => {
  const YTDLP_CONFIG = join(place, 'yt-dlp.conf')

  expect(await download('forked', {})).toMatchObject({ failure: { reason: 'bot_check', kind: 'operator' } })
  expect(await download('forked', { YTDLP_CONFIG })).toMatchObject({ failure: { reason: 'bot_check' } })
  expect(provider.asked).toEqual([])
})

it.each(['forked', 'started'])("a yt-dlp that is %s downloads it with a provider's token", async how => {
  const config = { YTDLP_CONFIG: join(place, 'yt-dlp.conf'), YTDLP_PLUGINS: join(place, 'plugins') }
  provider.asked.length = 0

  expect(await download(how, config)).toMatchObject({ file_size: expect.any(Number) })
  expect(provider.asked).toEqual([channel.videos[0]?.id])
})

it('a run without the plugin, after a run with it, has no token', async () => {
  provider.asked.length = 0

  expect(await download('forked', {})).toMatchObject({ failure: { reason: 'bot_check' } })
  expect(provider.asked).toEqual([])
})
