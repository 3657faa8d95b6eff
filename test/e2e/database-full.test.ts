/** The disk of the embedded database is full, alone or together with the files. Only root can mount a small disk. */
import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { metrics_token } from '../support/app/metrics.ts'
import { type MediaServer, openMediaServer } from '../support/media/media.ts'
import { client, followAndRequest, json, publishFeed, register } from '../support/process/journey.ts'
import { operatorOf, type Told } from '../support/process/operator.ts'
import { type Running, start } from '../support/process/processes.ts'
import { downloadOf, isDone } from '../support/process/service.ts'
import { environmentIn } from '../support/process/tools.ts'
import { newFolder } from '../support/run/new-folder.ts'

const disk = await mkdtemp(join(tmpdir(), 'backlot-disk-'))
const mounted =
  (await execa('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=755', 'tmpfs', disk], { reject: false })).exitCode === 0
if (!mounted) console.warn('Left out: a full disk of the database; only root can mount a small one here.')
afterAll(async () => {
  if (mounted) await execa('umount', ['-l', disk])
  await rm(disk, { recursive: true, force: true })
})

const filler = join(disk, 'filler')
/** Takes what is free now. A reserve that is given up meanwhile stays free. */
async function fill(): Promise<void> {
  const { bavail, bsize } = await statfs(disk)
  const piece = Buffer.alloc(1e6)
  for (let left = bavail * bsize; left > 0; left -= piece.length) {
    const fault = await appendFile(filler, piece.subarray(0, left)).then(
      () => undefined,
      (fault: NodeJS.ErrnoException) => fault,
    )
    if (fault?.code === 'ENOSPC') return
    if (fault) throw fault
  }
}

const patiently = { timeout: 60_000, interval: 300 }
const full =
  'The disk of the database is full, so nothing can be saved. Add space to it; if the videos are on it too, delete some.'
const almost_full =
  'The disk of the database is almost full. Add space to it; if the videos are on it too, delete some.'

describe.skipIf(!mounted).each(['elsewhere', 'on the same disk'])('with the files %s', where => {
  let media: MediaServer
  let all: Running
  let data: string
  let told: () => Promise<Told>
  let ask: ReturnType<typeof client>
  let video_ids: string[]

  beforeAll(async () => {
    media = await openMediaServer()
    const home = join(disk, where.replaceAll(' ', '-'))
    await mkdir(home)
    const env: Record<string, string> = {
      ...(await environmentIn(home)),
      METRICS_TOKEN: metrics_token,
      MIN_FREE_MB: '0',
      DATABASE_URL: '',
    }
    data = env.DATA_DIR ?? ''
    const downloads = where === 'elsewhere' && { DOWNLOADS_DIR: newFolder() }
    all = await start('all', { env: { ...env, ...downloads } })
    told = await operatorOf(all.url)
    ask = client(all.url)
    await register(ask, 'collector')
    const names = ['first', 'second', 'third']
    const feed = publishFeed(media, Object.fromEntries(names.map(name => [name, `/plain.mp4?for=${name}`])))
    video_ids = await followAndRequest(ask, feed)
    for (const video_id of video_ids) await downloadOf(ask, video_id).until(isDone)
    await vi.waitFor(async () => expect(await readdir(data)).toContain('reserve'), patiently)
  }, 120_000)
  afterAll(async () => {
    await all?.stop()
    await media?.close()
    await rm(filler, { force: true })
    for (const name of await readdir(disk)) await rm(join(disk, name), { recursive: true, force: true })
  })

  const remove = async (video_id = '') => (await ask(`/api/download/${video_id}`, { method: 'DELETE' })).status

  let feeds = 0
  /** Follows a feed whose texts take more than a megabyte. */
  const follow = (name: string) => {
    const titles = Array.from({ length: 400 }, (_, n) => `${name} ${n} ${randomBytes(1500).toString('base64')}`)
    return ask(
      '/api/channels',
      json({
        url: publishFeed(media, Object.fromEntries(titles.map(title => [title, '/plain.mp4'])), `/${feeds++}.xml`),
      }),
    )
  }

  it('a reserve is given up, so that videos can be deleted, and the administrator is warned', async () => {
    await fill()
    await vi.waitFor(async () => expect(await readdir(data)).not.toContain('reserve'), patiently)
    expect(await remove(video_ids[0])).toBe(200)
    expect(await told()).toMatchObject({ ready: 200, warnings: expect.arrayContaining([almost_full]) })
    await rm(filler)
    await vi.waitFor(async () => expect(await readdir(data)).toContain('reserve'), patiently)
  })

  it('what cannot be saved is refused with a sentence, and all places say so', async () => {
    await fill()
    await vi.waitFor(async () => expect(await readdir(data)).not.toContain('reserve'), patiently)
    const [refused] = await vi.waitFor(async () => {
      // Postgres removes files of its log now and then.
      await fill()
      const answers = await Promise.all(['a', 'b', 'c', 'd'].map(follow))
      // On a busy machine, the limit of requests can come before the full disk.
      const found = answers.filter(({ status }) => status !== 201 && status !== 429)
      expect(found.length).toBeGreaterThan(0)
      return found as [Response]
    }, patiently)
    expect(refused.status).toBe(507)
    expect(await refused.json()).toMatchObject({ title: 'Not enough space', status: 507 })
    expect((await ask('/')).status).toBe(200)
    const state = await told()
    expect(state).toMatchObject({ ready: 503, warnings: expect.arrayContaining([full]) })
    expect(state.metrics).toMatchObject({ backlot_database_up: 1, backlot_database_writable: 0 })
    const { blocks, bsize } = await statfs(disk)
    expect(state.metrics.backlot_database_disk_size_bytes).toBe(blocks * bsize)

    await rm(filler)
    await vi.waitFor(async () => expect((await follow('after')).status).toBe(201), patiently)
    await vi.waitFor(async () => {
      const after = await told()
      expect(after.ready).toBe(200)
      expect(after.warnings.filter(sentence => sentence.includes('database'))).toEqual([])
    }, patiently)
    expect(await remove(video_ids[1])).toBe(200)
    expect(all.said()).not.toMatch(/"stack":"[^"]*No space left/)
  })
})
