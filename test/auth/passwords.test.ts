/** The cost of checking a password: the same for every name, and limited so that others need not wait. */
import { stat } from 'node:fs/promises'
import { Argon2id } from 'oslo/password'
import { expect, it, onTestFinished, vi } from 'vitest'
import { passwords } from '../../src/auth/passwords.ts'
import { DomainError } from '../../src/errors.ts'

it('checking a password costs the same work for an unknown name as for a wrong password', async () => {
  const { hash, verify } = passwords()
  const hers = await hash('correct horse battery', 'here')
  expect(await verify(undefined, 'x', 'here')).toBe(false)

  const work = vi.spyOn(Argon2id.prototype, 'verify')
  onTestFinished(() => work.mockRestore())

  await verify(hers, 'wrong', 'here')
  await verify(undefined, 'wrong', 'here')

  const costs = work.mock.calls.map(([against]) => against.split('$').slice(0, 4))
  expect(costs).toEqual([
    ['', 'argon2id', 'v=19', 'm=19456,t=2,p=1'],
    ['', 'argon2id', 'v=19', 'm=19456,t=2,p=1'],
  ])
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

it('when the code that checks passwords cannot be loaded, no password is called wrong, and the next check loads it again', async () => {
  const hers = await passwords().hash('correct horse battery', 'here')
  vi.resetModules()
  vi.doMock('oslo/password', () => {
    throw new Error('too many open files')
  })
  onTestFinished(() => vi.doUnmock('oslo/password'))
  const fresh = (await import('../../src/auth/passwords.ts')).passwords()

  await expect(fresh.verify(hers, 'correct horse battery', 'here')).rejects.toThrow()
  await expect(fresh.verify(undefined, 'x', 'here')).rejects.toThrow()
  vi.doUnmock('oslo/password')
  expect(await fresh.verify(hers, 'correct horse battery', 'here')).toBe(true)
})
