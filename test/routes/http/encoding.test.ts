/** Checks which answers are compressed. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { encodingFor } from '../../../src/routes/http/encoding.ts'
import { useApp } from '../../support/app/app.ts'
import { person } from '../../support/app/people.ts'
import { scene } from '../../support/app/scene.ts'

const { sql, ask } = useApp()
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

it.each([
  [undefined, undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['identity, br; q=0.0', undefined],
])('Accept-Encoding %j selects %s', (accepted, encoding) => expect(encodingFor(accepted)).toBe(encoding))

it('pages and static files are compressed as the client accepts, and decompress to the same', async () => {
  const alice = await scene(sql)
  for (const path of ['/downloads', '/static/backlot.css', '/static/icon.svg']) {
    const plain = await ask(path, { as: alice, headers: { 'accept-encoding': 'identity' } })
    const body = await bytesOf(plain)
    expect(plain.headers.get('content-encoding'), path).toBeNull()
    for (const [encoding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const answer = await ask(path, { as: alice, headers: { 'accept-encoding': encoding } })
      expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([
        encoding,
        'Accept-Encoding',
      ])
      const unpacked = unpack(await bytesOf(answer))
      // Cells contain remaining times.
      if (path.startsWith('/static')) expect(unpacked.equals(body), path).toBe(true)
      else expect(unpacked.toString()).toContain('<h1>Downloads</h1>')
    }
  }
})

it('videos, pictures, answers to a POST and small answers are not compressed', async () => {
  const alice = await person(sql, 'alice')
  const headers = { 'accept-encoding': 'br, gzip' }
  const made = await ask('/settings/tokens', {
    as: alice,
    form: { name: 'player', scope: 'read', expires_in_days: '90' },
    headers,
  })
  expect([made.status, made.headers.get('content-encoding')]).toEqual([201, null])
  for (const path of ['/static/icon-192.png', '/api/channels', '/healthz'])
    expect((await ask(path, { as: alice, headers })).headers.get('content-encoding'), path).toBeNull()
})

it('a compressed fragment gets 304 like a plain one', async () => {
  const alice = await scene(sql)
  const headers = { 'accept-encoding': 'br', 'hx-request': 'true' }
  const poll = '/api/download/status?video_id=running&known='
  const first = await ask(poll, { as: alice, headers })
  const again = await ask(poll, {
    as: alice,
    headers: { ...headers, 'if-none-match': first.headers.get('etag') ?? '' },
  })
  expect([first.status, again.status]).toEqual([200, 304])
})
