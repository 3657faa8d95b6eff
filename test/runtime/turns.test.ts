/** Fair queues inside one process. */
import { describe, expect, it } from 'vitest'
import { type TurnLimits, turnsFor } from '../../src/runtime/turns.ts'

/** Pieces of work that end on command; `begun` lists those that have begun, in order. */
function worksIn(limits: TurnLimits) {
  const inTurn = turnsFor(limits)
  const begun: string[] = []
  const ends = new Map<string, (fault?: Error) => void>()
  const add = (whose: string, name: string, signal?: AbortSignal) =>
    inTurn(
      whose,
      () => {
        begun.push(name)
        return new Promise<string>((resolve, reject) =>
          ends.set(name, fault => (fault ? reject(fault) : resolve(name))),
        )
      },
      signal,
    )
  const tick = () => new Promise(resolve => setImmediate(resolve))
  const end = async (name: string, fault?: Error) => {
    ends.get(name)?.(fault)
    await tick()
  }
  return { add, begun, end, tick }
}

describe('turns', () => {
  it('no more work than allowed runs at once, even when some fails', async () => {
    const { add, begun, end, tick } = worksIn({ most: 2 })
    const all = Promise.allSettled(['1', '2', '3', '4'].map(name => add('alice', name)))
    await tick()
    expect(begun).toEqual(['1', '2'])
    await end('1', new Error('broken'))
    expect(begun).toEqual(['1', '2', '3'])
    await end('3')
    await end('2')
    await end('4')
    expect((await all).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
  })

  it('turns go from person to person, however much one of them has waiting', async () => {
    const { add, begun, end, tick } = worksIn({ most: 1 })
    for (const name of ['a1', 'a2', 'a3', 'a4']) void add('alice', name)
    for (const name of ['b1', 'b2']) void add('bob', name)
    void add('carol', 'c1')
    await tick()
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']) await end(name)
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  })

  it('a person who has the most turns allowed leaves room for others', async () => {
    const { add, begun, end, tick } = worksIn({ most: 2, of_one: 1 })
    for (const name of ['a1', 'a2', 'a3']) void add('alice', name)
    void add('bob', 'b1')
    await tick()
    expect(begun).toEqual(['a1', 'b1'])
    await end('b1')
    expect(begun).toEqual(['a1', 'b1'])
    await end('a1')
    expect(begun).toEqual(['a1', 'b1', 'a2'])
  })

  it('work is refused while too much waits, of one person or in all', async () => {
    const { add, begun, end } = worksIn({ most: 1, waiting: { most: 3, of_one: 2, sentence: 'Wait.' } })
    for (const name of ['a1', 'a2', 'a3']) void add('alice', name)
    await expect(add('alice', 'a4')).rejects.toMatchObject({ code: 'too_many', message: 'Wait.', retry_after_s: 5 })
    void add('bob', 'b1')
    await expect(add('bob', 'b2')).rejects.toMatchObject({ code: 'too_many' })
    await end('a1')
    void add('carol', 'c2')
    for (const name of ['b1', 'a2', 'c2', 'a3']) await end(name)
    expect(begun).toEqual(['a1', 'b1', 'a2', 'c2', 'a3'])
  })

  it('when too much waits, the person with the most waiting is refused, so that a few people never keep out others', async () => {
    const { add, begun, end, tick } = worksIn({ most: 1, waiting: { most: 4, of_one: 3, sentence: 'Wait.' } })
    const hers = ['a1', 'a2', 'a3', 'a4'].map(name => add('alice', name))
    const his = add('bob', 'b1')
    const refused = expect(hers[3]).rejects.toMatchObject({ code: 'too_many', message: 'Wait.' })
    const carols = add('carol', 'c1')
    await refused
    // When each person has only one piece of work waiting, none gives up a place.
    void add('dave', 'd1')
    await expect(hers[2]).rejects.toMatchObject({ code: 'too_many' })
    await expect(add('erin', 'e1')).rejects.toMatchObject({ code: 'too_many' })
    await tick()
    for (const name of ['a1', 'b1', 'c1', 'a2', 'd1']) await end(name)
    expect(begun.toSorted()).toEqual(['a1', 'a2', 'b1', 'c1', 'd1'])
    expect(await Promise.all([his, carols])).toEqual(['b1', 'c1'])
  })

  it('an aborted turn passes to the next in the queue', async () => {
    const { add, begun, end } = worksIn({ most: 1 })
    const leaving = new AbortController()
    void add('alice', 'a1')
    const left = add('alice', 'a2', leaving.signal)
    void add('alice', 'a3')
    leaving.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    await end('a1')
    expect(begun).toEqual(['a1', 'a3'])
  })
})
