/** Compares a file of 128 MB through the whole app (session, library, ranges) with Node's simplest file server. */
import { createReadStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import { createApp } from '../../src/app.tsx'
import type { Sql } from '../../src/db/postgres/client.ts'
import { filesIn } from '../../src/domain/downloads/files.ts'
import { serve } from '../../src/runtime/serve.ts'
import { follows, has, person } from '../support/app/people.ts'
import type { Pair } from './main.ts'

const size = 128 * 1024 * 1024

export async function streaming(sql: Sql, folder: string): Promise<Pair> {
  const alice = await person(sql, 'viewer')
  await follows(alice, 'c', ['v1'])
  const download_path = `${alice.user.user_id}/c/v1.mp4`
  const file = join(folder, download_path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, new Uint8Array(size))
  await has(alice, 'v1', download_path, size)

  const config = { PUBLIC_URL: undefined, REGISTRATION: 'open' } as const
  const notAsked = async () => Promise.reject(new Error('not asked'))
  const outside = { readFeed: notAsked, discover: notAsked, log: pino({ level: 'silent' }) }
  const app = await createApp({ sql, search_sql: sql, files: filesIn(folder), config, ...outside })
  const ours = await serve(app.fetch, '127.0.0.1', 0)
  const plain = createServer((_, answer) =>
    createReadStream(file).pipe(answer.writeHead(200, { 'content-length': size })),
  )
  await new Promise<void>(resolve => plain.listen(0, '127.0.0.1', resolve))
  const plain_url = `http://127.0.0.1:${(plain.address() as AddressInfo).port}`

  const drain = async (url: string) => {
    const answer = await fetch(url, { headers: { cookie: alice.cookie } })
    let bytes = 0
    for await (const chunk of answer.body ?? []) bytes += chunk.length
    if (bytes !== size) throw new Error(`${url} gave ${bytes} bytes`)
  }
  return {
    name: 'streaming 128 MB',
    ours: () => drain(`${ours.url}/stream/v1`),
    other: () => drain(plain_url),
    close: () => Promise.all([ours.close(), new Promise(resolve => plain.close(resolve))]),
  }
}
