/** The health check of the image, asked as the image asks it. */
import { readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { type Site, siteWith } from './support/media/feed-site.ts'
import { newFolder } from './support/run/new-folder.ts'

const TMPDIR = newFolder()

const ask = async (role: string, env: Record<string, string> = {}) => {
  const node = 'node_modules/.bin/node'
  const { exitCode, stdout } = await execa(node, ['src/healthy.ts', role], { env: { TMPDIR, ...env }, reject: false })
  return { exitCode, stdout }
}

const envOf = ({ port }: Site) => ({ HOST: '0.0.0.0', PORT: String(port) })

it.each(['web', 'all'])('%s is well while it answers /readyz', async role => {
  const site = await siteWith((_, answer) => answer.end())
  expect(await ask(role, envOf(site))).toEqual({ exitCode: 0, stdout: '' })
  expect(site.asked).toEqual(['/readyz'])
})

it('web is ill while its database does not answer', async () => {
  const site = await siteWith((_, answer) => answer.writeHead(503).end())
  expect(await ask('web', envOf(site))).toEqual({ exitCode: 1, stdout: 'GET /readyz: 503' })
})

it('web is ill when nothing listens', async () => {
  expect(await ask('web', { HOST: '127.0.0.1', PORT: '1' })).toMatchObject({ exitCode: 1 })
})

it('a service that hangs is ill, and the check ends before Docker ends it', async () => {
  const site = await siteWith(() => {})
  expect(await ask('web', envOf(site))).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('aborted') })
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
