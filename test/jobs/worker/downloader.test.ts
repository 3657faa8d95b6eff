import { chmod, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openToolbox } from '../../../jobs/worker/downloader.ts'
import { readConfig } from '../../../src/config/config.ts'
import { toolWarnings } from '../../../src/domain/service/health.ts'
import { withAdvice } from '../../../src/domain/service/tool-report.ts'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { DownloadError } from '../../../src/schema/downloads/download.ts'
import { withoutTools } from '../../../src/ytdlp/failures/failure.ts'
import { failureOf } from '../../../src/ytdlp/failures/read-error.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const now = new Date('2026-11-20T12:00:00Z')
const tools = (ytdlp_version: string | null, missing: string | null = null) => ({ ytdlp_version, missing })

it.each([
  ['2026.11.01', 0],
  ['2026.08.22', 0],
  ['2026.08.21', 1],
  ['2026.07.03', 1],
  ['2023.03.04', 1],
])('yt-dlp %s, on 20 November 2026, causes %d warnings', (version, count) => {
  expect(toolWarnings(tools(version), now)).toHaveLength(count)
})

it('names a missing tool first', () => {
  expect(toolWarnings(tools(null, 'ffmpeg is not installed.'), now)).toEqual(['ffmpeg is not installed.'])
})

it('a download without tools says so in plain words, and keeps the details apart', () => {
  const { kind, sentence, detail } = withoutTools('yt-dlp is not installed.')
  expect(kind).toBe('operator')
  expect(sentence).toMatch(/missing.*administrator/)
  expect(sentence).not.toContain('yt-dlp')
  expect(detail).toBe('yt-dlp is not installed.')
  expect(withoutTools('YTDLP_PATH is /opt/tools/yt-dlp, which does not run.').detail).not.toContain('/opt')
})

it.each([
  ['2026.01.01', 'ERROR: [youtube] a: Video unavailable', true],
  ['2026.01.01', 'ERROR: [youtube] a: Unable to extract player', true],
  ['2026.01.01', 'ERROR: [youtube] a: Private video', false],
  ['2026.01.01', 'ERROR: [Errno 28] No space left on device', false],
  ['2026.11.01', 'ERROR: [youtube] a: Video unavailable', false],
])('with yt-dlp %s, adds to "%s" that old tools may be why: %s', (version, said, added) => {
  const failure = withAdvice(failureOf({ said }), tools(version), now)
  expect(failure.sentence.includes('are outdated')).toBe(added)
  expect(DownloadError.safeParse(failure.sentence).success).toBe(true)
})

/** Programs that say a line and do no more. */
async function programs(says: Record<string, string>): Promise<string> {
  const folder = newFolder()
  for (const [name, line] of Object.entries(says)) {
    await writeFile(join(folder, name), `#!/bin/sh\necho ${line}\n`)
    await chmod(join(folder, name), 0o755)
  }
  return folder
}

/** What is logged, and what is known, once the tools have been looked for. */
async function lookedFor(variables: Record<string, string>) {
  const lines: { msg: string; level: number }[] = []
  const log = pino({ level: 'warn' }, { write: line => void lines.push(JSON.parse(line)) })
  const { report } = openToolbox(readConfig(variables), addressPolicy([]), () => expect.unreachable(), log)
  expect(report()).toMatchObject({ ytdlp_version: null, missing: null })
  return vi.waitFor(() => {
    const { ytdlp_version, ffmpeg_version, missing } = report()
    if (!ytdlp_version && !missing) throw new Error('still looking')
    return { ytdlp_version, ffmpeg_version, missing, warnings: lines.map(({ msg }) => msg) }
  })
}

it('a yt-dlp that is too old is reported and logged at the start', async () => {
  const says = { 'yt-dlp': '2023.03.04', ffmpeg: 'ffmpeg version 8.1-x', ffprobe: 'ffprobe version 8.1-x' }
  const folder = await programs(says)

  const found = await lookedFor({ YTDLP_PATH: join(folder, 'yt-dlp'), FFMPEG_PATH: join(folder, 'ffmpeg') })

  expect(found).toMatchObject({ ytdlp_version: '2023.03.04', ffmpeg_version: '8.1-x', missing: null })
  expect(found.warnings).toEqual(['yt-dlp 2023.03.04 has known security holes. Update it to 2026.07.04 or newer.'])
})

it('what the operator adds is reported by name, with how downloads with it ended', async () => {
  const folder = await programs({ ffmpeg: 'ffmpeg version 8.1-x', ffprobe: 'ffprobe version 8.1-x' })
  const file = join(folder, 'yt-dlp')
  const script = `case "$*" in
  *--version*) echo 2026.11.01;;
  *list-impersonate*) ;;
  *) echo "ERROR: [youtube] a: Sign in to confirm you're not a bot" >&2; exit 1;;
esac`
  await writeFile(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  await writeFile(join(folder, 'yt-dlp.conf'), '-r 1M --user-agent "A secret agent" -r 2M')
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: line => void lines.push(line) })
  const variables = { YTDLP_PATH: file, FFMPEG_PATH: join(folder, 'ffmpeg'), YTDLP_CONFIG: join(folder, 'yt-dlp.conf') }
  const { report, download } = openToolbox(readConfig(variables), addressPolicy([]), () => expect.unreachable(), log)

  const request = { url: 'https://a.example/v', folder, signal: new AbortController().signal, onProgress: () => {} }
  await download({ ...request, cookies: '# Netscape HTTP Cookie File' })
  await vi.waitFor(() => expect(report().operator).not.toBeNull())
  expect(report().operator?.failed_at, "a person's account says nothing about the configuration").toBeNull()

  await download(request)
  expect(report().operator).toEqual({
    options: ['--limit-rate', '--user-agent'],
    plugins: [],
    problem: null,
    completed_at: null,
    failed_at: expect.any(String),
    failed_reason: 'bot_check',
  })
  expect(lines.join()).not.toContain('secret agent')
})

it('a missing ffmpeg is logged at the start', async () => {
  const folder = await programs({ 'yt-dlp': '2026.11.01' })

  const found = await lookedFor({ YTDLP_PATH: join(folder, 'yt-dlp'), FFMPEG_PATH: join(folder, 'ffmpeg') })

  expect(found.missing).toMatch(/ffmpeg and ffprobe do not both run there/)
  expect(found.missing).not.toContain(folder)
  expect(found.warnings).toEqual([expect.stringContaining(folder)])
})

it('a search that fails again in the same words is not logged again', async () => {
  const folder = await programs({ ffmpeg: 'ffmpeg version 8', ffprobe: 'ffprobe version 8' })
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: line => void lines.push(JSON.parse(line).msg) })
  const variables = { PATH: folder, DATA_DIR: folder, INSTALL_TOOLS: 'off' }
  const { findTools } = openToolbox(readConfig(variables), addressPolicy([]), () => expect.unreachable(), log)
  await findTools()
  expect(lines).toEqual([expect.stringContaining('yt-dlp is not installed.')])

  const later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 3_600_000)
  onTestFinished(() => later.mockRestore())
  await findTools()
  expect(lines).toHaveLength(1)

  await writeFile(join(folder, 'yt-dlp'), '#!/bin/sh\necho 2026.11.01\n', { mode: 0o755 })
  later.mockReturnValue(performance.now() + 3_600_000)
  await findTools()
  expect(lines).toEqual([expect.any(String), 'Downloads use yt-dlp 2026.11.01.'])
})

it('with INSTALL_TOOLS=off nothing is fetched, and the message names the command that does', async () => {
  const folder = await programs({ ffmpeg: 'ffmpeg version 8', ffprobe: 'ffprobe version 8' })

  const { missing } = await lookedFor({ PATH: folder, DATA_DIR: folder, INSTALL_TOOLS: 'off' })

  expect(missing).toMatch(/^yt-dlp is not installed. Run "npm run tools" to fetch it/)
  expect((await readdir(folder)).toSorted()).toEqual(['ffmpeg', 'ffprobe'])
})
