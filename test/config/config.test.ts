import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { newFolder } from '../support/run/new-folder.ts'

it('has a default for everything', () => {
  expect(readConfig({})).toMatchObject({
    PORT: 8000,
    HOST: '127.0.0.1',
    DATA_DIR: '.data',
    DOWNLOADS_DIR: 'downloads',
    WORKER_CONCURRENCY: 2,
    HOST_CONCURRENCY: 2,
    MIN_FREE_MB: 256,
    USER_QUOTA_GB: 0,
    REFRESH_INTERVAL_MINUTES: 30,
    ALLOWED_ADDRESSES: [],
    INSTALL_TOOLS: 'on',
    REGISTRATION: 'open',
    UMASK: 0o077,
    LOG_LEVEL: 'info',
  })
})

it('reads lists and numbers, and takes an empty variable as not set', () => {
  const config = readConfig({ ALLOWED_ADDRESSES: '127.0.0.1:9000, 10.0.0.0/8,', PORT: '9001', WORKER_CONCURRENCY: '' })
  expect(config).toMatchObject({
    ALLOWED_ADDRESSES: ['127.0.0.1:9000', '10.0.0.0/8'],
    PORT: 9001,
    WORKER_CONCURRENCY: 2,
  })
})

it.each([
  ['027', 0o027],
  ['0022', 0o022],
  ['002', 0o002],
])('reads the umask %s', (UMASK, mask) => {
  expect(readConfig({ UMASK }).UMASK).toBe(mask)
})

it.each(['777', '700', '89', 'u=rwx', '7'])('refuses the umask %s in words', UMASK => {
  expect(() => readConfig({ UMASK })).toThrow('UMASK should be three octal digits of which the first is 0')
})

it('starts with the environment of an older version', () => {
  expect(readConfig({ STREAM_OFFLOAD: 'x-accel', HOST_PAUSE_SECONDS: 'long' }).STREAM_OFFLOAD).toBe('off')
})

it('names every level when it is none of them', () => {
  expect(() => readConfig({ LOG_LEVEL: 'loud' })).toThrow('trace, debug, info, warn, error, fatal or silent')
})

it('names every wrong variable at once, and none of their values', () => {
  const wrong = {
    PORT: 'http',
    WORKER_CONCURRENCY: '0',
    REGISTRATION: 'maybe',
    DATABASE_URL: 'mysql://user:secret@host/db',
  }
  const sentence = (() => {
    try {
      return String(readConfig(wrong))
    } catch (fault) {
      return String(fault)
    }
  })()
  for (const name of Object.keys(wrong)) expect(sentence).toContain(name)
  expect(sentence).not.toContain('secret')
})

it('a name that is one letter off stops the start with the right one, and no name of other programs does', () => {
  expect(() => readConfig({ DATABSE_URL: 'x', DOWNLOAD_DIR: '/srv' })).toThrow(
    'Wrong configuration: DATABSE_URL should be DATABASE_URL, or be removed; DOWNLOAD_DIR should be DOWNLOADS_DIR, or be removed.',
  )
  const others = { POST: '1', HOSTS: 'x', UUID: '7', TERM: 'xterm', npm_config_user_agent: 'npm', BACKLOT_PORT: 'tcp' }
  const similar = { LOGLEVEL: 'x', DATADIR: '/x', DATABASE_URI: 'x', DATABASE_URL: 'postgres://me@127.0.0.1/backlot' }
  expect(readConfig({ ...others, ...similar }).PORT).toBe(8000)
})

it('in the file of settings every unknown name stops the start, but for those that Docker Compose reads', () => {
  const read = (name: string) => readConfig({ [name]: 'x' }, [name])
  expect(() => read('PORTAL')).toThrow('PORTAL should not be in the file of settings: it is no variable of Backlot.')
  expect(() => read('LOGLEVEL')).toThrow('LOGLEVEL should be LOG_LEVEL, or be removed.')
  expect(() => read('NODE_EXTRA_CA_CERTS')).toThrow('NODE_EXTRA_CA_CERTS should be in the environment')
  for (const name of ['COMPOSE_PROJECT_NAME', 'TMPDIR', 'PUID', 'PGID']) expect(read(name).PORT).toBe(8000)
})

it('the file of settings may have what compose.yaml takes from it', async () => {
  const compose = await readFile('compose.yaml', 'utf8')
  const taken = [...compose.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name)
  expect(taken).toContain('FILMS')
  const values = Object.fromEntries(taken.map(name => [name, '1000']))
  expect(readConfig(values, taken).PORT).toBe(1000)
})

it.each([
  'https://media.example//',
  'https://media.example/a//b',
  'https://media.example/../backlot',
  'https://media.example/.backlot',
  'https://media.example/back%6Cot',
  'https://media.example/back lot',
  'https://media.example/backlot;a',
  'http://media.example/?a',
  'http://media.example/backlot?a',
  'http://media.example/backlot#a',
  'https://a@media.example',
  '/backlot',
])('a PUBLIC_URL with more than an origin and a plain path is refused in one sentence: %s', PUBLIC_URL => {
  expect(() => readConfig({ PUBLIC_URL })).toThrow(/^Wrong configuration: PUBLIC_URL should be an address [^;]*\.$/)
})

it.each([
  ['https://tv.example.org', 'https://tv.example.org'],
  ['https://tv.example.org/', 'https://tv.example.org'],
  ['http://[::1]:8000', 'http://[::1]:8000'],
  ['https://home.example/backlot', 'https://home.example/backlot'],
  ['https://home.example/~ann/Tv_2.0-x/', 'https://home.example/~ann/Tv_2.0-x'],
])('the PUBLIC_URL %s counts as %s', (PUBLIC_URL, read) => {
  expect(readConfig({ PUBLIC_URL }).PUBLIC_URL).toBe(read)
})

describe('object storage', () => {
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }
  const bucket = { DOWNLOADS_DIR: 's3://films/backlot', ...keys, AWS_REGION: 'eu-west-1' }

  it('object storage is read from the variables that other programs use, too', () => {
    expect(readConfig({ ...bucket, STREAM_OFFLOAD: 'signed-url' })).toMatchObject(bucket)
    expect(readConfig({ DOWNLOADS_DIR: 's3://films', ...keys, AWS_ENDPOINT_URL: 'http://minio:9000' })).toMatchObject(
      keys,
    )
  })

  it.each([
    ...['s3://', 's3://F', 's3:/films', 's3://films/../x', 's3://films//x', 's3://films/a b', 's3://films?x'],
    ...['S3://films', 's3://films_x', 's3://filmsAndMore', `s3://${'f'.repeat(64)}`, `s3://films/${'f'.repeat(60)}ö`],
  ])('%j names no bucket', DOWNLOADS_DIR => {
    expect(() => readConfig({ ...bucket, DOWNLOADS_DIR })).toThrow(
      'DOWNLOADS_DIR should be a folder or s3://bucket/prefix',
    )
  })

  it.each([
    ['AWS_ACCESS_KEY_ID', { AWS_ACCESS_KEY_ID: '' }],
    ['AWS_SECRET_ACCESS_KEY', { AWS_SECRET_ACCESS_KEY: '' }],
    ['AWS_REGION', { AWS_REGION: '' }],
    ['AWS_ENDPOINT_URL', { AWS_ENDPOINT_URL: 'https://user:password@minio' }],
    ['AWS_ENDPOINT_URL_S3', { AWS_ENDPOINT_URL_S3: 'https://minio/?x' }],
    ['MEDIA_DIR', { MEDIA_DIR: '/srv/media' }],
    ['STREAM_OFFLOAD', { DOWNLOADS_DIR: 'downloads', STREAM_OFFLOAD: 'signed-url' }],
  ])('the start stops at a wrong %s', (name, changes) => {
    expect(() => readConfig({ ...bucket, ...changes })).toThrow(`Wrong configuration: ${name} should `)
  })
})

it('an empty SPONSORBLOCK_URL turns the service off, and it is on unless it is set', () => {
  expect(readConfig({ SPONSORBLOCK_URL: '' }).SPONSORBLOCK_URL).toBe('')
  expect(readConfig({}).SPONSORBLOCK_URL).toMatch(/^https:/)
})

describe('AUTH_HEADER', () => {
  const TRUSTED_PROXIES = 'loopback'

  it.each([
    ...['Remote-User', 'x-user', 'Tailscale-User-Login', 'X-WebAuth-User'],
    ...['X-Forwarded-User', 'x-forwarded-email', 'X-Forwarded-Preferred-Username'],
  ])('%s is a header', AUTH_HEADER => {
    expect(readConfig({ AUTH_HEADER, TRUSTED_PROXIES }).AUTH_HEADER).toBe(AUTH_HEADER)
  })

  it.each([
    'Remote_User',
    'Remote User',
    'Remote-User:',
    'remote-',
    'Rémote',
    'a\r\nb',
    'Cookie',
    'AUTHORIZATION',
    'host',
    'X-Forwarded-For',
    'x-forwarded-proto',
    'X-Forwarded-Host',
    'X-Forwarded-Port',
    'Content-Type',
    'Sec-Fetch-Site',
    'hx-request',
    ...['Origin', 'Referer', 'User-Agent', 'Range', 'If-None-Match', 'Accept-Encoding', 'Forwarded', 'Connection'],
  ])('%j is refused with a sentence', AUTH_HEADER => {
    expect(() => readConfig({ AUTH_HEADER, TRUSTED_PROXIES })).toThrow(/AUTH_HEADER should be .*, such as Remote-User/)
  })

  it.each([undefined, '', ' , '])('without a trusted proxy (%j) the start stops with a sentence', TRUSTED_PROXIES => {
    const start = () => readConfig({ AUTH_HEADER: 'Remote-User', TRUSTED_PROXIES })
    expect(start).toThrow('TRUSTED_PROXIES should name the proxy that sends AUTH_HEADER')
  })
})

describe('a secret in a file', () => {
  const folder = newFolder()
  const inFile = async (text: string) => {
    const path = join(folder, crypto.randomUUID())
    await writeFile(path, text)
    return path
  }

  it.each([
    ['DATABASE_URL', 'postgres://db.example/backlot'],
    ['AWS_ACCESS_KEY_ID', 'a key'],
    ['AWS_SECRET_ACCESS_KEY', ' spaces stay '],
    ['AWS_SESSION_TOKEN', 'a token'],
    ['METRICS_TOKEN', 'sixteen-letters-'],
    ['DOWNLOAD_PROXY', 'socks5://user:hush@proxy:1080'],
    ['SECRET_KEY', 'thirty-two-letters-or-more-in-it'],
  ] as const)('%s_FILE gives the value without the last line break', async (name, value) => {
    for (const end of ['', '\n', '\r\n']) {
      const config = readConfig({ [`${name}_FILE`]: await inFile(value + end) })
      expect(config[name]).toBe(value)
    }
    expect(readConfig({ [`${name}_FILE`]: '', [name]: value })[name]).toBe(value)
  })

  it('a value and a file together, an absent file, a folder and an empty file are refused in words without the value', async () => {
    const both = { AWS_SESSION_TOKEN: 'hush', AWS_SESSION_TOKEN_FILE: await inFile('hush') }
    expect(() => readConfig(both)).toThrow('AWS_SESSION_TOKEN and AWS_SESSION_TOKEN_FILE should not both be set.')
    for (const path of [join(folder, 'absent'), folder, await inFile('\n')])
      expect(() => readConfig({ DATABASE_URL_FILE: path })).toThrow(
        'DATABASE_URL_FILE should be the path of a file that can be read and is not empty.',
      )
    const wrong = { DATABASE_URL_FILE: await inFile('mysql://user:hush@host') }
    expect(() => readConfig(wrong)).toThrow('DATABASE_URL should be an address that starts with postgres://')
    expect(() => readConfig(wrong)).not.toThrow('hush')
  })

  it.each([
    ...['postgresql://u:hush@%2Fsock:5432/db', 'postgres://u:hush@%2fvar%2frun/db', 'postgres://u:hush@/db?host=/sock'],
    ...['postgresql:///db', 'postgres:///db?host=%2Fsock', 'postgres://localhost/db?sslmode=disable&host=/sock'],
  ])('a socket in a folder is refused in words: %s', DATABASE_URL => {
    const sentence = 'DATABASE_URL should be an address that starts with postgres:// and has the name of a host'
    expect(() => readConfig({ DATABASE_URL })).toThrow(sentence)
    expect(() => readConfig({ DATABASE_URL })).not.toThrow('hush')
  })

  it.each([
    ...[
      'postgres://u:p@db.example.org:5432/db?sslmode=require',
      'postgresql://u:a%2Fb@[::1]/db',
      'postgres://db/a%2Fb',
    ],
  ])('the address of a server is accepted: %s', DATABASE_URL => {
    expect(readConfig({ DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL)
  })
})

describe('an OpenID provider', () => {
  const given = { OIDC_ISSUER: 'https://id.example.org/realms/home', OIDC_CLIENT_ID: 'backlot' }

  it('is off, and has a label, and makes no accounts and no administrators unless told', () => {
    const { OIDC_ISSUER, OIDC_LABEL, OIDC_REGISTRATION, OIDC_ADMIN_GROUP } = readConfig({})
    expect([OIDC_ISSUER, OIDC_LABEL, OIDC_REGISTRATION, OIDC_ADMIN_GROUP]).toEqual([
      undefined,
      'Single sign-on',
      'off',
      undefined,
    ])
    expect(readConfig(given)).toMatchObject(given)
  })

  it.each([
    [
      'a client without a provider',
      { OIDC_CLIENT_ID: 'backlot' },
      'OIDC_ISSUER should be set, because OIDC_CLIENT_ID is',
    ],
    [
      'a group without a provider',
      { OIDC_ADMIN_GROUP: 'staff' },
      'OIDC_ISSUER should be set, because OIDC_ADMIN_GROUP is',
    ],
    ['a provider without a client', { ...given, OIDC_CLIENT_ID: '' }, 'OIDC_CLIENT_ID should be set'],
    ['plain http', { ...given, OIDC_ISSUER: 'http://id.example.org' }, 'OIDC_ISSUER should start with https://'],
    [
      'a password in the address',
      { ...given, OIDC_ISSUER: 'https://a:hush@id.example.org' },
      'OIDC_ISSUER should be an address',
    ],
  ])('refuses %s', (_, env, sentence) => {
    expect(() => readConfig(env)).toThrow(sentence)
    expect(() => readConfig(env)).not.toThrow('hush')
  })

  it.each([
    ['on this machine', 'http://127.0.0.1:9000', ''],
    ['on this machine, by name', 'http://localhost:9000/realm', ''],
    ['whose host is allowed', 'http://keycloak:8080/realm', 'keycloak'],
    ['whose host and port are allowed', 'http://keycloak:8080', 'keycloak:8080'],
  ])('may be reached by plain http %s', (_, OIDC_ISSUER, ALLOWED_ADDRESSES) => {
    expect(readConfig({ ...given, OIDC_ISSUER, ALLOWED_ADDRESSES }).OIDC_ISSUER).toBe(OIDC_ISSUER)
  })
})

describe('mail', () => {
  it.each(['backlot@example.org', 'Backlot at home <backlot@example.org>'])('is sent from %s', MAIL_FROM => {
    const SMTP_URL = 'smtps://name:pass%20word@mail.example.org:465?tls.servername=other'
    expect(readConfig({ SMTP_URL, MAIL_FROM })).toMatchObject({ SMTP_URL, MAIL_FROM })
  })

  it.each([
    ['SMTP_URL', 'https://mail.example.org'],
    ['SMTP_URL', 'mail.example.org'],
    ['MAIL_FROM', 'Backlot'],
    ['MAIL_FROM', 'a@example.org\r\nBcc: b@example.org'],
    ['MAIL_FROM', 'a@example.org, b@example.org'],
  ])('is refused with %s=%j', (name, value) => {
    const right = { SMTP_URL: 'smtp://mail.example.org', MAIL_FROM: 'backlot@example.org' }
    expect(() => readConfig({ ...right, [name]: value })).toThrow(`${name} should be`)
  })

  it('needs a sender', () => {
    expect(() => readConfig({ SMTP_URL: 'smtp://mail.example.org' })).toThrow(
      'MAIL_FROM should be set, because SMTP_URL is',
    )
  })
})

describe('the proxy for downloads', () => {
  it.each([
    'http://proxy:8888',
    'socks5://proxy',
    'socks5h://some%40one:pass%20word@[fd00::1]:1080/',
    'http://user@10.0.0.7:3128',
  ])('may be %s', DOWNLOAD_PROXY => {
    expect(readConfig({ DOWNLOAD_PROXY, FEED_PROXY: 'on' })).toMatchObject({ DOWNLOAD_PROXY, FEED_PROXY: 'on' })
    expect(readConfig({ DOWNLOAD_PROXY }).FEED_PROXY).toBe('off')
  })

  it.each([
    'https://user:hunter2@proxy:8443',
    'socks4://user:hunter2@proxy:1080',
    'proxy:8888',
    'http://',
    'http://user:hunter2@proxy:8888/path',
    'http://user:hunter2%zz@proxy:8888',
    `socks5://user:hunter2${'x'.repeat(250)}@proxy`,
  ])('is refused as %s, with what is possible and without its password', DOWNLOAD_PROXY => {
    const reading = () => readConfig({ DOWNLOAD_PROXY })
    expect(reading).toThrow(/DOWNLOAD_PROXY should be an address such as http:.* or socks5:/)
    expect(reading).not.toThrow('hunter2')
  })

  it('is needed where feeds should leave through it', () => {
    expect(() => readConfig({ FEED_PROXY: 'on' })).toThrow('DOWNLOAD_PROXY should be set, because FEED_PROXY is on')
  })
})

describe('hours and rates', () => {
  it.each([
    ['22:00-06:00', [{ from: '22:00', to: '06:00' }]],
    [
      ' 1:00 - 6:00, 12:30-24:00,',
      [
        { from: '01:00', to: '06:00' },
        { from: '12:30', to: '24:00' },
      ],
    ],
    ['00:00-24:00', [{ from: '00:00', to: '24:00' }]],
    ['all', []],
    ['', []],
  ])('reads the hours %j', (DOWNLOAD_HOURS, read) => {
    expect(readConfig({ DOWNLOAD_HOURS }).DOWNLOAD_HOURS).toEqual(read)
  })

  it.each([
    '22-6',
    '22:00',
    '22:00-06:00-07:00',
    '24:00-06:00',
    '22:60-06:00',
    '00:00-00:00',
    '06:00-06:00',
    '10pm-6am',
    'all,all',
  ])('refuses the hours %j with a sentence that shows the form', DOWNLOAD_HOURS => {
    expect(() => readConfig({ DOWNLOAD_HOURS })).toThrow(
      /^Wrong configuration: DOWNLOAD_HOURS should be hours such as 22:00-06:00, [^;]*00:00-24:00 is the whole day\)\.$/,
    )
  })

  it.each([
    ['2M', [{ span: null, bytes_s: 2 * 1024 * 1024 }]],
    ['500k', [{ span: null, bytes_s: 500 * 1024 }]],
    ['1500000', [{ span: null, bytes_s: 1_500_000 }]],
    ['4.2M', [{ span: null, bytes_s: 4_404_019 }]],
    [
      '2M, 23:00-07:00 = 1G',
      [
        { span: null, bytes_s: 2 * 1024 ** 2 },
        { span: { from: '23:00', to: '07:00' }, bytes_s: 1024 ** 3 },
      ],
    ],
    [
      '0,08:00-12:00=16K',
      [
        { span: null, bytes_s: 0 },
        { span: { from: '08:00', to: '12:00' }, bytes_s: 16_384 },
      ],
    ],
    ['', []],
  ])('reads the rates %j', (DOWNLOAD_RATE, read) => {
    expect(readConfig({ DOWNLOAD_RATE }).DOWNLOAD_RATE).toEqual(read)
  })

  it.each([
    'fast',
    '2MB',
    '-1M',
    '15K',
    '2M,3M',
    '23:00-07:00',
    '23:00=10M',
    '23:00-07:00=10M=1',
    '2M=23:00-07:00',
    '1e6',
  ])('refuses the rates %j with a sentence that shows the form', DOWNLOAD_RATE => {
    expect(() => readConfig({ DOWNLOAD_RATE })).toThrow(
      /^Wrong configuration: DOWNLOAD_RATE should be bytes per second such as 2M, [^;]*\.$/,
    )
  })

  it('needs a TZ that names a zone only where hours are read by its clock', () => {
    const sentence =
      /^Wrong configuration: TZ should be the name of a time zone, such as Europe\/Zurich, because DOWNLOAD_/
    for (const TZ of ['Europe/Atlantis', ':/etc/localtime', '+02:00']) {
      expect(() => readConfig({ TZ, DOWNLOAD_HOURS: '22:00-06:00' })).toThrow(sentence)
      expect(() => readConfig({ TZ, DOWNLOAD_RATE: '22:00-06:00=2M' })).toThrow(sentence)
      expect(readConfig({ TZ, DOWNLOAD_RATE: '2M' }).TZ).toBe(TZ)
    }
    expect(readConfig({ TZ: 'Europe/Zurich', DOWNLOAD_HOURS: '22:00-06:00' }).TZ).toBe('Europe/Zurich')
  })
})
