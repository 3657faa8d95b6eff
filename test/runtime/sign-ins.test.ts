/** Sign-ins that are remembered for a moment. */
import { describe, expect, it } from 'vitest'
import { remembered_ms, rememberSignIns } from '../../src/runtime/sign-ins.ts'

const signInOf = (user_id: string, expires_at: Date | null = null) => ({ user: { user_id }, expires_at })

/** Look-ups that end on command, and a clock that moves on command. */
function remembering(most?: number) {
  let now_ms = 0
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<ReturnType<typeof signInOf> | undefined>>()
  const sign_ins = rememberSignIns(() => now_ms, most)
  return {
    begun,
    forget: sign_ins.forget,
    forgetUser: sign_ins.forgetUser,
    pass: (ms: number) => {
      now_ms += ms
    },
    find: (key: string) =>
      sign_ins.find(key, () => {
        begun.push(key)
        const end = Promise.withResolvers<ReturnType<typeof signInOf> | undefined>()
        ends.set(key, end)
        return end.promise
      }),
    found: (key: string, found = signInOf('alice')) => ends.get(key)?.resolve(found),
    unknown: (key: string) => ends.get(key)?.resolve(undefined),
    failed: (key: string) => ends.get(key)?.reject(new Error('the database is away')),
    tick: () => new Promise(resolve => setImmediate(resolve)),
  }
}

describe('a remembered sign-in', () => {
  it('requests with one key share one look-up, at the same time and for less than five seconds after', async () => {
    const { find, found, unknown, begun, pass } = remembering()
    const both = Promise.all([find('a'), find('a')])
    found('a')
    expect(await both).toEqual([signInOf('alice'), signInOf('alice')])
    pass(remembered_ms - 1)
    await find('a')
    expect(begun).toEqual(['a'])

    pass(1)
    const again = find('a')
    unknown('a')
    expect([await again, begun]).toEqual([undefined, ['a', 'a']])
    expect(remembered_ms).toBeLessThan(5000)
  })

  it('the time counts from the start of the look-up, however long the look-up takes', async () => {
    const { find, found, begun, pass } = remembering()
    const slow = find('a')
    pass(remembered_ms)
    found('a')
    await slow
    void find('a')
    expect(begun).toEqual(['a', 'a'])
  })

  it('a request does not wait for a look-up that began longer ago', async () => {
    const { find, begun, pass } = remembering()
    void find('a')
    pass(remembered_ms)
    void find('a')
    expect(begun).toEqual(['a', 'a'])
  })

  it('an unknown key is looked up each time', async () => {
    const { find, unknown, begun } = remembering()
    for (let n = 0; n < 3; n++) {
      const nothing = find('a')
      unknown('a')
      expect(await nothing).toBeUndefined()
    }
    expect(begun).toHaveLength(3)
  })

  it('a failed look-up fails for everyone who waits for it, and is not remembered', async () => {
    const { find, found, failed } = remembering()
    const both = Promise.allSettled([find('a'), find('a')])
    failed('a')
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const next = find('a')
    found('a')
    expect(await next).toEqual(signInOf('alice'))
  })

  it('a sign-in is looked up again once it has expired', async () => {
    const { find, found, begun } = remembering()
    const first = find('a')
    found('a', signInOf('alice', new Date(Date.now() - 1)))
    await first
    void find('a')
    expect(begun).toEqual(['a', 'a'])
  })

  it('the oldest sign-in is forgotten when there are more than may be remembered', async () => {
    const { find, found, begun } = remembering(2)
    for (const key of ['a', 'b', 'c']) {
      const looked_up = find(key)
      found(key)
      await looked_up
    }
    await Promise.all([find('b'), find('c')])
    expect(begun).toEqual(['a', 'b', 'c'])
    void find('a')
    expect(begun).toEqual(['a', 'b', 'c', 'a'])
  })
})

describe('a sign-in that has ended', () => {
  it.each([
    ['session', ({ forget }: ReturnType<typeof remembering>) => forget('a')],
    ['user', ({ forgetUser }: ReturnType<typeof remembering>) => forgetUser('alice')],
  ])('a look-up that began before the end of its %s is done again after it', async (_, end) => {
    const all = remembering()
    const early = all.find('a')
    end(all)
    // It read the row before the row was deleted.
    all.found('a')
    await all.tick()
    expect(all.begun).toEqual(['a', 'a'])
    all.unknown('a')
    expect(await early).toBeUndefined()
  })

  it('a request after the end does not wait for a look-up from before', async () => {
    const { find, unknown, forget, begun } = remembering()
    void find('a')
    forget('a')
    const late = find('a')
    expect(begun).toEqual(['a', 'a'])
    unknown('a')
    expect(await late).toBeUndefined()
  })

  it('the ends of other sessions and users do not repeat a look-up', async () => {
    const { find, found, forget, forgetUser, begun } = remembering()
    const hers = find('a')
    forget('b')
    forgetUser('bob')
    const hers_again = find('a')
    found('a')
    expect(await Promise.all([hers, hers_again, find('a')])).toEqual(Array(3).fill(signInOf('alice')))
    expect(begun).toEqual(['a'])
  })

  it('the end of the sign-ins of one person keeps the sign-ins of others', async () => {
    const { find, found, forgetUser, begun } = remembering()
    for (const user of ['alice', 'bob']) {
      const looked_up = find(user)
      found(user, signInOf(user))
      await looked_up
    }
    forgetUser('alice')
    await find('bob')
    void find('alice')
    expect(begun).toEqual(['alice', 'bob', 'alice'])
  })
})
