/** How often a video is fetched: for five people in a service that shares no files, and by two workers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { allDone, sharingIn } from '../support/process/five-people.ts'
import { isDone, openService, type Service, stopwatch } from '../support/process/service.ts'

const db = useDatabase()
let service: Service
beforeAll(async () => {
  service = await openService(db.url)
})
afterAll(() => service.close())

const { feedOf, requestsFor, requests, people, inodes } = sharingIn(() => service)

it('with SHARE_FILES=off five people make five requests and have five files', { timeout: 240_000 }, async () => {
  const worker = await service.worker({ SHARE_FILES: 'off', WORKER_CONCURRENCY: '2' })
  await allDone([await requests('alone', feedOf('alone'))])
  const once = requestsFor('alone').length
  const all = await people('apart', feedOf('apart'))
  await allDone(all)
  expect(requestsFor('apart')).toHaveLength(5 * once)
  expect((await inodes(all)).size).toBe(5)
  await worker.stop()
})

describe('two workers', () => {
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
})
