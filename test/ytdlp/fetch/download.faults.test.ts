/** What a download survives: tools that hang, lie, fork, talk too much; and the end of the worker. */
import { once } from 'node:events'
import { copyFile, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath, platform } from 'node:process'
import { execa } from 'execa'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { addressPolicy } from '../../../src/net/addresses.ts'
import type { Progress } from '../../../src/schema/downloads/download.ts'
import type { Tools } from '../../../src/ytdlp/process/programs.ts'
import { download } from '../../support/media/downloads.ts'
import { siteWith } from '../../support/media/feed-site.ts'
import { getFilm } from '../../support/media/films.ts'
import { withFakeYtdlp } from '../../support/process/fake-tool.ts'
import { isAlive } from '../../support/process/running.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

let tools: Tools
let place: string
let folder: string

beforeAll(async () => {
  tools = toolsForTests()
})
beforeEach(async () => {
  place = newFolder()
  folder = join(place, 'work')
  await mkdir(folder)
})

type Options = {
  signal?: AbortSignal
  onProgress?(progress: Progress): void
  silence_ms?: number
  longest_ms?: number
  leash?: string[]
}

const example = { url: 'https://example.org/v' }

async function run(
  script: string,
  { signal = new AbortController().signal, onProgress = () => {}, leash, ...limits }: Options = {},
) {
  const fake = await withFakeYtdlp({ ...tools, leash: leash ?? tools.leash }, place, script)
  return download({ tools: fake, policy: addressPolicy([]), ...limits }, { ...example, folder, signal, onProgress })
}

async function filmOutside(): Promise<string> {
  const film = join(place, 'outside.mp4')
  await copyFile(await getFilm('/odd/fits.mp4'), film)
  return film
}

const speak = `say progress '{"format_id":"0","progress":{"status":"downloading","downloaded_bytes":1}}'`

/** Ignores signals, and so does its child. */
const stubborn = `trap '' TERM; sh -c 'trap "" TERM; while true; do sleep 1; done' & echo $! > "$folder/child"`

describe('a download', () => {
  it('a download fails when yt-dlp succeeds but leaves no file', async () => {
    expect(await run('exit 0')).toMatchObject({ failure: { kind: 'transient' } })
    const upcoming = `say live '{"live_status": "is_upcoming"}'; exit 0`
    expect(await run(upcoming)).toMatchObject({ failure: { kind: 'scheduled' } })
  })

  it('a signal that ends yt-dlp is named', async () => {
    expect(await run('kill -9 $$', { leash: [] })).toMatchObject({ failure: { detail: 'yt-dlp ended with SIGKILL' } })
  })

  it.each([
    ['outside.mp4', false],
    ['work/../outside.mp4', false],
    ['work/link.mp4', false],
    ['linked/inside.mp4', false],
    ['work/empty.mp4', false],
    ['work/inside.mp4', true],
  ])('no file at %s is taken unless it is complete and in its own folder: %s', async (path, is_taken) => {
    // A film everywhere, so that where it stands is all that speaks against it.
    const film = await filmOutside()
    await copyFile(film, join(folder, 'inside.mp4'))
    await writeFile(join(folder, 'empty.mp4'), '')
    await symlink(film, join(folder, 'link.mp4'))
    await mkdir(join(place, 'elsewhere'))
    await copyFile(film, join(place, 'elsewhere/inside.mp4'))
    await symlink(join(place, 'elsewhere'), join(place, 'linked'))

    const result = await run(`say done '{"filepath": "${place}/${path}"}'`)

    expect('file' in result).toBe(is_taken)
    expect((await stat(film)).size).toBeGreaterThan(0)
  })

  it.each([
    ['a list of films', '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://$film\n#EXT-X-ENDLIST\n'],
    ['a chain of films', 'ffconcat version 1.0\nfile $film\n'],
    ['a list of films by http', '#EXTM3U\n#EXTINF:1,\n$web/film.mp4\n#EXT-X-ENDLIST\n'],
  ])('ffmpeg reads nothing that %s leads to', async (_, text) => {
    const film = await filmOutside()
    const web = await siteWith((_, response) => response.end())
    const list = text.replace('$film', film).replace('$web', web.url)
    await writeFile(join(folder, 'video.mp4'), list)

    expect(await run(`say done '{"filepath": "${folder}/video.mp4"}'`)).toHaveProperty('failure')
    expect(web.asked).toEqual([])
  })

  it('a silent download is stopped, with all its children', async () => {
    const result = await run(`${stubborn}; wait`, { silence_ms: 300 })

    expect(result).toMatchObject({
      failure: { kind: 'transient', sentence: expect.stringContaining('stopped sending') },
    })
    expect(await isAlive(await readFile(join(folder, 'child'), 'utf8'))).toBe(false)
  })

  it('a download that takes too long is stopped, however much it prints', async () => {
    const result = await run(`while true; do ${speak}; sleep 0.1; done`, { silence_ms: 2000, longest_ms: 600 })

    expect(result).toMatchObject({ failure: { kind: 'permanent' } })
  })

  it('a download survives megabytes of output, and reports the last error', async () => {
    const noise = 'head -c 5000000 /dev/zero | tr "\\0" "x" >&2; yes noise | head -n 100000 >&2'

    const result = await run(`${noise}; printf '\\nERROR: [site] 7: Private video\\n' >&2; exit 1`)

    expect(result).toMatchObject({ failure: { kind: 'permanent', detail: 'ERROR: [site] 7: Private video' } })
  })

  it('a yt-dlp that cannot be started is reported', async () => {
    const gone = { ...tools, leash: [], ytdlp: { ...tools.ytdlp, command: [join(place, 'nowhere')] } }

    expect(await download({ tools: gone, policy: addressPolicy([]) }, example)).toMatchObject({
      failure: { kind: 'operator' },
    })
  })

  it('the tools of a download see no secret of ours', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://secret@127.0.0.1/x')
    onTestFinished(() => void vi.unstubAllEnvs())

    await run('env > "$folder/seen"; tr "\\0" "\\n" < /proc/$$/cmdline > "$folder/said" 2>/dev/null; exit 1')

    const seen = await readFile(join(folder, 'seen'), 'utf8')
    expect(seen).toMatch(/^https_proxy=http:\/\/backlot:/m)
    expect(seen).not.toContain('secret@')
    expect(seen).toMatch(new RegExp(`^HOME=.*${folder.split('/').at(-2)}`, 'm'))
    expect(await readFile(join(folder, 'said'), 'utf8')).not.toContain('backlot:')
  })
})

describe('an abort', () => {
  it.each([
    ['on its leash', undefined],
    ['where there are no leashes', []],
  ])('an abort ends a tool that ignores signals, with all its children, %s', async (_, leash) => {
    const stop = new AbortController()
    const aborting = { signal: stop.signal, onProgress: () => stop.abort(), ...(leash && { leash }) }
    await expect(run(`${stubborn}; ${speak}; wait`, aborting)).rejects.toThrow()

    expect(await isAlive(await readFile(join(folder, 'child'), 'utf8'))).toBe(false)
  })

  it('an abort before the start starts nothing', async () => {
    await expect(run('touch "$folder/ran"', { signal: AbortSignal.abort() })).rejects.toThrow()

    await expect(readFile(join(folder, 'ran'))).rejects.toThrow()
  })
})

describe('a worker that is killed', () => {
  it.skipIf(platform !== 'linux')(
    'a killed worker takes its yt-dlp with it, and everything that yt-dlp started',
    async () => {
      const fake = await withFakeYtdlp(tools, place, `sleep 300 & echo "$$ $!" > "$folder/pids"; ${speak}; wait`)
      const request = { tools: fake, folder }
      const worker = execa(execPath, ['test/support/process/lone-worker.ts', JSON.stringify(request)], {
        reject: false,
        stdin: 'ignore',
      })
      await once(worker.stdout, 'data')
      const pids = (await readFile(join(folder, 'pids'), 'utf8')).trim().split(' ')
      const alive = () => Promise.all(pids.map(isAlive))
      expect(await alive()).toEqual([true, true])

      expect(worker.kill('SIGKILL')).toBe(true)
      await worker

      await vi.waitFor(async () => expect(await alive()).toEqual([false, false]))
    },
  )
})
