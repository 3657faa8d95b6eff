/** A site that repeats every header that it gets, and the real yt-dlp: nothing that a run gets is in what the run says and leaves. */
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { performDownload } from '../../src/domain/downloads/perform-download.ts'
import { addressPolicy } from '../../src/net/addresses.ts'
import { operatorProxy, throughProxy } from '../../src/net/operator-proxy.ts'
import { createCaptionFetcher } from '../../src/ytdlp/ask/captions.ts'
import { createLooker } from '../../src/ytdlp/ask/look-at.ts'
import { createDownloader } from '../../src/ytdlp/fetch/download.ts'
import { optionsIn } from '../../src/ytdlp/operator/options.ts'
import { runYtdlp } from '../../src/ytdlp/process/ytdlp.ts'
import { useDatabase } from '../support/app/database.ts'
import { personWith } from '../support/app/people.ts'
import { openTestStorage, storage_kinds } from '../support/app/storages.ts'
import { download } from '../support/media/downloads.ts'
import { getFilm } from '../support/media/films.ts'
import { toolsForTests } from '../support/process/tools.ts'
import { newFolder } from '../support/run/new-folder.ts'

const { sql } = useDatabase()
const own = 'own/Cookie+of=a-person'
const theirs = 'theirs/Cookie+of=the-operator'
const header = 'a key "of" the operator'
/** The site sets it in a run, as one that renews a session does. */
const renewed = 'renewed/Cookie+of=the-site'
const jar = (value: string) =>
  `# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t4102444800\tsession\t${value}\n`
const base64 = (text: string) => Buffer.from(text).toString('base64')
const inHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** `more`: what it says as well. */
let site: { url: string; told: string[]; more: string; close(): Promise<void> }
beforeAll(async () => {
  site = await openMirror()
})
afterAll(() => site.close())

/**
 * `/page` has a film and subtitles; `/to` leads there; `/gone` is missing; `/echo` is a text. Each says all headers, in three spellings.
 */
async function openMirror() {
  const film = await readFile(await getFilm('/plain.mp4'))
  const told: string[] = []
  const answer = ({ url = '', headers }: IncomingMessage, reply: ServerResponse) => {
    const heard = Object.values(headers).join(' ') + site.more
    told.push(heard)
    const words = [heard, encodeURIComponent(heard), base64(heard)].join(' ')
    const { pathname } = new URL(url, 'http://site')
    reply.setHeader('set-cookie', `renewed=${renewed}; Path=/; HttpOnly`)
    if (pathname === '/to')
      return reply.writeHead(302, { location: `/page?${new URLSearchParams({ to: heard })}`, 'x-heard': heard }).end()
    if (pathname === '/page') {
      const meta = ['og:title', 'og:description', 'og:site_name'].map(
        name => `<meta property="${name}" content="${inHtml(words)}">`,
      )
      const track = '<track kind="subtitles" srclang="en" src="/words.vtt">'
      const page = `<!doctype html><title>${inHtml(words)}</title>${meta.join('')}<video src="/film.mp4" type="video/mp4">${track}</video>`
      return reply.writeHead(200, { 'content-type': 'text/html' }).end(page)
    }
    if (pathname === '/words.vtt')
      return reply
        .writeHead(200, { 'content-type': 'text/vtt' })
        .end(`WEBVTT\n\n00:00.000 --> 00:01.000\nSubtitles ${words}\n`)
    if (pathname === '/film.mp4') return reply.writeHead(200, { 'content-type': 'video/mp4' }).end(film)
    if (pathname === '/echo') return reply.writeHead(200, { 'content-type': 'text/plain' }).end(words)
    return reply.writeHead(404, words).end(words)
  }
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise<void>(resolve => void server.close(() => resolve()).closeAllConnections())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, told, more: '', close }
}

const policy = () => addressPolicy([new URL(site.url).host])
const operated = () => {
  const { ytdlp, ...tools } = toolsForTests()
  const operator = { options: optionsIn(`--add-headers 'X-Key: ${header}'`), cookies: jar(theirs) }
  return { ...tools, ytdlp: { ...ytdlp, operator } }
}

async function textsIn(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true })
  const texts = names.map(name => readFile(join(folder, name), 'latin1').catch(() => ''))
  return [...names, ...(await Promise.all(texts))].join('\n')
}

/** Of each secret, what a reader could make it out by, without its neighbours in base64. */
const spellings = (secret: string) => [
  ...[secret, encodeURIComponent(secret), new URLSearchParams({ a: secret }).toString().slice(2), inHtml(secret)],
  ...[
    JSON.stringify(secret).slice(1, -1),
    ...[0, 1, 2].map(before => base64(' '.repeat(before) + secret).slice(4, -4)),
  ],
]

function requireHidden(said: string, secrets: string[]): void {
  expect(secrets.flatMap(spellings).filter(spelled => said.includes(spelled))).toEqual([])
}

describe.each([
  ['with cookies of a person', jar(own), [own, header, renewed]],
  ['with cookies of the operator', undefined, [theirs, header, renewed]],
] as const)('%s', (_, cookies, secrets) => {
  /** A page that asks for nothing else has no second request, and so none with the renewed cookie. */
  const mirrored = (by: readonly string[] = secrets) =>
    by.every(secret => site.told.some(heard => heard.includes(secret)))
  beforeEach(() => {
    site.told.length = 0
  })

  it.each(['/gone', '/to', '/page', '/echo'])('a download of %s leaves nothing that the site repeats', async path => {
    const folder = newFolder()
    const result = await download({ tools: operated(), policy: policy() }, { url: site.url + path, folder, cookies })
    expect(mirrored(path === '/gone' ? secrets.slice(0, 2) : secrets)).toBe(true)
    requireHidden(JSON.stringify(result) + (await textsIn(folder)), [...secrets])
    if (path === '/gone')
      expect(result).toMatchObject({ failure: { reason: 'not_found', ...(!cookies && { is_for_log: true }) } })
    if (path === '/page') expect(result).toMatchObject({ subtitles: [{ language: 'en' }] })
  })

  it('no line says it, whatever yt-dlp prints', async () => {
    const lines: string[] = []
    const args = ['--ignore-config', '--no-plugin-dirs', '-v', '--print-traffic', '--dump-pages', '-J', '--']
    const onLine = (line: string) => void lines.push(line)
    const signal = new AbortController().signal
    for (const path of ['/to', '/gone'])
      await runYtdlp(newFolder(), {
        tools: operated(),
        policy: policy(),
        signal,
        cookies,
        onLine,
        args: [...args, site.url + path],
      })
    const said = lines.join('\n')
    expect(said).toContain('…')
    // As it comes, yt-dlp prints it before it knows it. Nothing but this test asks for such lines.
    requireHidden(said.replace(/header: Set-Cookie: .*/gi, ''), [...secrets])
  })
})

it('no line says the password of a proxy, alone or with its user', async () => {
  const password = 'hunter2-of-the-proxy'
  site.more = ` ${password} ${base64(`backlot:${password}`)}`
  const proxied = throughProxy(policy(), {}, operatorProxy(`http://backlot:${password}@127.0.0.1:9`)).of_ytdlp
  const known = { ...policy(), secrets: proxied?.secrets ?? [] }
  const signal = new AbortController().signal
  const looked = await createLooker({ findTools: async () => toolsForTests(), policy: known })({
    url: `${site.url}/page`,
    signal,
  })
  expect(looked).toMatchObject({ video: { title: expect.stringContaining('…') } })
  requireHidden(JSON.stringify(looked), [password])
})

it('a look and captions with cookies of the operator find nothing that the site repeats', async () => {
  const options = { findTools: async () => operated(), policy: policy() }
  const signal = new AbortController().signal
  const found = []
  for (const path of ['/to', '/page', '/gone']) {
    found.push(await createLooker(options)({ url: site.url + path, signal }))
    found.push(await createCaptionFetcher(options)({ url: site.url + path, signal }))
  }
  const said = JSON.stringify(found)
  expect(said).toMatch(/Subtitles .*session=…/)
  requireHidden(said, [theirs, header, renewed])
})

it.each(storage_kinds)(
  'a download into %s stores nothing that the site repeats, and the database has none of it',
  async kind => {
    const storage = await openTestStorage(kind)
    try {
      const alice = await personWith(sql, 'alice', 'kitchen', ['v1'])
      await sql`update video_entries set video_url = ${`${site.url}/to`} where user_id = ${alice.user.user_id}`
      await alice.library.downloads.request(['v1'])
      const download = createDownloader({ tools: operated(), policy: policy() })
      const stopping = new AbortController().signal
      const parts = { library: alice.library, files: storage.files, download, stopping, secret_key: undefined }
      expect(await performDownload(parts, 'v1')).toBe('completed')
      const stored = await textsIn(storage.bucket?.folder ?? storage.folder)
      expect(stored.includes(Buffer.from('session=…').toString('latin1'))).toBe(true)
      requireHidden(stored + (await textsIn(storage.folder)) + (await allRows()), [theirs, header, renewed])
    } finally {
      await storage.close()
    }
  },
)

async function allRows(): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')`
  const rows = await Promise.all(tables.map(({ name }) => sql.unsafe(`select one::text from ${name} as one`)))
  return JSON.stringify(rows)
}
