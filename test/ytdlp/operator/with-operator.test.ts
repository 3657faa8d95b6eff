/** What reaches sites of an operator's options and cookies, with the real yt-dlp, forked and not. */
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { argumentsOf, listArgumentsOf } from '../../../src/ytdlp/ask/command.ts'
import { markersWith } from '../../../src/ytdlp/ask/output.ts'
import { type Operator, optionsIn } from '../../../src/ytdlp/operator/options.ts'
import { info_file, joinedWith } from '../../../src/ytdlp/operator/with-operator.ts'
import type { Tools } from '../../../src/ytdlp/process/programs.ts'
import { runYtdlp } from '../../../src/ytdlp/process/ytdlp.ts'
import { download } from '../../support/media/downloads.ts'
import { getFilm } from '../../support/media/films.ts'
import { asBinary } from '../../support/process/fake-tool.ts'
import { readOfProcesses } from '../../support/process/running.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const markers = markersWith('5ec7e7')
const listing = listArgumentsOf({ url: 'https://a.example/', version: '2026.10.26', markers, most: 5, pause_s: 1 })
const operator = (text: string, more: Partial<Operator> = {}): Operator => ({ options: optionsIn(text), ...more })

describe('the arguments of a run', () => {
  it('without an operator are ours', () => {
    expect(joinedWith(listing, undefined)).toEqual({ args: listing, options: [] })
  })

  it("lack ours of a name that the operator's options have", () => {
    const { args, options } = joinedWith(listing, operator('--retries 9 --sleep-requests 4 -r 1M'))

    expect(args).not.toContain('--retries')
    expect(args).not.toContain('--sleep-requests')
    expect(args).toContain('--socket-timeout')
    expect(options.map(({ name }) => name)).toEqual(['--retries', '--sleep-requests', '--limit-rate'])
    expect(args.slice(-2)).toEqual(['--', 'https://a.example/'])
  })

  it('keep the arguments for an extractor of both, and ours count last', () => {
    const { args, options } = joinedWith(
      listing,
      operator('--extractor-args YouTube:lang=de --extractor-args vimeo:a=b'),
    )

    expect(args.filter(arg => arg.startsWith('youtube'))).toEqual(['youtubetab:approximate_date'])
    expect(options).toEqual([
      { name: '--extractor-args', value: 'youtube:lang=de;raise_incomplete_data' },
      { name: '--extractor-args', value: 'vimeo:a=b' },
    ])
  })

  it('name the folder of plugins in place of all others, and only for a yt-dlp that knows it', () => {
    const plugins = { folder: '/srv/plugins', packages: ['a'] }
    const { args } = joinedWith(listing, operator('', { plugins }))

    const at = args.indexOf('--no-plugin-dirs')
    expect(args.slice(at, at + 3)).toEqual(['--no-plugin-dirs', '--plugin-dirs', '/srv/plugins'])
    const old = { folder: '/srv/one', ffmpeg: '/opt/ffmpeg', version: '2023.03.04', markers }
    const older = argumentsOf({ ...old, url: 'https://a.example/', quality: 'best' })
    expect(joinedWith(older, operator('', { plugins })).args).not.toContain('--plugin-dirs')
  })

  it('change nothing after the end of options', () => {
    const args = ['--retries', '1', '--', '--retries']

    expect(joinedWith(args, operator('-R 3')).args).toEqual(['--', '--retries'])
  })
})

type Asked = { path: string; headers: IncomingMessage['headers'] }

let site: { url: string; asked: Asked[]; close(): Promise<void> }
let folder = ''
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  folder = newFolder()
  site.asked.length = 0
})

/** A page with a film, which sets a cookie. `/gone` is a page whose film is refused. */
async function openSite() {
  const asked: Asked[] = []
  const film = await readFile(await getFilm('/plain.mp4'))
  const answer = ({ url = '', headers }: IncomingMessage, reply: ServerResponse) => {
    asked.push({ path: url, headers })
    const fresh = { 'set-cookie': 'fresh=from-the-site; Path=/' }
    if (url === '/watch' || url === '/gone') {
      const page = `<!doctype html><title>A film</title><video src="${url}.mp4" type="video/mp4"></video>`
      return reply.writeHead(200, { 'content-type': 'text/html', ...fresh }).end(page)
    }
    if (url === '/watch.mp4') return reply.writeHead(200, { 'content-type': 'video/mp4' }).end(film)
    return reply.writeHead(url === '/gone.mp4' ? 403 : 404).end()
  }
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise<void>(resolve => void server.close(() => resolve()).closeAllConnections())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close }
}

const secrets = { theirs: 'c0okie-of-the-operator', own: 'c0okie-of-a-person', token: 't0ken-for-an-extractor' }
const jar = (value: string) =>
  `# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t4102444800\tsession\t${value}\n`

const given =
  operator(`--user-agent "Agent of the operator" --add-headers 'X-Asked: by the "operator"' --referer https://ref.example/
  --extractor-args "generic:fragment_query=${secrets.token}" --retries 3`)

async function started(how: string): Promise<Tools> {
  const { ytdlp, ...tools } = how === 'forked' ? toolsForTests() : await asBinary(toolsForTests(), folder)
  return { ...tools, ytdlp: { ...ytdlp, operator: given } }
}

/** The arguments of all processes that can be read. */
async function commandLines(): Promise<string> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number)
  return (await readOfProcesses(pids, 'cmdline')).join('\n')
}

/** Every file below a folder, with its text. */
async function textsIn(place: string): Promise<Record<string, string>> {
  const names = await readdir(place, { recursive: true })
  const texts = await Promise.all(
    names.map(async name => [name, await readFile(join(place, name), 'latin1').catch(() => '')] as const),
  )
  return Object.fromEntries(texts)
}

const unending = () => new AbortController().signal
const policy = () => addressPolicy([new URL(site.url).host])

describe.each(['forked', 'started'])('a yt-dlp that is %s', how => {
  it('asks as the operator wants, and leaves no option and no cookie', async () => {
    const tools = await started(how)
    const cookies = jar(secrets.theirs)
    tools.ytdlp.operator = { ...given, cookies }
    const seen: string[] = []
    const place = newFolder()
    const watch = setInterval(() => void commandLines().then(lines => seen.push(lines)), 50)

    const result = await download({ tools, policy: policy() }, { url: `${site.url}/watch`, folder: place })
    clearInterval(watch)

    expect(result).toMatchObject({ file_size: expect.any(Number) })
    const page = site.asked.find(({ path }) => path === '/watch')
    expect(page?.headers).toMatchObject({
      'user-agent': 'Agent of the operator',
      'x-asked': 'by the "operator"',
      referer: 'https://ref.example/',
      cookie: `session=${secrets.theirs}`,
    })
    const left = Object.values(await textsIn(place)).join('\n')
    for (const secret of [...Object.values(secrets), 'from-the-site']) expect(left).not.toContain(secret)
    expect(await readdir(place)).not.toContain('home')
    expect(seen.length).toBeGreaterThan(2)
    if (process.platform === 'linux') expect(seen.join('\n')).toContain('yt-dlp')
    for (const secret of Object.values(secrets)) expect(seen.join('\n')).not.toContain(secret)
  })

  it('leaves no cookie in the folder of an attempt that failed, where the next one resumes', async () => {
    const tools = await started(how)
    tools.ytdlp.operator = { ...given, cookies: jar(secrets.theirs) }
    const place = newFolder()

    const result = await download({ tools, policy: policy() }, { url: `${site.url}/gone`, folder: place })

    expect(result).toHaveProperty('failure')
    const texts = await textsIn(place)
    expect(Object.keys(texts)).not.toContain('home')
    expect(texts[info_file]).toContain('gone.mp4')
    const left = Object.values(texts).join('\n')
    for (const secret of [...Object.values(secrets), 'from-the-site']) expect(left).not.toContain(secret)
  })

  it("has a person's cookies in place of the operator's, for that run alone", async () => {
    const tools = await started(how)
    tools.ytdlp.operator = { ...given, cookies: jar(secrets.theirs) }
    const lines: string[] = []
    const ask = (cookies?: string) =>
      runYtdlp(folder, {
        tools,
        policy: policy(),
        signal: unending(),
        cookies,
        args: ['--ignore-config', '--no-plugin-dirs', '--skip-download', '--write-info-json', '-P', folder].concat([
          '-o',
          'infojson:about',
          '-v',
          '--',
          `${site.url}/watch`,
        ]),
        onLine: line => void lines.push(line),
      })

    await ask(jar(secrets.own))
    const info = await readFile(join(folder, info_file), 'utf8')
    await ask()

    const pages = site.asked.filter(({ path }) => path === '/watch')
    expect(pages.map(({ headers }) => headers.cookie)).toEqual([`session=${secrets.own}`, `session=${secrets.theirs}`])
    expect(JSON.parse(info)).toMatchObject({ webpage_url: `${site.url}/watch`, formats: [expect.anything()] })
    expect(info).not.toMatch(/cookie/i)
  })
})

it('files with options and cookies can be read by our own user alone, while yt-dlp runs', async () => {
  const tools = toolsForTests()
  const modes: Record<string, string> = {}
  const script = join(folder, 'yt-dlp')
  await writeFile(script, '#!/bin/sh\necho "$HOME"\nuntil [ -e seen ]; do sleep 0.02; done\n', { mode: 0o755 })
  tools.ytdlp = { ...tools.ytdlp, command: [script], operator: { ...given, cookies: jar('x') } }
  // As UMASK=022 makes the folder of a run, in which yt-dlp writes cookies into its info file.
  await chmod(folder, 0o755)

  await runYtdlp(folder, {
    tools,
    policy: addressPolicy([]),
    signal: unending(),
    args: [],
    async onLine() {
      for (const name of ['', 'home', 'home/cookies.txt', 'home/operator.conf'])
        modes[name] = ((await stat(join(folder, name))).mode & 0o777).toString(8)
      await writeFile(join(folder, 'seen'), '')
    },
  })

  expect(modes).toEqual({ '': '700', home: '700', 'home/cookies.txt': '600', 'home/operator.conf': '600' })
})

it('cookies leave the disk when what a run wrote cannot be cleaned', async () => {
  const tools = toolsForTests()
  const script = join(folder, 'yt-dlp')
  await writeFile(script, '#!/bin/sh\nmkdir subtitles.odd\n', { mode: 0o755 })
  tools.ytdlp = { ...tools.ytdlp, command: [script], operator: { ...given, cookies: jar('x') } }

  const run = runYtdlp(folder, { tools, policy: addressPolicy([]), signal: unending(), args: [], onLine: () => {} })

  await expect(run).rejects.toThrow(/directory/i)
  expect(await readdir(folder)).not.toContain('home')
})
