import { expect, it } from 'vitest'
import { webPushKeysIn } from '../../../src/db/notifications/web-push-keys.ts'
import { makeWebPushKeys } from '../../../src/senders/browser.ts'
import { useDatabase } from '../../support/app/database.ts'

const { sql } = useDatabase()

it('are made once, however many processes need them at the same moment', async () => {
  const asked = await Promise.all(Array.from({ length: 8 }, () => webPushKeysIn(sql, makeWebPushKeys)()))
  expect(new Set(asked.map(keys => JSON.stringify(keys))).size).toBe(1)
  const later = webPushKeysIn(sql, async () => ({ public_key: 'another', private_key: 'pair' }))
  expect(await later()).toEqual(asked[0])
})
