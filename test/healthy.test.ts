/** The health check of the image, asked as the image asks it. */
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, it } from 'vitest'

let TMPDIR: string
const cleanups: (() => unknown)[] = []
beforeEach(async () => {
  TMPDIR = await mkdtemp(join(tmpdir(), 'backlot-healthy-'))
  cleanups.push(() => rm(TMPDIR, { recursive: true, force: true }))
})
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const ask = async (role: string, env: Record<string, string> = {}) => {
  const node = 'node_modules/.bin/node'
  const { exitCode, stdout } = await execa(node, ['src/healthy.ts', role], { env: { TMPDIR, ...env }, reject: false })
  return { exitCode, stdout }
}

async function serve(answer: RequestListener): Promise<Record<string, string>> {
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { HOST: '0.0.0.0', PORT: String((server.address() as AddressInfo).port) }
}

it.each(['web', 'all'])('%s is well while it answers /readyz', async role => {
  const asked: (string | undefined)[] = []
  const env = await serve(({ url }, answer) => {
    asked.push(url)
    answer.end()
  })
  expect(await ask(role, env)).toEqual({ exitCode: 0, stdout: '' })
  expect(asked).toEqual(['/readyz'])
})

it('web is ill while its database does not answer', async () => {
  const env = await serve((_, answer) => answer.writeHead(503).end())
  expect(await ask('web', env)).toEqual({ exitCode: 1, stdout: 'GET /readyz: 503' })
})

it('web is ill when nothing listens', async () => {
  expect(await ask('web', { HOST: '127.0.0.1', PORT: '1' })).toMatchObject({ exitCode: 1 })
})

it('a service that hangs is ill, and the check ends before Docker ends it', async () => {
  const env = await serve(() => {})
  expect(await ask('web', env)).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('aborted') })
})

it('a worker is well after a heartbeat, and ill after a silence or without any', async () => {
  expect(await ask('worker')).toEqual({ exitCode: 1, stdout: 'The worker sends no heartbeat.' })
  const file = join(TMPDIR, 'backlot-worker-7')
  await writeFile(file, '')
  expect(await ask('worker')).toMatchObject({ exitCode: 0 })
  const before = new Date(Date.now() - 60_000)
  await utimes(file, before, before)
  expect(await ask('worker')).toMatchObject({ exitCode: 1 })
})

it('a role that ends when it is done has nothing to check', async () => {
  expect(await ask('migrate')).toEqual({ exitCode: 0, stdout: '' })
})

it('the image runs the check, and gives it more time than the check takes', async () => {
  const [, seconds, command = '[]'] =
    (await readFile('Dockerfile', 'utf8')).match(/^HEALTHCHECK .*--timeout=(\d+)s .*CMD (.*)$/m) ?? []
  expect(JSON.parse(command)).toEqual(['node', 'src/healthy.ts'])
  const [, longest] = (await readFile('src/healthy.ts', 'utf8')).match(/longest_wait_ms = (\d+)/) ?? []
  expect(Number(seconds) * 1000).toBeGreaterThan(Number(longest))
})
