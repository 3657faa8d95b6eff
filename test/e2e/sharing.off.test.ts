/** Five people and one video in a service that shares no files. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { allDone, sharingIn } from '../support/process/five-people.ts'
import { openService, type Service } from '../support/process/service.ts'

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
