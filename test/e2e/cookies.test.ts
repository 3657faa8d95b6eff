/** Where the cookies of a person are, with real processes: in their row, encrypted, and in the folder of one run while it lasts. */

import { readdir, readFile, stat } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { cookieFile } from '../support/media/small-youtube/account.ts'
import { smallChannel } from '../support/media/small-youtube.ts'
import { foundIn } from '../support/process/found-in.ts'
import { json, settled } from '../support/process/journey.ts'
import { run } from '../support/process/processes.ts'
import { readOfProcesses } from '../support/process/running.ts'
import { letSilencePass, useService, useYoutube } from '../support/process/service.ts'
import { newFolder } from '../support/run/new-folder.ts'

const db = useDatabase()
const channel = smallChannel('members', { videos: 2 })
for (const video of channel.videos) {
  video.kind = 'members'
  // The site repeats its cookies in all that it says of a video.
  video.title += ' {cookie}'
  video.captions = [{ language: 'en', vtt: 'WEBVTT\n\n00:00.000 --> 00:01.000\nSaid {cookie}\n' }]
}
const [held, other] = channel.videos.map(({ id }) => id)
const secret_key = 'a-key-of-more-than-thirty-two-letters'
const temporary = newFolder()
const youtube = useYoutube(channel)
const env = () => ({ SECRET_KEY: secret_key, TMPDIR: temporary, LOG_LEVEL: 'trace', WORKER_CONCURRENCY: '4' })
const service = useService(db, { env, youtube })

/** The tables that have the cookies as text, or as the bytes of a column. */
async function tablesWith(words: string): Promise<string[]> {
  const tables = await db.sql<{ name: string }[]>`
    select format('%I.%I', nspname, relname) as name
    from   pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where  relkind = 'r' and nspname in ('public', 'graphile_worker')`
  const hex = Buffer.from(words).toString('hex')
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await db.sql.unsafe(
        `select from ${name} as one where one::text like '%${words}%' or one::text like '%${hex}%' limit 1`,
      )
      return rows.length > 0 ? [name] : []
    }),
  )
  return found.flat()
}

/** What the process list and the environments of all processes say that begin with one of ours. */
async function processWords(): Promise<string> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number)
  return [...(await readOfProcesses(pids, 'cmdline')), ...(await readOfProcesses(pids, 'environ'))].join('\n')
}

it.skipIf(platform() !== 'linux')(
  'cookies are nowhere but in their row and in the folder of one run, also after its worker was killed',
  async () => {
    const said: (() => string)[] = [service.web.said]
    const startWorker = async () => {
      const worker = await service.worker()
      said.push(worker.said)
      return worker
    }
    const doomed = await startWorker()
    const [alice, bob] = [await service.person('alice'), await service.person('bob')]
    const answers: string[] = []
    for (const ask of [alice, bob])
      await ask('/api/channels', json({ url: `https://www.youtube.com/channel/${channel.channel_id}` }))
    const body = cookieFile(youtube.login)
    const stored = await alice('/api/cookies/youtube.com', {
      method: 'PUT',
      body,
      headers: { 'content-type': 'text/plain' },
    })
    expect(stored.status).toBe(200)
    answers.push(await stored.text())
    const read = async () => {
      const own = ['/api/cookies', '/settings/cookies', '/api/archive', '/downloads', `/watch/${held}`]
      for (const path of [...own, '/api/openapi.json'])
        for (const ask of [alice, bob]) answers.push(await (await ask(path)).text())
    }
    const downloads = service.env.DOWNLOADS_DIR ?? ''
    const onDisk = async () => [
      ...(await foundIn(service.folder, [youtube.login])),
      ...(await foundIn(temporary, [youtube.login])).map(name => `temporary: ${name}`),
    ]

    const free = youtube.hold('/videoplayback')
    await alice('/api/download/batch', json({ video_ids: [held] }))
    await expect
      .poll(() => youtube.requests.filter(({ path }) => path === '/videoplayback').length, { timeout: 60_000 })
      .toBeGreaterThan(0)
    const while_running = await onDisk()
    const jar =
      while_running.find(name => name.endsWith('/home/cookies.txt')) ?? expect.fail(`no jar: ${while_running}`)
    const folder_of_run = jar.replace('home/cookies.txt', '')
    expect(folder_of_run).toContain('/.work/')
    expect(while_running.filter(name => !name.startsWith(folder_of_run))).toEqual([])
    expect((await stat(join(service.folder, jar))).mode & 0o777).toBe(0o600)
    const processes = await processWords()
    expect(processes).toContain('SMALL_YOUTUBE_PORT')
    expect(processes).not.toContain(youtube.login)
    await read()
    const requireBackupWithout = async () => {
      const backup = newFolder()
      const backed = await run(['node_modules/.bin/node', 'jobs/cli/backup.ts', join(backup, 'made')], service.env)
      expect([backed.code, backed.said.includes(youtube.login)]).toEqual([0, false])
      expect(await foundIn(backup, ['site_cookies', youtube.login])).toEqual([])
      for (const name of (await readdir(backup, { recursive: true })).filter(name => name.endsWith('.gz')))
        expect(gunzipSync(await readFile(join(backup, name))).includes(youtube.login)).toBe(false)
      expect(await tablesWith(youtube.login)).toEqual([])
    }
    await requireBackupWithout()

    expect(await doomed.stop('SIGKILL')).toBe('SIGKILL')
    await letSilencePass(db.sql)
    const second = await startWorker()
    await expect.poll(async () => (await onDisk()).includes(jar), { timeout: 60_000 }).toBe(false)
    free()
    expect(await settled(alice, held ?? '')).toMatchObject({ download_status: 'completed' })
    expect(await onDisk()).toEqual([])

    await bob('/api/download/batch', json({ video_ids: [held] }))
    expect(await settled(bob, held ?? '')).toMatchObject({
      download_status: 'failed',
      download_error: "Members only. We'll keep checking.",
    })

    const heal = youtube.fail('/videoplayback', { status: 403 })
    const accept = youtube.fail('/watch', { status: 403, reason: '{cookie}', text: '{cookie}' })
    await alice('/api/download/batch', json({ video_ids: [other] }))
    const failed = async () =>
      ((await (await alice(`/api/download/status/${other}`)).json()) as { attempts: number }).attempts
    await expect.poll(failed, { timeout: 60_000 }).toBeGreaterThan(0)
    await expect
      .poll(
        () =>
          readdir(join(downloads, '.work'), { recursive: true }).then(names =>
            names.some(name => name.endsWith('/left')),
          ),
        { timeout: 60_000 },
      )
      .toBe(true)
    heal()
    accept()
    expect(await onDisk()).toEqual([])
    await read()
    await requireBackupWithout()
    // The site did repeat them: in the subtitles.
    expect(await foundIn(downloads, ['LOGIN_INFO=…'])).not.toEqual([])
    await second.stop()
    expect([...answers, ...said.map(words => words())].join('\n')).not.toContain(youtube.login)
  },
)
