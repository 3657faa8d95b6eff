/** compose.yaml, read by docker-compose and nginx. The image that it runs is shown by `npm run image`. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from 'node:process'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { nginx_is_here } from '../support/process/nginx.ts'
import { newFolder } from '../support/run/new-folder.ts'

type Service = {
  image: string
  environment?: Record<string, string>
  profiles?: string[]
  command?: string
  depends_on?: Record<string, { condition: string }>
  volumes?: string[]
  user?: string
  read_only?: boolean
  cap_drop?: string[]
  tmpfs?: string[]
  security_opt?: string[]
  ports?: { published: number; target: number }[]
}

/** Of Debian's package. Version 1.29 knows all of the file but the text of a config, which newer versions read from the file itself. */
const compose_is_here = await execa('docker-compose', ['version']).then(
  () => true,
  () => false,
)
const text = await readFile('compose.yaml', 'utf8')

/** With the variables filled in. */
async function read(settings: Record<string, string> = {}): Promise<Record<string, Service>> {
  const folder = newFolder()
  const file = join(folder, 'compose.yaml')
  await writeFile(file, text.replace(/^( +)content:/m, '$1file: ./proxy.conf\n$1x-content:'))
  const args = ['-f', file, '--project-directory', folder]
  const { PATH = '' } = env
  const options = { env: { PATH, ...settings }, extendEnv: false } as const
  const { stdout } = await execa('docker-compose', [...args, 'config'], options)
  const toJson = 'import sys, yaml, json; json.dump(yaml.safe_load(sys.stdin), sys.stdout)'
  const json = await execa('/usr/bin/python3', ['-c', toJson], { input: stdout })
  return JSON.parse(json.stdout).services
}

const ours = (services: Record<string, Service>) =>
  Object.entries(services).filter(([, { image }]) => image === 'backlot')

describe.skipIf(!compose_is_here)('compose.yaml', () => {
  it('starts one container by default, and the parts with the profile split', async () => {
    const services = Object.entries(await read())
    expect(services.filter(([, { profiles }]) => !profiles).map(([name]) => name)).toEqual(['backlot'])
    expect(services.filter(([, { profiles }]) => profiles?.includes('split')).map(([name]) => name)).toEqual(
      expect.arrayContaining(['migrate', 'postgres', 'proxy', 'web', 'worker']),
    )
  })

  it('starts all parts for the proxy, each after what it needs, and not the single container', async () => {
    const services = await read()
    const needed = new Set(['proxy'])
    for (const name of needed) for (const next of Object.keys(services[name]?.depends_on ?? {})) needed.add(next)
    expect([...needed].toSorted()).toEqual(['migrate', 'postgres', 'proxy', 'web', 'worker'])
  })

  it('gives our containers no capability, a read-only root and the chosen user', async () => {
    const found = ours(await read({ PUID: '1026', PGID: '100' }))
    expect(found.length).toBe(4)
    for (const [, service] of found)
      expect(service).toMatchObject({
        user: '1026:100',
        read_only: true,
        cap_drop: ['ALL'],
        tmpfs: ['/tmp'],
        security_opt: ['no-new-privileges:true'],
      })
  })

  it('sets only variables that the service has, and passes those of the environment on', async () => {
    const image = (await readFile('Dockerfile', 'utf8')).match(/^ENV (.*)$/m)?.[1] ?? ''
    const in_image = Object.fromEntries(image.split(' ').map(pair => pair.split('=')))
    const secret = join(newFolder(), 'database-url')
    await writeFile(secret, 'postgres://backlot@postgres/backlot\n')
    const names = Object.keys((await read()).backlot?.environment ?? {})
    const settings = await readFile('docs/settings.md', 'utf8')
    for (const [, { environment = {} }] of ours(await read({ PUBLIC_URL: 'https://tv.example.org' }))) {
      const given = { ...in_image, ...environment, ...(environment.DATABASE_URL_FILE && { DATABASE_URL_FILE: secret }) }
      expect(readConfig(given)).toMatchObject({ PUBLIC_URL: 'https://tv.example.org' })
      for (const name of Object.keys(environment)) expect(settings).toContain(name.replace(/_FILE$/, ''))
    }
    expect(names).toContain('PUBLIC_URL')
  })

  it('publishes one port for either way, so that they cannot run side by side', async () => {
    const { backlot, proxy } = await read({ PORT: '8080' })
    expect([backlot?.ports?.[0], proxy?.ports?.[0]]).toMatchObject([
      { published: 8080, target: 8000 },
      { published: 8080, target: 80 },
    ])
  })
})

it.skipIf(!nginx_is_here)('nginx accepts its configuration in compose.yaml', async () => {
  const folder = newFolder()
  const server = (/ content: \|\n((?: {6}.*\n)+)/.exec(text)?.[1] ?? '').replaceAll('$$', '$')
  expect(server).toContain('proxy_pass')
  const file = join(folder, 'nginx.conf')
  await writeFile(file, `pid ${folder}/pid; events {} http { access_log off; ${server} }`)
  const PATH = `${env.PATH}:/usr/sbin`
  const { stderr } = await execa('nginx', ['-t', '-c', file, '-e', join(folder, 'errors')], { env: { PATH } })
  expect(stderr).toContain('test is successful')
})
