/** Limits on what reaches strangers, over several processes. The routes are tested in `test/routes/notifications`. */
import { expect, it } from 'vitest'
import { limitsIn } from '../../../src/db/account/limits.ts'
import {
  addTarget,
  max_new_mailboxes_a_day,
  max_tests_an_hour,
  type Notifier,
  notifierOf,
  testTarget,
} from '../../../src/domain/notifications/targets.ts'
import { useDatabase } from '../../support/app/database.ts'
import { type Person, person } from '../../support/app/people.ts'

const { sql } = useDatabase()

/** One process of the service. */
const process = () =>
  notifierOf(
    { sendMessage: async () => ({ delivered: true }), webPushKeys: async () => ({ public_key: '', private_key: '' }) },
    { SMTP_URL: 'smtp://127.0.0.1:1' },
    limitsIn(sql),
  )

const addMailbox = (notifier: Notifier, { library }: Person, address: string) =>
  addTarget(notifier, library, 'member', { kind: 'mail', address, events: ['new_video'] })

it('all processes count the tests of a person together', async () => {
  const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
  const [one, other] = [process(), process()]
  const sendTest = async (notifier: Notifier, who: Person, target_id: string) =>
    testTarget(notifier, who.library, target_id, 'https://tv.example.org')
  const { target_id } = await addMailbox(one, alice, 'a@example.org')

  await Promise.all(Array.from({ length: max_tests_an_hour }, () => sendTest(one, alice, target_id)))

  await expect(sendTest(other, alice, target_id)).rejects.toMatchObject({ code: 'too_many' })
  const his = await addMailbox(other, bob, 'b@example.org')
  expect(await sendTest(other, bob, his.target_id)).toMatchObject({ delivered: true })
})

it('all processes count the new mailboxes of a person together', async () => {
  const alice = await person(sql, 'alice')
  const [one, other] = [process(), process()]
  for (let nth = 0; nth < max_new_mailboxes_a_day; nth++) {
    const { target_id } = await addMailbox(one, alice, `${nth}@example.org`)
    await alice.library.targets.remove(target_id)
  }

  await expect(addMailbox(other, alice, 'more@example.org')).rejects.toMatchObject({ code: 'too_many' })
})
