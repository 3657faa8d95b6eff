/** Timers that repeat. */
import { expect, it, onTestFinished, vi } from 'vitest'
import { every } from '../../src/runtime/every.ts'

it('work that throws or rejects is printed, and is done again', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => printed.mockRestore())
  const works = [() => Promise.reject(new Error('rejected')), () => 'done']
  const done = Promise.withResolvers<void>()
  const timer = every(1, () => {
    if (printed.mock.calls.length === 0) throw new Error('EMFILE: too many open files')
    const work = works.shift()
    if (!work) done.resolve()
    return work?.()
  })
  await done.promise
  clearInterval(timer)
  expect(printed.mock.calls.map(([fault]) => String(fault))).toEqual([
    'Error: EMFILE: too many open files',
    'Error: rejected',
  ])
})
