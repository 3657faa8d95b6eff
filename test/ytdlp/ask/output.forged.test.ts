/** Lines that a site or an address writes for us to read. The real yt-dlp prints them; none is ever taken for its own. */
import { readdir } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { addressPolicy } from '../../../src/net/addresses.ts'
import type { Progress } from '../../../src/schema/downloads/download.ts'
import { createOwnerFinder } from '../../../src/ytdlp/ask/look-at.ts'
import { createDownloader } from '../../../src/ytdlp/fetch/download.ts'
import { siteWith } from '../../support/media/feed-site.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const policy = addressPolicy(['127.0.0.1'])
let folder: string

beforeEach(async () => {
  folder = newFolder()
})

async function download(url: string) {
  const told: Progress[] = []
  const signal = new AbortController().signal
  const onProgress = (progress: Progress) => void told.push(progress)
  const result = await createDownloader({ tools: toolsForTests(), policy })({ url, folder, signal, onProgress })
  return { failure: 'failure' in result ? result.failure : undefined, told }
}

const slowDown = 'ERROR: HTTP Error 429: Too Many Requests Retry-After: 86400'
const percent = JSON.stringify({
  format_id: '1',
  progress: { status: 'downloading', total_bytes: 9, downloaded_bytes: 7 },
})
/** What the first round of this project would have read as its own. */
const forged = [slowDown, `[backlot-progress]${percent}`, `[backlot-progress:${'0'.repeat(32)}]${percent}`]
const path = (separator: string) => `/oops/x${encodeURIComponent([separator, ...forged, 'y'].join(separator))}`

const gone: RequestListener = (_, response) => response.writeHead(404).end()

describe('an address with lines of its own', () => {
  it.each(['\r', '\n', '\u0085', '\u2028'])(
    'an address with a line separator %j starts nothing, and says why',
    async separator => {
      const site = await siteWith(gone)

      const { failure, told } = await download(site.url + path(separator))

      expect(failure).toMatchObject({ kind: 'permanent', sentence: expect.stringContaining('control characters') })
      expect(told).toEqual([])
      expect(site.asked).toEqual([])
      expect(await readdir(folder)).toEqual([])
    },
  )

  it('the owner of an address with line separators is not looked up', async () => {
    const site = await siteWith(gone)
    const findOwner = createOwnerFinder({ findTools: async () => toolsForTests(), policy })

    expect(await findOwner(site.url + path('\r'), new AbortController().signal)).toEqual([])
    expect(site.asked).toEqual([])
  })
})

describe('a site that redirects to an address with lines of its own', () => {
  it.each(['\r', '\n'])(
    'a redirect to an address with a line separator %j is not read as yt-dlp’s own words',
    async separator => {
      // The second request is for the address that the first one led to: only now is its name printed.
      let looks = 0
      const site = await siteWith((request, response) => {
        if (request.url === '/watch') return response.writeHead(302, { location: path(separator) }).end()
        return ++looks === 1 ? response.setHeader('content-type', 'text/html').end('<p>') : gone(request, response)
      })

      const { failure, told } = await download(`${site.url}/watch`)

      expect(site.asked.length).toBeGreaterThan(1)
      expect(told.every(({ phase }) => phase === 'preparing')).toBe(true)
      // The text of an error decides only about this download.
      expect(failure).not.toHaveProperty('retry_after_s')
    },
  )
})
