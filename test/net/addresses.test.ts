/** The addresses that the service may connect to. */
import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { type AddressPolicy, addressPolicy, isPublic, ownAddresses } from '../../src/net/addresses.ts'

const refused = { code: 'address_refused' }
const answering =
  (...addresses: string[]) =>
  async () =>
    addresses.map(address => ({ address }))

describe('public addresses', () => {
  it.each([
    '8.8.8.8',
    '93.184.216.34',
    '2606:2800:220:1:248:1893:25c8:1946',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
    '2002:808:808::1',
  ])('the address %s is public', address => expect(isPublic(address)).toBe(true))

  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::ffff:0:7f00:1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::808:808',
    '100::1',
    '2001::1',
    '2001:0:808:808:0:0:80ff:fffe',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:c0a8:101::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0:cccc::',
    'ff02::1',
    'not an address',
    '',
  ])('the address %s is not public', address => expect(isPublic(address)).toBe(false))
})

describe('the address policy', () => {
  it.each([
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '0',
    '[::1]',
    '[0000::1]',
    '0000::1',
    '[::ffff:127.0.0.1]',
    'localhost',
    'LOCALHOST.',
    'foo.localhost',
    'ip6-localhost',
    'metadata.google.internal',
    '①②⑦.⓪.⓪.①',
    'a b',
    'user@8.8.8.8',
    '',
  ])('the policy refuses %s without asking a resolver', async host => {
    const policy = addressPolicy([], async name => {
      throw new Error(`asked for ${name}`)
    })
    await expect(policy.resolve(host, 80)).rejects.toMatchObject(refused)
  })

  it('the policy refuses a name that is too long', async () => {
    await expect(addressPolicy([]).resolve('A!'.repeat(9000), 80)).rejects.toMatchObject(refused)
  })

  it('the policy returns exactly the addresses it has checked', async () => {
    const policy = addressPolicy([], answering('93.184.216.34', '2606:2800::1'))
    expect(await policy.resolve('example.org', 443)).toEqual([
      { address: '93.184.216.34', family: 4 },
      { address: '2606:2800::1', family: 6 },
    ])
  })

  it('the policy allows a public name that only begins like a name of this machine', async () => {
    const policy = addressPolicy([], answering('93.184.216.34'))
    expect(await policy.resolve('ip6-news.example', 443)).toHaveLength(1)
    expect(await policy.resolve('localhost.example', 443)).toHaveLength(1)
  })

  it('the policy refuses a public name with an inside address among its addresses', async () => {
    const policy = addressPolicy([], answering('93.184.216.34', '127.0.0.1'))
    await expect(policy.resolve('rebind.example', 80)).rejects.toMatchObject(refused)
  })

  it('the policy refuses a name without an address', async () => {
    await expect(addressPolicy([], answering()).resolve('empty.example', 80)).rejects.toMatchObject(refused)
  })

  it.each(['ENOTFOUND', 'EAI_AGAIN', 'ETIMEOUT'])(
    'the policy answers the resolver’s error %s like an inside address',
    async code => {
      const unknown = addressPolicy([], async () => {
        throw Object.assign(new Error(`getaddrinfo ${code}`), { code })
      })
      const inside = addressPolicy([], answering('10.1.2.3'))
      const told = ({ resolve }: AddressPolicy) =>
        resolve('corp-db.example', 80).catch(({ name, code, status, message }) => ({ name, code, status, message }))

      expect(await told(unknown)).toEqual(await told(inside))
      expect(await told(unknown)).toMatchObject({ ...refused, message: expect.stringContaining('Check the spelling') })
    },
  )

  describe('with an interface of this machine at a public address', () => {
    const own = () => ['45.33.32.156', '2600:3c01::f03c:91ff:fe18:bb2f', 'fe80::1%eth0']
    const strict = addressPolicy([], answering('45.33.32.156'), own)

    it.each([
      '45.33.32.156',
      '0x2d.0x21.0x20.0x9c',
      '[::ffff:45.33.32.156]',
      '[64:ff9b::2d21:209c]',
      '[2002:2d21:209c::1]',
      '[2600:3c01:0:0:f03c:91ff:fe18:bb2f]',
      'a-name-of-this-machine.example',
    ])('with a public address on an interface of this machine, the policy refuses %s', async host => {
      await expect(strict.resolve(host, 8080)).rejects.toMatchObject(refused)
    })

    it('the policy allows a listed address of this machine', async () => {
      expect(await addressPolicy(['45.33.32.156:8080'], undefined, own).resolve('45.33.32.156', 8080)).toHaveLength(1)
    })

    it('the policy reads the interfaces at each check, because they change', async () => {
      const now: string[] = []
      const policy = addressPolicy([], undefined, () => now)
      expect(await policy.resolve('45.33.32.156', 80)).toHaveLength(1)
      now.push('45.33.32.156')
      await expect(policy.resolve('45.33.32.156', 80)).rejects.toMatchObject(refused)
    })
  })

  it('the policy knows the interfaces of this machine', () => {
    const named = Object.values(networkInterfaces()).flatMap(all => all ?? [])
    expect(ownAddresses()).toEqual(named.map(({ address }) => address))
    expect(named.length).toBeGreaterThan(0)
  })

  it.each([22, 25, 0])('the policy refuses port %i even of a public host', async port => {
    await expect(addressPolicy([]).resolve('8.8.8.8', port)).rejects.toMatchObject(refused)
  })

  it.each([
    ['127.0.0.1', '127.0.0.1', 8080],
    ['127.0.0.1:8080', '127.0.0.1', 8080],
    ['127.0.0.1:22', '127.0.0.1', 22],
    ['127.0.0.1:8080', '2130706433', 8080],
    ['10.0.0.0/8', '10.9.8.7', 80],
    ['10.0.0.0/8', '::ffff:10.9.8.7', 80],
    ['[::1]:9000', '::1', 9000],
    ['[::1]', '[::1]', 80],
    ['::1', '::1', 80],
    ['fd00::/8', 'fd00::5', 80],
  ])('with %s listed, the policy allows %s at port %i', async (item, host, port) => {
    expect(await addressPolicy([item]).resolve(host, port)).toHaveLength(1)
  })

  it.each([
    ['127.0.0.1:8080', '127.0.0.1', 8081],
    ['127.0.0.1', '127.0.0.2', 80],
    ['10.0.0.0/8', '11.0.0.1', 22],
    ['10.0.0.0/8', '192.168.0.1', 80],
    ['[::1]:9000', '::1', 9001],
    ['media.local', 'evil.local', 80],
    ['media.local:80', 'media.local', 81],
    ['media.local', 'media.local.evil.example', 80],
  ])('with %s listed, the policy still refuses %s at port %i', async (item, host, port) => {
    await expect(addressPolicy([item], answering('192.168.7.7')).resolve(host, port)).rejects.toMatchObject(refused)
  })

  it('the policy allows a listed name, whatever it resolves to', async () => {
    const policy = addressPolicy(['Media.Local:8096', 'localhost'], answering('192.168.7.7'))
    const found = await policy.resolve('media.local.', 8096)
    expect(found).toEqual([{ address: '192.168.7.7', family: 4, is_listed: true }])
    expect(await policy.resolve('localhost', 80)).toHaveLength(1)
  })

  it('the policy allows a name that resolves into a listed range', async () => {
    const policy = addressPolicy(['192.168.7.0/24'], answering('192.168.7.7'))
    expect(await policy.resolve('media.local', 80)).toHaveLength(1)
  })

  it.each([
    ['media.example', 'media.example'],
    ['media.example:443', 'media.example'],
    ['93.184.215.0/24', 'other.example'],
  ])('with %s listed, the policy marks the public address of %s as listed', async (item, host) => {
    const [found] = await addressPolicy([item], answering('93.184.215.14')).resolve(host, 443)
    expect(found?.is_listed).toBe(true)
  })

  it('the policy marks nothing else as listed', async () => {
    const policy = addressPolicy(['media.example:8443', '10.0.0.0/8'], answering('93.184.215.14'))
    expect(await policy.resolve('media.example', 443)).toEqual([{ address: '93.184.215.14', family: 4 }])
  })

  it.each([['10.0.0.0/99'], ['http://media.local'], ['a:b'], ['[::1'], ['media local']])(
    'the policy refuses to start with "%s" on the list',
    item => expect(() => addressPolicy([item])).toThrow('ALLOWED_ADDRESSES'),
  )
})
