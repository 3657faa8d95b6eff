/** Through the app: requests that a trusted proxy passes on, with the name of their sender in a header. */
import { expect } from 'vitest'
import type { Sql } from '../../../src/db/postgres/client.ts'
import type { Ask } from './app.ts'
import { type Person, person } from './people.ts'

export const proxy = '10.0.0.1'
export const outside = '192.0.2.66'
export const behind_proxy = { AUTH_HEADER: 'Remote-User', TRUSTED_PROXIES: [proxy] }

type App = { ask(path: string, more?: Ask): Promise<Response>; sql: Sql }

/** The username that `/api/account` answers with; the status, if no one is signed in. */
export async function whoIs(asking: Promise<Response>): Promise<string | number> {
  const answer = await asking
  const { username } = (await answer.json()) as { username?: string }
  if (answer.status !== 200) return answer.status
  expect(username).toEqual(expect.any(String))
  return username ?? ''
}

export const proxied = (app: App) => {
  /** Through the proxy, which names the person. */
  const as = (name: string, path: string, { headers, ...more }: Ask = {}) =>
    app.ask(path, { from: proxy, headers: { 'remote-user': name, ...headers }, ...more })
  return {
    as,
    nameAs: (name: string, more: Ask = {}) => whoIs(as(name, '/api/account', more)),
    /** A person with a password and a session, whom the proxy knows by their username. */
    async linked(name: string): Promise<Person> {
      const made = await person(app.sql, name)
      const { username } = made.user
      await made.library.identities.link({ issuer: 'header:remote-user', subject: username, name })
      return made
    },
  }
}
