import { expect, it } from 'vitest'
import { callbacksOf } from '../../../src/domain/push/subscriptions.ts'

const callbacksAt = (PUBLIC_URL: string | undefined, REFRESH_INTERVAL_MINUTES = 30) =>
  callbacksOf({ PUBLIC_URL, REFRESH_INTERVAL_MINUTES })

it('push is off without PUBLIC_URL, and while feeds are not checked by the clock', () => {
  expect(callbacksAt(undefined)).toBeUndefined()
  expect(callbacksAt('https://tv.example.org', 0)).toBeUndefined()
})

it.each(['https://tv.example.org', 'https://tv.example.org:8443', 'https://93.184.215.14', 'https://example.org/tv'])(
  'a hub on the internet can call %s',
  public_url => {
    expect(callbacksAt(public_url)).toBe(`${public_url}/push/`)
  },
)

it.each([
  'http://tv.example.org',
  'https://localhost:8000',
  'https://127.0.0.1',
  'https://[::1]',
  'https://192.168.1.5',
  'https://169.254.169.254',
  'https://tv.local',
  'https://tv.lan',
  'https://tv.home.arpa',
  'https://tv.localhost',
  'https://nas',
  'https://tv.home',
  'https://tv.onion',
  'https://co.uk',
])('a hub on the internet cannot call %s, so push is off', public_url => {
  expect(callbacksAt(public_url)).toBeUndefined()
})
