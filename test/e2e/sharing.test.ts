/** Several people or requests and one video, with real workers and the real yt-dlp: what their site, their disk and each of them sees. */
import { stat } from 'node:fs/promises'
import { execa } from 'execa'
import { expect, it, vi } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { allDone, sharingIn } from '../support/process/five-people.ts'
import { isDone, letSilencePass, stopwatch, useService } from '../support/process/service.ts'

const db = useDatabase()
const service = useService(db)
const { feedOf, requestsFor, requests, people, fileOf, inodes } = sharingIn(service)

const diskBytes = async () => {
  const { stdout } = await execa('du', ['-s', '--block-size=1', '--exclude=.work', service.env.DOWNLOADS_DIR ?? ''])
  return Number.parseInt(stdout, 10)
}

const isFetching = (name: string) =>
  vi.waitFor(() => expect(requestsFor(name).length).toBeGreaterThan(0), { timeout: 30_000, interval: 20 })

it('five people who request one video have five independent files, by one request and stored once', async () => {
  const workers = [await service.worker(), await service.worker()]
  const alone = await requests('alone', feedOf('alone'))
  await allDone([alone])
  const once = requestsFor('alone').length
  const before = await diskBytes()

  const all = await people('shared', feedOf('shared', 60_000))
  await isFetching('shared')
  // A person who requests it while it is being fetched.
  all.push(await requests('shared-late', `${service.media.url}/shared.xml`))
  await allDone(all)

  expect(requestsFor('shared')).toHaveLength(once)
  expect((await inodes(all)).size).toBe(1)
  const { size } = await stat(await fileOf(all[0] ?? alone))
  expect((await diskBytes()) - before).toBeLessThan(2 * size)
  const [first, ...others] = all
  const gone = first && (await fileOf(first))
  expect((await first?.ask(`/api/download/${first.video_id}`, { method: 'DELETE' }))?.status).toBe(200)
  await expect(stat(gone ?? '')).rejects.toThrow('ENOENT')
  for (const who of others) {
    const answer = await who.ask(`/stream/${who.video_id}`)
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, size])
  }
  await Promise.all(workers.map(worker => worker.stop()))
})

it('five people have one video although the worker that fetches it is killed: the next run resumes its file', async () => {
  const doomed = await service.worker({ WORKER_CONCURRENCY: '5' })
  const free = service.media.holdAfter(50_000, 'film=killed')
  const all = await people('killed', feedOf('killed'))
  await vi.waitFor(
    async () => {
      const found = await Promise.all(all.map(one => one.status()))
      expect(found.some(({ progress }) => (progress?.percent ?? 0) > 5)).toBe(true)
    },
    { timeout: 60_000, interval: 300 },
  )
  const before = requestsFor('killed').length
  expect(await doomed.stop('SIGKILL')).toBe('SIGKILL')
  await letSilencePass(db.sql)
  free()
  const other = await service.worker({ WORKER_CONCURRENCY: '5' })

  await allDone(all)

  const after = requestsFor('killed').slice(before)
  expect(after.length).toBeLessThanOrEqual(before)
  expect((await inodes(all)).size).toBe(1)
  await other.stop()
})

it('with SHARE_FILES=off three people make three requests and have three files', async () => {
  const worker = await service.worker({ SHARE_FILES: 'off', WORKER_CONCURRENCY: '2' })
  await allDone([await requests('lone', feedOf('lone'))])
  const once = requestsFor('lone').length
  const all = await people('apart', feedOf('apart'), 3)
  await allDone(all)
  expect(requestsFor('apart')).toHaveLength(3 * once)
  expect((await inodes(all)).size).toBe(3)
  await worker.stop()
})

it('two workers download a video once when fifty requests for it arrive at the same moment', async () => {
  const { media, wants } = service
  const single = await wants('single', '/plain.mp4?for=single')
  const many = await wants('many', '/plain.mp4?for=many')
  await many.ask(`/api/download/${many.video_id}`, { method: 'DELETE' })
  const trigger = () => many.ask(`/api/download/${many.video_id}`, { method: 'POST' })
  const workers = await Promise.all([service.worker(), service.worker()])

  const answers = await Promise.all(Array.from({ length: 50 }, trigger))
  const done = stopwatch('two workers, fifty triggers: completed after')
  await Promise.all([single.until(isDone), many.until(isDone)])
  done()

  // A busy machine refuses some of them with 503.
  expect(answers.map(({ status }) => status).filter(status => ![202, 200, 503].includes(status))).toEqual([])
  expect(answers.some(({ ok }) => ok)).toBe(true)
  const asked = (mark: string) => media.requests.filter(({ search }) => search.includes(mark)).length
  expect(asked('for=many')).toBe(asked('for=single'))
  expect(await many.status()).toMatchObject({ attempts: 1 })
  await Promise.all(workers.map(worker => worker.stop()))
})
