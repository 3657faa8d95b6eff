/** The files of Compose, read by Compose and nginx. `npm run image` shows the container that they run. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { Variables } from '../../src/config/variables.ts'
import { foldersOf } from '../../src/runtime/user.ts'
import { composes, mountsOf, readCompose, type Service } from '../support/process/compose.ts'
import { nginx_is_here, remarksOfNginx } from '../support/process/nginx.ts'
import { blocksOf } from '../support/run/documents.ts'
import { newFolder } from '../support/run/new-folder.ts'

/** What the image sets. */
const [, of_image = ''] = /^ENV (.*)$/m.exec(await readFile('Dockerfile', 'utf8')) ?? []
const in_image = Object.fromEntries(of_image.split(' ').map(pair => pair.split('=')))

/** What the process in the container sees. */
function environmentOf({ environment = {} }: Service): Record<string, string> {
  const entries = Object.entries({ ...in_image, ...environment }).filter(([, value]) => value !== null)
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

/** Each variable whose secret may be in a file: the start asks for the file. */
const in_files = Object.keys(Variables.shape).filter(name => {
  try {
    return !readConfig({ [`${name}_FILE`]: '/missing' })
  } catch {
    return true
  }
})
/** Places of the container, which Compose and the image choose. */
const places = ['HOST', 'PORT', 'DATA_DIR', 'DOWNLOADS_DIR', 'MEDIA_DIR']
const passed = [
  ...Object.keys(Variables.shape).filter(name => ![...places, 'PATH'].includes(name)),
  ...['PUID', 'PGID'],
  ...in_files.map(name => `${name}_FILE`),
]
const all = Object.fromEntries(passed.map(name => [name, `value of ${name}`]))
const lines = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')

describe.each(composes)('compose.yaml, read by %s', (...compose) => {
  const read = async (settings: { dotenv?: string; shell?: Record<string, string> } = {}): Promise<Service> => {
    const { backlot, ...others } = await readCompose(compose, { folder: newFolder(), ...settings })
    expect(others).toEqual({})
    if (!backlot) throw new Error('There is no service.')
    return backlot
  }

  it('every variable of the service reaches the container, from .env and from the shell', async () => {
    expect(in_files.length).toBeGreaterThan(7)
    for (const settings of [{ dotenv: lines(all) }, { shell: all }])
      expect(environmentOf(await read(settings))).toMatchObject(all)
  })

  it('passes on nothing that the service does not have', async () => {
    const names = Object.keys((await read()).environment ?? {})
    expect(names.toSorted()).toEqual([...passed, 'DOWNLOADS_DIR', 'MEDIA_DIR'].toSorted())
  })

  it('an empty .env is enough, and none is: the service starts with its usual values, as 1000:1000', async () => {
    for (const settings of [{}, { dotenv: '' }]) {
      const given = environmentOf(await read(settings))
      expect(given).toMatchObject({ PUID: '1000', PGID: '1000' })
      const { DOWNLOADS_DIR, MEDIA_DIR, ...config } = readConfig(given)
      const { DOWNLOADS_DIR: _, ...usual } = readConfig({ HOST: '0.0.0.0', DATA_DIR: '/data' })
      expect(config).toEqual(usual)
    }
  })

  it('no variable of .env moves a place inside the container', async () => {
    const settings = {
      ...Object.fromEntries(places.map(name => [name, '/volume1'])),
      PORT: '127.0.0.1:8080',
      HOST: 'nas',
    }
    const service = await read({ dotenv: lines(settings) })
    const given = environmentOf(service)
    expect(given).toMatchObject({ HOST: '0.0.0.0', PORT: '8000', DATA_DIR: '/data' })
    const [port] = service.ports ?? []
    expect(typeof port === 'string' ? port : `${port?.host_ip}:${port?.published}:${port?.target}`).toMatch(
      /^127\.0\.0\.1:8080:8000/,
    )
  })

  it('films and their links are in one folder of the host, which the person names', async () => {
    const service = await read({ dotenv: 'FILMS=/volume1/my films\n' })
    const mounts = mountsOf(service)
    expect(mounts['/films']).toBe('/volume1/my films')
    for (const folder of foldersOf(environmentOf(service)))
      expect([folder, Object.keys(mounts).filter(place => `${folder}/`.startsWith(`${place}/`))]).toEqual([
        folder,
        [folder === '/data' ? '/data' : '/films'],
      ])
    // On the disk: a file that waits to be imported may have 512 MB.
    expect(mounts['/tmp']).toBe('tmp')
    expect(mountsOf(await read())['/films']).toMatch(/^\/.*\/films$/)
  })

  it('the container has only the capabilities with which root becomes another user, and a read-only root', async () => {
    expect(await read()).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      cap_add: ['CHOWN', 'DAC_OVERRIDE', 'KILL', 'SETGID', 'SETUID'],
      security_opt: ['no-new-privileges:true'],
    })
  })
})

describe.each(composes)('the profile split, read by %s', (...compose) => {
  const read = (dotenv = '') => readCompose(compose, { folder: newFolder(), dotenv, profile: 'split' })
  const ours = async (dotenv?: string) =>
    Object.entries(await read(dotenv)).filter(([name]) => ['web', 'worker', 'migrate'].includes(name))

  it('starts all parts for the proxy, each after what it needs', async () => {
    const services = await read()
    expect(Object.keys(services).toSorted()).toEqual(['migrate', 'postgres', 'proxy', 'web', 'worker'])
    const needs = Object.entries(services).map(([name, { depends_on = {} }]) => [name, Object.keys(depends_on)])
    expect(Object.fromEntries(needs)).toEqual({
      ...{ proxy: ['web', 'worker'], web: ['migrate'], worker: ['migrate'], migrate: ['postgres'], postgres: [] },
    })
  })

  it('gives our containers no capability, a read-only root and the chosen user', async () => {
    for (const [, service] of await ours('PUID=1026\nPGID=100\n')) {
      const rights = { cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] }
      expect(service).toMatchObject({ user: '1026:100', read_only: true, ...rights })
      expect(service.cap_add).toBeUndefined()
      expect(mountsOf(service)).toHaveProperty('/tmp')
    }
  })

  it('every variable of .env reaches our containers, except the places inside them', async () => {
    const { DATABASE_URL_FILE: _, TRUSTED_PROXIES: __, ...others } = all
    const secret = join(newFolder(), 'database-url')
    await writeFile(secret, 'postgres://backlot@postgres/backlot\n')
    for (const [, service] of await ours(lines({ ...all, PORT: '90', HOST: 'nas', DATA_DIR: '/volume1' })))
      expect(environmentOf(service)).toMatchObject({ ...others, HOST: '0.0.0.0', PORT: '8000', DATA_DIR: '/data' })
    for (const [, service] of await ours())
      expect(readConfig({ ...environmentOf(service), DATABASE_URL_FILE: secret }).DOWNLOADS_DIR).toBe('/downloads')
  })
})

describe('the nginx of the parts', async () => {
  const conf = await readFile('docs/nginx.conf', 'utf8')

  it.skipIf(!nginx_is_here)('nginx accepts its configuration', async () => {
    expect(conf).toContain('proxy_pass')
    expect(await remarksOfNginx(conf)).toBe('')
  })

  it('keeps the same secret addresses out of its logs, and takes files of the same size, as each recipe', async () => {
    const secret = /location ~ \^(?:\/backlot)?(\S+) \{[^}]*access_log off;\s+error_log \/dev\/null;/
    const size = /client_max_body_size \S+;/
    const recipes = (await blocksOf('nginx')).filter(text => text.includes('location /') && text.includes('proxy_pass'))
    expect(recipes.length).toBeGreaterThan(1)
    const found = [conf, ...recipes].map(text => [secret.exec(text)?.[1], size.exec(text)?.[0]])
    expect(found).toEqual(found.map(() => ['/([sf]|mails)/', 'client_max_body_size 520m;']))
  })
})
