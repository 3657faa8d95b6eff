/** In this process, through the app: API tokens that a person creates with the form. */
import { hash } from 'node:crypto'
import type { Scope } from '../../../src/schema/account/account.ts'
import type { useApp } from './app.ts'
import type { Person } from './people.ts'

export function tokensThrough({ ask, sql }: Pick<ReturnType<typeof useApp>, 'ask' | 'sql'>) {
  const make = async (as: Person, form: Record<string, string> = {}) => {
    const answer = await ask('/settings/tokens', {
      as,
      form: { name: 'phone', scope: 'read', expires_in_days: '', ...form },
    })
    const text = await answer.text()
    return { answer, text, secret: /backlot_[0-9a-f]{64}/.exec(text)?.[0] ?? '' }
  }
  return {
    make,
    tokenOf: async (as: Person, scope: Scope = 'write') => (await make(as, { scope })).secret,
    /** The stored row of a token, by its secret. */
    async rowOf(secret: string) {
      const [row] = await sql<Record<string, unknown>[]>`
        select * from secrets where hash = ${hash('sha256', secret)}`
      return row
    },
  }
}
