/** The work that a sign-in costs: the same whoever is named, and never so much that others wait. */
import { stat } from 'node:fs/promises'
import process from 'node:process'
import { expect, it } from 'vitest'
import { passwords } from '../../src/auth/passwords.ts'
import { DomainError } from '../../src/errors.ts'

/** The processor's time, of the threads that hash as well. */
const least = async (work: () => Promise<unknown>): Promise<number> => {
  const times: number[] = []
  for (let n = 0; n < 8; n++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    times.push(user + system)
  }
  return Math.min(...times)
}

it('checking a password takes as long for an unknown name as for a wrong password', async () => {
  const { hash, verify } = passwords()
  const hers = await hash('correct horse battery', 'here')
  expect(await verify(undefined, 'x', 'here')).toBe(false)

  const [known, unknown] = [
    await least(() => verify(hers, 'wrong', 'here')),
    await least(() => verify(undefined, 'wrong', 'here')),
  ]

  expect(unknown / known).toBeGreaterThan(0.5)
  expect(unknown / known).toBeLessThan(2)
})

it('too many password checks at once are refused, and files can be read meanwhile', async () => {
  const { hash, verify } = passwords()
  const hers = await hash('correct horse battery', 'here')

  const crowd = Promise.allSettled(Array.from({ length: 300 }, () => verify(hers, 'wrong', 'here')))
  const first = await Promise.race([stat('package.json').then(() => 'the file'), crowd.then(() => 'the crowd')])
  const refused = (await crowd).flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : []))

  expect(first).toBe('the file')
  expect(refused.length).toBeGreaterThan(150)
  for (const reason of refused) expect(reason).toMatchObject({ code: 'too_many', retry_after_s: expect.any(Number) })
  expect(refused[0]).toBeInstanceOf(DomainError)
})
