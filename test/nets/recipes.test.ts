/** Gives the examples of the guides to the programs that read them: the unit to systemd, the servers to nginx and Caddy. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { caddy_is_here } from '../support/process/caddy.ts'
import { nginx_is_here, remarksOfNginx } from '../support/process/nginx.ts'
import { blocksOf } from '../support/run/documents.ts'
import { newFolder } from '../support/run/new-folder.ts'

const systemd_is_here = await execa('systemd-analyze', ['--version']).then(
  () => true,
  () => false,
)

describe.skipIf(!systemd_is_here)('the systemd unit', () => {
  it('systemd accepts the unit, and rates its exposure below 2 of 10', async () => {
    const [unit = ''] = await blocksOf('ini')
    expect(unit).toContain('ExecStart=')
    const file = join(newFolder(), 'backlot.service')
    await writeFile(file, unit.replaceAll('/opt/backlot', process.cwd()).replace('User=backlot', 'User=daemon'))
    const verified = await execa('systemd-analyze', ['verify', file], { all: true, reject: false })
    expect([verified.exitCode, verified.all]).toEqual([0, ''])
    await execa('systemd-analyze', ['security', '--offline=yes', '--threshold=20', file])
  })
})

describe.skipIf(!nginx_is_here)('the nginx recipes', () => {
  it('nginx accepts the server as it is written, with each location that it may have', async () => {
    const blocks = await blocksOf('nginx')
    const block = (words: string) => blocks.find(text => text.includes(words)) ?? ''
    const server = block('listen 443')
    const within = (parts: string) => server.replace(/\}\s*$/, `${parts}}`)
    const signing = server.replace('location / {', `location / {${block('auth_basic')}`)
    for (const text of [server, server + block('listen 80'), within(block('location /backlot/')), signing])
      expect(await remarksOfNginx(text)).toBe('')
    expect(await remarksOfNginx(server.replace('proxy_pass', 'proxy_pas'))).toContain('unknown directive')
  })
})

describe.skipIf(!caddy_is_here)('the Caddy recipes', () => {
  it('are in the form that Caddy writes, so that it starts without a warning', async () => {
    const [blocks, file] = [await blocksOf('caddy'), join(newFolder(), 'Caddyfile')]
    expect(blocks.length).toBeGreaterThan(3)
    for (const text of blocks) {
      await writeFile(file, text)
      await execa('caddy', ['fmt', '--overwrite', file])
      expect(await readFile(file, 'utf8')).toBe(text)
    }
  })
})
