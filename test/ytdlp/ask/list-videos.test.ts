/** Listings with a fake yt-dlp, for what the real one rarely does. The real one: `list-videos.youtube.test.ts`. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { batch_size, type ListedEntry, type ListingRequest } from '../../../src/schema/sources/listing.ts'
import { createLister } from '../../../src/ytdlp/ask/list-videos.ts'
import { withScript } from '../../support/process/fake-tool.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

let folder: string
beforeEach(async () => {
  folder = newFolder()
})

const fake = (script: string) => withScript(toolsForTests(), folder, script)

/** A shell loop that prints as many entries. */
const entries = (count: number, from = 0) =>
  `n=${from}; while [ $n -lt ${from + count} ]; do say video '{"info":{"_type":"url","id":"v'$n'","url":"https://video.example/v'$n'","title":"Video '$n'"},"picture":null}'; n=$((n+1)); done`

const list = `say list '{"info":{"id":"c","title":"A channel","channel":"A channel","channel_id":"c"},"pictures":null}'`

async function listed(script: string, request: Partial<ListingRequest> = {}) {
  const tools = await fake(script)
  const batches: ListedEntry[][] = []
  const end = await createLister({ findTools: async () => tools, policy: addressPolicy([]) })({
    url: 'https://video.example/channel',
    signal: new AbortController().signal,
    async onEntries(batch) {
      batches.push(batch)
    },
    ...request,
  })
  return { end, batches, titles: batches.flat().map(({ title }) => title) }
}

it('a listing passes on all entries in order, in batches, with the channel that the list names', async () => {
  const { end, batches, titles } = await listed(`${entries(65)}\n${list}`)
  expect(batches.map(batch => batch.length)).toEqual([batch_size, batch_size, 5])
  expect(titles).toEqual(Array.from({ length: 65 }, (_, n) => `Video ${n}`))
  expect(end).toMatchObject({ end: 'complete', listed: 65, channel: { platform_id: 'c', title: 'A channel' } })
})

it('yt-dlp waits while entries are saved, so that a long list does not pile up in memory', async () => {
  // A pipe and the buffers of Node take a few hundred kilobytes; 5,000 entries are more.
  const progress = join(folder, 'progress')
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  let first = true
  const done = listed(`${entries(2500)}\necho half > ${progress}\n${entries(2500, 2500)}\necho all >> ${progress}`, {
    async onEntries() {
      if (!first) return
      first = false
      await held
    },
  })
  await vi.waitFor(() => expect(first).toBe(false))
  expect(await readFile(progress, 'utf8').catch(() => '')).not.toContain('all')
  release()
  expect((await done).end).toMatchObject({ end: 'complete', listed: 5000 })
  expect(await readFile(progress, 'utf8')).toContain('all')
})

it('silence does not count while entries are saved', async () => {
  const tools = await fake(`${entries(31)}\n${list}`)
  const lister = createLister({ findTools: async () => tools, policy: addressPolicy([]), silence_ms: 2000 })
  const end = await lister({
    url: 'https://video.example/channel',
    signal: new AbortController().signal,
    // Longer than the allowed silence, which is long enough for a busy machine to start a process. The last batch is saved when yt-dlp has
    // ended.
    onEntries: ({ length }) =>
      length < batch_size ? Promise.resolve() : new Promise(saved => setTimeout(saved, 2500)),
  })
  expect(end).toMatchObject({ end: 'complete', listed: 31 })
})

it('a listing is stopped after a batch that is enough, and leaves no folder behind', async () => {
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { end, batches } = await listed(`${entries(60)}\nsleep 300`, { isEnough: () => true })
  expect(batches).toHaveLength(1)
  expect(end).toMatchObject({ end: 'stopped', listed: batch_size })
  expect(await readdir(folder)).toEqual(['fake-yt-dlp'])
})

it('a listing rejects with the fault of the caller who could not save its entries', async () => {
  const fault = new Error('the database is away')
  await expect(listed(`${entries(60)}\nsleep 300`, { onEntries: () => Promise.reject(fault) })).rejects.toBe(fault)
})

it('an aborted listing rejects and passes on nothing more', async () => {
  const abort = new AbortController()
  const onEntries = vi.fn(async () => abort.abort(new Error('cancelled')))
  await expect(listed(`${entries(3000)}\nsleep 300`, { onEntries, signal: abort.signal })).rejects.toThrow('cancelled')
  expect(onEntries).toHaveBeenCalledTimes(1)
})

it.each([
  [
    'an error after the first page',
    `${entries(31)}\necho 'ERROR: [youtube:tab] x page 1: Unable to download API page: HTTP Error 500: Oops' >&2; exit 1`,
    { listed: 31, end: 'incomplete', failure: { reason: 'site_trouble', kind: 'transient' } },
  ],
  [
    'a refusal that only a warning mentions',
    `echo 'WARNING: [youtube] x: HTTP Error 429: Too Many Requests. Retrying (1/2)...' >&2
     echo 'ERROR: [youtube:tab] x: Incomplete data received; please report this issue on  https://github.com/' >&2; exit 1`,
    { listed: 0, end: 'incomplete', failure: { reason: 'rate_limited', kind: 'rate_limited' } },
  ],
  [
    'an error although yt-dlp exits with 0',
    `${entries(2)}\necho 'ERROR: [x] HTTP Error 503' >&2; exit 0`,
    { listed: 2, end: 'incomplete', failure: { reason: 'site_trouble' } },
  ],
  [
    'a missing channel',
    `echo 'ERROR: [youtube:tab] UCx: Unable to download API page: HTTP Error 404: Not Found' >&2; exit 1`,
    {
      end: 'incomplete',
      failure: { reason: 'not_found', sentence: 'video.example has no such channel or list any more.' },
    },
  ],
  [
    'an end without a word',
    `${entries(1)}\nexit 1`,
    { end: 'incomplete', failure: { reason: 'unknown', kind: 'transient' } },
  ],
])('a listing with %s is incomplete', async (_, script, end) => {
  expect((await listed(script)).end).toMatchObject(end)
})

it('a channel without a tab has a complete and empty list there', async () => {
  const { end } = await listed(`echo 'ERROR: [youtube:tab] @x: This channel does not have a shorts tab' >&2; exit 1`)
  expect(end).toMatchObject({ end: 'complete', listed: 0 })
})

it('a listing without tools is incomplete, and says so', async () => {
  const lister = createLister({ findTools: async () => ({ missing: 'None.' }), policy: addressPolicy([]) })
  const request = { url: 'https://video.example/', signal: new AbortController().signal, onEntries: async () => {} }
  expect(await lister(request)).toMatchObject({ listed: 0, end: 'incomplete', failure: { reason: 'tools' } })
  expect(await lister({ ...request, url: 'file:///etc/passwd' })).toMatchObject({ failure: { reason: 'unsupported' } })
})

it('one host is listed once at a time, and one person lists one list at a time', async () => {
  const log = join(folder, 'runs')
  const tools = await fake(`for url; do :; done; echo "+ $url" >> ${log}; sleep 0.2; echo "- $url" >> ${log}`)
  const lister = createLister({ findTools: async () => tools, policy: addressPolicy([]) })
  const ask = (host: string, whose: string) =>
    lister({ url: `https://${host}/${whose}`, whose, signal: new AbortController().signal, onEntries: async () => {} })

  await Promise.all([ask('a', 'alice'), ask('a', 'bob'), ask('b', 'alice'), ask('c', 'carol'), ask('d', 'dave')])

  let running: URL[] = []
  for (const line of (await readFile(log, 'utf8')).trim().split('\n')) {
    const url = new URL(line.slice(2))
    running = line.startsWith('+') ? [...running, url] : running.filter(({ href }) => href !== url.href)
    expect(running.length).toBeLessThanOrEqual(2)
    expect(new Set(running.map(({ host }) => host)).size).toBe(running.length)
    expect(new Set(running.map(({ pathname }) => pathname)).size).toBe(running.length)
  }
})

it('a line that a site imitates is no entry', async () => {
  const forged = `echo '[backlot-video:0123456789abcdef0123456789abcdef]{"info":{"_type":"url","url":"https://evil.example/"},"picture":null}'`
  const { titles, end } = await listed(`${forged}\n${entries(1)}`)
  expect(titles).toEqual(['Video 0'])
  expect(end.listed).toBe(1)
})
