import { describe, expect, inject, it } from 'vitest'
import { findDatabase, openDatabase } from '../../../src/db/postgres/database.ts'

const server = inject('server_url')
const changed = (change: (url: URL) => unknown) => {
  const url = new URL(server)
  change(url)
  return url.href
}
const DATA_DIR = '/nowhere'
const handlers = { onDeath() {}, onLost() {} }

describe('DATABASE_URL', () => {
  it.each([
    ['of an unknown host', 'postgres://u:hush@nowhere.invalid/db'],
    ['of a name that is no host', 'postgres://u:hush@a..b/db'],
    ['of a port at which nothing can be', 'postgres://u:hush@127.0.0.1:0/db'],
    ['that wants TLS where there is none', changed(url => url.searchParams.set('sslmode', 'require'))],
    ['of a port at which nothing listens', 'postgres://u:hush@127.0.0.1:1/db'],
  ])('%s is named in a sentence', async (_, DATABASE_URL) => {
    const sentence = 'The database does not answer. Start it, or check DATABASE_URL.'
    await expect(openDatabase({ DATABASE_URL, DATA_DIR }, handlers)).rejects.toThrow(sentence)
    await expect(findDatabase({ DATABASE_URL, DATA_DIR })).rejects.toThrow(sentence)
  })

  it.each([
    [
      'of a database that is not there',
      changed(url => (url.pathname = '/nowhere')),
      'database "nowhere" does not exist',
    ],
    ['of a wrong person', changed(url => (url.username = 'mallory')), 'mallory'],
  ])('%s is named with the reason', async (_, DATABASE_URL, reason) => {
    const opening = openDatabase({ DATABASE_URL, DATA_DIR }, handlers)
    await expect(opening).rejects.toThrow(/^The database refuses a connection: .*\. Check DATABASE_URL\.$/)
    await expect(opening).rejects.toThrow(reason)
  })

  it('of a server that answers is returned as it is', async () => {
    expect(await findDatabase({ DATABASE_URL: server, DATA_DIR })).toBe(server)
  })
})
