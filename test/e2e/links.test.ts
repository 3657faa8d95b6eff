/** Real players, without a cookie, play and seek a film by its link: mpv where this machine has it, and ffprobe. */
import { readFile } from 'node:fs/promises'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLink } from '../../src/domain/links/links.ts'
import { type Server, serve } from '../../src/runtime/serve.ts'
import { useApp } from '../support/app/app.ts'
import { personWithFilm } from '../support/app/links.ts'
import { getFilm } from '../support/media/films.ts'
import { toolsForTests } from '../support/process/tools.ts'

const mpv_is_here = await execa('mpv', ['--version']).then(
  () => true,
  () => false,
)

const app = useApp()
let server: Server
const requests: { range: string | null; cookie: string | null; status: number }[] = []
beforeAll(async () => {
  server = await serve(
    async (request, connection) => {
      const answer = await app.app.fetch(request, connection)
      const [range, cookie] = ['range', 'cookie'].map(name => request.headers.get(name))
      requests.push({ range: range ?? null, cookie: cookie ?? null, status: answer.status })
      return answer
    },
    '127.0.0.1',
    0,
  )
})
afterAll(() => server.close())

async function filmByLink(kind: 'play' | 'share' = 'play'): Promise<string> {
  const { library } = await personWithFilm(app, 'alice', await readFile(await getFilm('/minute.mp4')))
  requests.length = 0
  const { url } = await createLink(library, server.url, { video_id: 'v1', kind, hours: 1 })
  return kind === 'share' ? `${url}/v1.mp4` : url
}

it.skipIf(!mpv_is_here)('mpv plays the film, and seeks', async () => {
  const url = await filmByLink()
  const silently = ['--no-config', '--vo=null', '--ao=null', '--cache=no', '--no-ytdl']
  // biome-ignore lint/suspicious/noTemplateCurlyInString: mpv reads it.
  const saying = '--term-status-msg=at ${=time-pos} of ${=duration}'
  const { all } = await execa('mpv', [...silently, saying, '--start=50', '--end=51', url], {
    all: true,
    timeout: 60_000,
  })
  expect(all).toContain('at 50.000000 of 60.000000')
  expect(requests.filter(({ status }) => status >= 400)).toEqual([])
  expect(requests.map(({ status }) => status)).toContain(206)
  expect(requests.map(({ cookie }) => cookie)).toEqual(requests.map(() => null))
})

it('ffprobe reads the film of a page, and the part that it seeks to', async () => {
  const url = await filmByLink('share')
  const args = ['-v', 'error', '-read_intervals', '50%+1', '-select_streams', 'v', '-show_entries', 'packet=pts_time']
  const { stdout } = await execa(toolsForTests().ffprobe, [...args, '-of', 'csv=p=0', url], { timeout: 60_000 })
  const times = stdout.split('\n').map(Number)
  expect([Math.min(...times), Math.max(...times)]).toEqual([50, expect.closeTo(51, 0)])
  expect(requests.map(({ status }) => status)).toContain(206)
})
