/** A dead embedded server is started again, with a limit; the real server is in `embedded.test.ts`. */
import { expect, it } from 'vitest'
import { keepRunning } from '../../../src/db/postgres/embedded.ts'

const at_once = { check_ms: 1, waits_s: [0, 0, 0] }

/** A server that dies at once after each start. `start` may fail. */
function dyingServer(start: () => void = () => {}) {
  const seen = { starts: 0, deaths: 0 }
  const lost = Promise.withResolvers<Error>()
  const server = {
    isRunning: async () => false,
    start: async () => {
      seen.starts++
      start()
    },
  }
  const onDeath = () => void seen.deaths++
  return { seen, lost: lost.promise, letGo: keepRunning(server, { onDeath, onLost: lost.resolve }, at_once) }
}

it('a server that dies again and again is given up', async () => {
  const { seen, lost } = dyingServer()
  expect((await lost).message).toContain('dies again and again')
  expect(seen).toEqual({ starts: 3, deaths: 4 })
})

it('a server that does not start is given up with the reason', async () => {
  const { seen, lost } = dyingServer(() => {
    throw new Error('Its port is taken.')
  })
  expect((await lost).message).toMatch(/does not start again\. Its port is taken\.$/)
  expect(seen).toEqual({ starts: 3, deaths: 1 })
})

it('nothing is started after the watch has ended', async () => {
  const begun = Promise.withResolvers<void>()
  const { seen, letGo } = dyingServer(begun.resolve)
  await begun.promise
  await letGo()
  const { starts } = seen
  await new Promise(resolve => setImmediate(resolve))
  expect(seen.starts).toBe(starts)
})
