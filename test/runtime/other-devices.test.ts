import { hostname, type NetworkInterfaceInfo } from 'node:os'
import { expect, it } from 'vitest'
import { waysFromOutside } from '../../src/runtime/other-devices.ts'

const at = (address: string, more: Partial<NetworkInterfaceInfo> = {}) =>
  [{ address, family: 'IPv4', internal: false, ...more }] as NetworkInterfaceInfo[]

const interfaces = {
  lo: at('127.0.0.1', { internal: true }),
  docker0: at('172.17.0.1'),
  'br-a81f': at('172.18.0.1'),
  veth12: at('169.254.1.1'),
  wlan0: [...at('192.168.1.20'), ...at('fe80::1', { family: 'IPv6' } as never)],
}

it.each(['0.0.0.0', '::'])('a service on %s names the addresses that another device can open, and no other', host => {
  expect(waysFromOutside(host, 'http://localhost:8000', interfaces)).toEqual([
    'From other devices at home: http://192.168.1.20:8000',
    `From other devices at home: http://${hostname()}:8000`,
  ])
})

it('a service on loopback says how to open it to other devices', () => {
  expect(waysFromOutside('127.0.0.1', 'http://localhost:8000', interfaces)).toEqual([
    'From other devices at home: HOST=0.0.0.0 npm start',
  ])
})

it('a machine without a network says so, and an address that was chosen is not explained', () => {
  expect(waysFromOutside('0.0.0.0', 'http://localhost:8000', { lo: interfaces.lo })).toEqual([
    'No other device reaches this machine, because it is in no network.',
  ])
  expect(waysFromOutside('192.168.1.20', 'http://192.168.1.20:8000', interfaces)).toEqual([])
})
