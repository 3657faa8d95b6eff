/** What yt-dlp is asked of an address, and what it may reach for it. The real one, where its answer is at stake. */
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { ownerArgumentsOf } from '../../../src/ytdlp/ask/command.ts'
import { createOwnerFinder } from '../../../src/ytdlp/ask/look-at.ts'
import { markersWith, readOwner } from '../../../src/ytdlp/ask/output.ts'
import { siteWith } from '../../support/media/feed-site.ts'
import { withScript } from '../../support/process/fake-tool.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const channel = 'UCabcdefghijklmnopqrst-_'
const never = new AbortController().signal
let folder: string

beforeEach(async () => {
  folder = newFolder()
})

const fake = (script: string) => withScript(toolsForTests(), folder, script)
const saying = (owners: object[]) => owners.map(owner => `say owner '${JSON.stringify(owner)}'`).join('\n')

describe('an owner lookup', () => {
  it.each([
    [
      'the identifier before the handle, on YouTube',
      [{ extractor_key: 'Youtube', channel_id: channel, uploader_url: 'https://www.youtube.com/@who' }],
      [`https://www.youtube.com/channel/${channel}`, 'https://www.youtube.com/@who'],
    ],
    [
      'the channel of a list',
      [{ extractor_key: 'YoutubeTab', playlist_channel_id: channel, channel_url: null }],
      [`https://www.youtube.com/channel/${channel}`],
    ],
    [
      'the page of the uploader elsewhere, once',
      [
        { extractor_key: 'Vimeo', channel_id: 'not-youtube', uploader_url: 'https://vimeo.com/someone' },
        { extractor_key: 'Vimeo', uploader_url: 'https://vimeo.com/someone' },
      ],
      ['https://vimeo.com/someone'],
    ],
    ['nothing that is no web page', [{ channel_url: 'javascript:alert(1)', uploader_url: 'file:///etc/passwd' }], []],
    ['nothing that cannot be parsed as an address', [{ channel_url: 'http://[', uploader_url: 'https://' }], []],
    ['nothing of what is no text', [{ channel_url: 7, uploader_url: ['https://x.example/'] }], []],
  ])('the owner of a video is %s', async (_, owners, pages) => {
    const tools = await fake(`${saying(owners)}; exit 1`)
    const findOwner = createOwnerFinder({ findTools: async () => tools, policy: addressPolicy([]) })
    expect(await findOwner('https://video.example/v', never)).toEqual(pages)
  })

  it('owners cannot be looked up while tools are missing or still searched for', async () => {
    const missing = createOwnerFinder({ findTools: async () => ({ missing: 'None.' }), policy: addressPolicy([]) })
    const looking = createOwnerFinder({ findTools: () => new Promise(() => {}), policy: addressPolicy([]) })
    expect(await missing('https://video.example/v', never)).toBe('not_ready')
    expect(await looking('https://video.example/v', AbortSignal.timeout(50))).toBe('not_ready')
  })

  it('owner lookups run one at a time per person, and two in all', async () => {
    const log = join(folder, 'runs')
    const tools = await fake(`for url; do :; done; echo "+ $url" >> ${log}; sleep 0.2; echo "- $url" >> ${log}; exit 1`)
    const findOwner = createOwnerFinder({ findTools: async () => tools, policy: addressPolicy([]) })
    const ask = (whose: string, n: number) => findOwner(`https://video.example/${whose}${n}`, never, whose)

    await Promise.all([1, 2, 3, 4].map(n => ask('alice', n)).concat(ask('bob', 1), ask('carol', 1)))

    let running: string[] = []
    for (const line of (await readFile(log, 'utf8')).trim().split('\n')) {
      const [sign, url = ''] = line.split(' ')
      running = sign === '+' ? [...running, url] : running.filter(other => other !== url)
      expect(running.length).toBeLessThanOrEqual(2)
      expect(running.filter(other => other.includes('alice')).length).toBeLessThanOrEqual(1)
    }
    const starts = (await readFile(log, 'utf8')).split('\n').filter(line => line.startsWith('+'))
    expect(starts.slice(0, 4).map(line => line.replace(/.*\/(\w+)\d/, '$1'))).toEqual(
      expect.arrayContaining(['alice', 'bob', 'carol']),
    )
    await rm(log)
  })

  it('an aborted owner lookup leaves nothing behind', async () => {
    vi.stubEnv('TMPDIR', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    const tools = await fake('sleep 300')
    const findOwner = createOwnerFinder({ findTools: async () => tools, policy: addressPolicy([]) })
    await expect(findOwner('https://video.example/v', AbortSignal.timeout(200))).rejects.toThrow()
    expect(await readdir(folder)).toEqual(['fake-yt-dlp'])
  })

  it('an owner lookup puts the address after the end of options, downloads nothing and reads no configuration', () => {
    const args = ownerArgumentsOf('--exec=id', '2026.08.19', markersWith('5ec7e7'))
    expect(args.slice(-2)).toEqual(['--', '--exec=id'])
    for (const flag of ['--simulate', '--ignore-config', '--no-exec', '--flat-playlist', '--no-cache-dir'])
      expect(args).toContain(flag)
    expect(args).not.toContain('--no-simulate')
  })
})

describe('the real yt-dlp', () => {
  const page = '<html><head><title>A film</title><meta property="og:video" content="/film.mp4"></head></html>'
  const findTools = async () => toolsForTests()

  it('the real yt-dlp reads the page through our proxy, and prints the words we read', async () => {
    const site = await siteWith((request, response) => {
      if (request.url === '/film.mp4') response.setHeader('content-type', 'video/mp4')
      response.end(request.url === '/page' ? page : 'film')
    })
    const { ytdlp, ...tools } = toolsForTests()
    const listening = await fake(`"$@" | tee ${folder}/said`)
    const command = [...listening.ytdlp.command, ...ytdlp.command]
    const findOwner = createOwnerFinder({
      findTools: async () => ({ ...tools, ytdlp: { ...ytdlp, command } }),
      policy: addressPolicy(['127.0.0.1']),
    })
    expect(await findOwner(`${site.url}/page`, never)).toEqual([])
    expect(site.asked).toContain('/page')
    const line = (await readFile(join(folder, 'said'), 'utf8')).split('\n')[0] ?? ''
    const secret = /^\[backlot-owner:([0-9a-f]{32})\]/.exec(line)?.[1] ?? ''
    expect(readOwner(line, markersWith(secret))).toEqual({ extractor_key: 'Generic' })
  })

  it('the real yt-dlp reaches no inside address, neither directly nor by a redirect', async () => {
    const inside = await siteWith((_, response) => response.end(page))
    const outside = await siteWith((_, response) => response.writeHead(302, { location: `${inside.url}/page` }).end())
    const strict = createOwnerFinder({ findTools, policy: addressPolicy([`127.0.0.1:${outside.port}`]) })
    expect(await strict(`${inside.url}/page`, never)).toEqual([])
    expect(await strict(`${outside.url}/`, never)).toEqual([])
    expect(outside.asked).toEqual(['/'])
    expect(inside.asked).toEqual([])
  })
})
