/** A person is told: what becomes a message and when, how it is sent, tried again and given up, and what housekeeping does every minute. */
import { beforeEach, describe, expect, it } from 'vitest'
import { message_steps, sendMessagesTask } from '../../../jobs/tasks/notifications.ts'
import { everyoneIn } from '../../../src/db/everyone.ts'
import { countMessages, forgetOldMessages } from '../../../src/db/notifications/everyone/due.ts'
import { notifyAdministrators } from '../../../src/db/notifications/everyone/notices.ts'
import { recordFull } from '../../../src/db/postgres/room.ts'
import { beatWorker, endReport, unlockDeadWorkers } from '../../../src/db/service/everyone/operations.ts'
import type { Delivery, Message, MessageEvent, MessageTarget } from '../../../src/schema/notifications/message.ts'
import { useDatabase } from '../../support/app/database.ts'
import { lock } from '../../support/app/locks.ts'
import { idleParts } from '../../support/app/parts.ts'
import { administrator, entry, follows, has, type Person, personWith } from '../../support/app/people.ts'

const { sql } = useDatabase()

let alice: Person
beforeEach(async () => {
  alice = await listener('alice')
})

type Sent = Message & { to: string }

/** A hook that notes what it gets. `answer` decides what it says. */
function hook(
  answer: (message: Message, target: MessageTarget) => Delivery | Promise<Delivery> = () => ({ delivered: true }),
) {
  const sent: Sent[] = []
  const send = async (message: Message, target: MessageTarget) => {
    sent.push({ ...message, to: target.address })
    return answer(message, target)
  }
  return { sent, send }
}

const away: Delivery = { delivered: false, detail: 'It answered 503.', retry: true }

async function addTarget(
  { library }: Person,
  events: MessageEvent[],
  address = 'https://hook.example/',
): Promise<void> {
  await library.targets.add({ kind: 'webhook', address, token_or_key: null, events })
}

async function listener(name: string, channel = 'bread'): Promise<Person> {
  const made = await personWith(sql, name, channel, [`${channel}-1`])
  await addTarget(made, ['new_video', 'download_failed', 'space'])
  await made.library.channels.setBell(channel, true)
  return made
}

/** Everything of this person happened so many minutes earlier. */
async function passes({ user: { user_id } }: Person, minutes: number): Promise<void> {
  const earlier = sql`${minutes} * interval '1 minute'`
  await sql`update notifications set created_at = created_at - ${earlier} where user_id = ${user_id}`
  await sql`
    update messages
    set    created_at = created_at - ${earlier}, next_at = next_at - ${earlier}
    where  user_id = ${user_id}`
}

const tell = ({ user: { user_id } }: Person, { send }: ReturnType<typeof hook>, public_url?: string) => {
  const helpers = { abortSignal: new AbortController().signal }
  const task = sendMessagesTask({ sql: everyoneIn(sql), sendMessage: send, public_url })
  return Promise.resolve(Reflect.apply(task, undefined, [{ user_id }, helpers]))
}

async function minute(): Promise<void> {
  for (const step of Object.values(message_steps)) await step(idleParts(sql))
}

const queued = ({ user: { user_id } }: Person) => sql`
  select from graphile_worker.jobs where task_identifier = 'send-messages' and key = ${`messages:${user_id}`}`

it('a new video is told by its title, with its address', async () => {
  await follows(alice, 'bread', ['b 2'])
  await passes(alice, 2)
  const told = hook()

  await tell(alice, told, 'https://tv.example.org/backlot')
  await tell(alice, told)

  const url = 'https://tv.example.org/backlot/watch/b%202'
  expect(told.sent).toMatchObject([
    {
      event: 'new_video',
      title: 'Video b 2',
      text: 'New in Channel bread.',
      url,
      to: 'https://hook.example/',
      videos: [{ video_id: 'b 2', title: 'Video b 2', channel_title: 'Channel bread', url }],
    },
  ])
  const [target] = await alice.library.targets.list()
  expect(target).toMatchObject({ delivered_at: expect.any(Date), fault: null })
})

it('what happens within a minute is one message, and the next one is ten minutes later', async () => {
  await follows(alice, 'tea', ['t1'])
  await alice.library.channels.setBell('tea', true)
  const told = hook()
  await follows(alice, 'bread', ['b2', 'b3'])
  await passes(alice, 2)
  await follows(alice, 'tea', ['t2'])

  await tell(alice, told)
  expect(told.sent).toEqual([])

  await passes(alice, 2)
  await tell(alice, told)
  expect(told.sent).toMatchObject([{ title: '3 new videos in 2 channels', url: null }])

  await follows(alice, 'tea', ['t3'])
  await passes(alice, 5)
  await tell(alice, told)
  expect(told.sent).toHaveLength(1)
  await passes(alice, 6)
  await tell(alice, told)
  expect(told.sent.at(-1)).toMatchObject({ title: 'Video t3' })
})

it('what goes on happening is one message after ten minutes', async () => {
  const told = hook()
  for (let minute = 0; minute < 10; minute++) {
    await follows(alice, 'bread', [`m${minute}`])
    await tell(alice, told)
    await passes(alice, 1)
  }
  expect(told.sent).toEqual([])

  await follows(alice, 'bread', ['m10'])
  await tell(alice, told)
  expect(told.sent).toMatchObject([{ title: '11 new videos in Channel bread' }])
})

it('5,000 older videos that a listing finds in many parts are one message, when the list is read', async () => {
  const { backfills } = alice.library
  await backfills.begin('bread', 'videos.example')
  const claim = crypto.randomUUID()
  await backfills.start('bread', claim)
  const told = hook()

  for (let part = 0; part < 10; part++) {
    const older = Array.from({ length: 500 }, (_, at) => entry(`old-${part}-${at}`))
    await backfills.save('bread', claim, { older, news: [], found: (part + 1) * 500, channel: {} })
    await passes(alice, 30)
    await tell(alice, told)
  }
  expect(told.sent).toEqual([])

  await backfills.finish('bread', claim, { state: 'done', error: null })
  await tell(alice, told)
  await passes(alice, 30)
  await tell(alice, told)

  expect(told.sent).toHaveLength(1)
  const [message] = told.sent
  expect(message?.title).toBe('5,000 new videos in Channel bread')
  expect(message?.videos).toHaveLength(500)
  expect(message?.text.split('\n').at(-1)).toBe('and 4,990 more')
})

it('downloads that failed in an outage are one message, with why', async () => {
  await follows(alice, 'tea', ['t1', 't2', 't3'])
  for (const video_id of ['t1', 't2', 't3']) {
    await alice.library.downloads.request([video_id])
    const claim = crypto.randomUUID()
    await alice.library.downloads.start(video_id, claim)
    const download_error = `The site is away (${video_id}).`
    await alice.library.downloads.fail(video_id, claim, { download_error, next_attempt_at: null })
  }
  await passes(alice, 2)
  const told = hook()

  await tell(alice, told)

  expect(told.sent).toMatchObject([{ event: 'download_failed', title: '3 videos could not be downloaded' }])
  expect(told.sent[0]?.text.split('\n')).toContain('Video t2: The site is away (t2).')
})

it('a hook that is away gets each event afterwards, under the ids that it was told first', async () => {
  let is_away = true
  const told = hook(() => (is_away ? away : { delivered: true }))

  for (const video_id of ['b2', 'b3', 'b4']) {
    await follows(alice, 'bread', [video_id])
    await passes(alice, 20)
    await tell(alice, told)
  }
  expect((await alice.library.targets.list())[0]).toMatchObject({ fault: 'It answered 503.' })
  const first = new Map(told.sent.map(({ title, id }) => [title, id]))
  is_away = false
  told.sent.length = 0
  await passes(alice, 61)
  await tell(alice, told)

  expect(told.sent.map(({ title }) => title)).toEqual(['Video b2', 'Video b3', 'Video b4'])
  expect(told.sent[0]?.id).toBe(first.get('Video b2'))
  expect((await alice.library.targets.list())[0]).toMatchObject({ fault: null })
})

it('a message is tried again with growing waits, and given up after a day', async () => {
  await follows(alice, 'bread', ['b2'])
  await passes(alice, 2)
  const told = hook(() => away)
  const waits: number[] = []

  for (let attempt = 0; attempt < 40; attempt++) {
    await tell(alice, told)
    const [due] = await sql<{ minutes: number | null }[]>`
      select round(extract(epoch from next_at - now()) / 60)::int as minutes from messages where user_id = ${alice.user.user_id}`
    if (due?.minutes == null) break
    waits.push(due.minutes)
    await passes(alice, due.minutes)
  }

  expect(waits.slice(0, 7)).toEqual([1, 2, 5, 10, 30, 60, 60])
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(24 * 60 - 61)
  expect(new Set(told.sent.map(({ id }) => id)).size).toBe(1)
  expect((await alice.library.targets.list())[0]).toMatchObject({ fault: 'It answered 503.', delivered_at: null })
  const [kept] = await sql`select body from messages where user_id = ${alice.user.user_id}`
  expect(kept?.body).toEqual({ given_up: true })
  expect(await countMessages(everyoneIn(sql))).toMatchObject({ given_up: expect.any(Number) })
})

it('a refusal is final, and a target that is gone is deleted', async () => {
  await addTarget(alice, ['new_video'], 'https://gone.example/')
  await follows(alice, 'bread', ['b2'])
  await passes(alice, 2)
  const told = hook((_, { address }) =>
    address.includes('gone')
      ? { delivered: false, detail: 'It answered 410.', gone: true, retry: false }
      : { delivered: false, detail: 'It answered 400.', retry: false },
  )

  await tell(alice, told)
  await passes(alice, 120)
  await tell(alice, told)

  expect(told.sent).toHaveLength(2)
  expect(await alice.library.targets.list()).toMatchObject([
    { address: 'https://hook.example/', fault: 'It answered 400.' },
  ])
})

it('a target that does not answer delays no other, and its further messages wait with the first', async () => {
  await addTarget(alice, ['new_video', 'download_failed'], 'https://slow.example/')
  await follows(alice, 'bread', ['b2'])
  await passes(alice, 20)
  await alice.library.outbox.recordSpace({ used_bytes: 9.5e9, quota_bytes: 10e9 })
  await passes(alice, 2)
  const told = hook((_, { address }) => (address.includes('slow') ? away : { delivered: true }))

  await tell(alice, told)

  const to = (address: string) => told.sent.filter(sent => sent.to.includes(address)).map(({ title }) => title)
  expect(to('hook')).toEqual(['Your disk space is nearly full', 'Video b2'])
  expect(to('slow')).toEqual(['Video b2'])
  expect(told.sent.find(({ event }) => event === 'space')?.text).toContain('9.5 GB of 10 GB')
})

it('a person whose hook is away gets no job before its next attempt, though a later message waits', async () => {
  await follows(alice, 'bread', ['b2'])
  const told = hook(() => away)
  for (const minutes of [2, 2, 3]) {
    await passes(alice, minutes)
    await tell(alice, told)
  }
  await alice.library.outbox.recordSpace({ used_bytes: 9.5e9, quota_bytes: 10e9 })
  await passes(alice, 2)
  await tell(alice, told)

  await minute()
  expect(await queued(alice)).toEqual([])
  expect(told.sent.map(({ title }) => title)).toEqual(['Video b2', 'Video b2', 'Video b2'])

  await passes(alice, 4)
  await minute()
  expect(await queued(alice)).toHaveLength(1)
})

it('two workers at once send nothing twice', async () => {
  await follows(alice, 'bread', ['b2'])
  await alice.library.outbox.recordSpace({ used_bytes: 95, quota_bytes: 100 })
  await passes(alice, 2)
  const told = hook()

  await Promise.all([tell(alice, told), tell(alice, told), tell(alice, told)])

  expect(told.sent.map(({ title }) => title).toSorted()).toEqual(['Video b2', 'Your disk space is nearly full'])
})

it('a message of a worker that dies while it sends is sent again, with the same id', async () => {
  await follows(alice, 'bread', ['b2'])
  await passes(alice, 2)
  const dies = hook(() => Promise.reject(new Error('the process is gone')))
  await expect(tell(alice, dies)).rejects.toThrow('the process is gone')
  const told = hook()

  await tell(alice, told)
  expect(told.sent).toEqual([])
  await passes(alice, 1)
  await tell(alice, told)

  expect(told.sent.map(({ id }) => id)).toEqual(dies.sent.map(({ id }) => id))
})

it('in quiet hours nothing is sent; afterwards what happened is one message', async () => {
  const told = hook()
  const quiet = (from: string, to: string) => sql`
    update users
    set    time_zone = 'Asia/Tokyo',
           quiet_from = (now() at time zone 'Asia/Tokyo' + ${from}::interval)::time,
           quiet_to = (now() at time zone 'Asia/Tokyo' + ${to}::interval)::time
    where  id = ${alice.user.user_id}`
  await quiet('-2 hours', '2 hours')
  for (const video_id of ['b2', 'b3']) {
    await follows(alice, 'bread', [video_id])
    await passes(alice, 20)
    await tell(alice, told)
    await minute()
  }
  expect(told.sent).toEqual([])
  expect(await queued(alice)).toEqual([])

  await quiet('-4 hours', '-2 hours')
  await minute()
  expect(await queued(alice)).toHaveLength(1)
  await tell(alice, told)

  expect(told.sent).toMatchObject([{ title: '2 new videos in Channel bread' }])
})

it('a person gets no more messages a day than they want, and what is held back is one message on the next', async () => {
  await sql`update users set messages_a_day = 2 where id = ${alice.user.user_id}`
  const told = hook()
  // The messages stay within the day of the person.
  const follow = async (video_id: string) => {
    await follows(alice, 'bread', [video_id])
    await sql`update notifications set created_at = now() - interval '2 minutes' where user_id = ${alice.user.user_id}`
    await sql`update messages set event = 'space' where user_id = ${alice.user.user_id}`
    await tell(alice, told)
  }
  for (const video_id of ['b2', 'b3', 'b4', 'b5']) await follow(video_id)
  expect(told.sent.map(({ title }) => title)).toEqual(['Video b2', 'Video b3'])

  await passes(alice, 24 * 60)
  await tell(alice, told)

  expect(told.sent.slice(2)).toMatchObject([{ title: '2 new videos in Channel bread' }])
})

it('every minute a job is queued for each person with something to be told, and for no other', async () => {
  const [bob, carol] = [await listener('bob'), await listener('carol')]
  await follows(alice, 'bread', ['b2'])
  await follows(carol, 'bread', ['b2'])
  await lock(sql, carol)

  await minute()
  await minute()

  expect(await queued(alice)).toHaveLength(1)
  expect(await queued(bob)).toEqual([])
  expect(await queued(carol)).toEqual([])
  const told = hook()
  await passes(carol, 2)
  await tell(carol, told)
  expect(told.sent).toEqual([])
})

it('old messages are deleted, and a full quota that was told of long ago is not told again', async () => {
  await follows(alice, 'bread', ['b2'])
  await alice.library.outbox.recordSpace({ used_bytes: 95, quota_bytes: 100 })
  await passes(alice, 2)
  await tell(alice, hook())
  await follows(alice, 'bread', ['b3'])
  await passes(alice, 3 * 24 * 60 + 1)
  const { user_id } = alice.user

  await forgetOldMessages(everyoneIn(sql))
  await alice.library.outbox.recordSpace({ used_bytes: 95, quota_bytes: 100 })

  expect(await sql`select from messages where user_id = ${user_id}`).toEqual([])
  expect(await sql`select event from notifications where user_id = ${user_id}`).toEqual([])
})

it('administrators with a target for it are told of the service, once when something begins and once when it is over', async () => {
  const [root, other] = [await administrator(sql, 'root'), await administrator(sql, 'other')]
  const member = await listener('alice')
  await addTarget(root, ['service'])
  await addTarget(other, ['new_video'])
  await sql`update notification_targets set events = '{service}' where user_id = ${member.user.user_id}`
  const told = hook()
  const state = async () => {
    await minute()
    await passes(root, 11)
    await sql`update service_notices set since = since - interval '11 minutes'`
    for (const one of [root, other, member]) await tell(one, told)
  }

  // No worker is running.
  await state()
  await state()
  expect(told.sent).toMatchObject([{ event: 'service', title: 'Backlot needs attention' }])
  expect(told.sent[0]?.text).toContain('No worker is running')

  const report = { ...idleParts(sql).toolReport(), ytdlp_version: null, storage: null, slots: 1 }
  await sql`insert into workers (id, report) values ('w', ${sql.json(report)})`
  await state()
  await state()
  expect(told.sent).toHaveLength(2)
  expect(told.sent[1]).toMatchObject({ title: 'Backlot is in order again', text: 'Over: no worker was running.' })

  recordFull()
  await state()
  expect(told.sent[2]?.text).toContain('The disk of the database is full')
})

it('the death of a worker is told to administrators, once', async () => {
  const [root, member] = [await administrator(sql, 'root'), await listener('alice')]
  await addTarget(root, ['service'])
  await sql`update notification_targets set events = '{service}' where user_id = ${member.user.user_id}`
  const report = { ...idleParts(sql).toolReport(), storage: null, slots: 1 }
  const long_ago = sql`now() - interval '1 minute'`
  // A worker has several pools, and one of them carries its report.
  await sql`
    insert into workers (id, report, heartbeat_at)
    values ('dead', ${sql.json(report)}, ${long_ago}), ('its-pool', null, ${long_ago})`

  await unlockDeadWorkers(everyoneIn(sql), 15, ['dead', 'its-pool'])
  await unlockDeadWorkers(everyoneIn(sql), 15, ['dead', 'its-pool'])

  const of = ({ user: { user_id } }: Person) => sql`select event from notifications where user_id = ${user_id}`
  expect(await of(root)).toEqual([{ event: 'service' }])
  expect(await of(member)).toEqual([])
})

it('a worker that lives, and reports under another id since its pool broke, is not told as dead', async () => {
  const root = await administrator(sql, 'root')
  await addTarget(root, ['service'])
  const everyone = everyoneIn(sql)
  await beatWorker(everyone, 'broken', { ...idleParts(sql).toolReport(), storage: null, slots: 1 })

  await endReport(everyone, 'broken')
  await sql`update workers set heartbeat_at = now() - interval '1 minute' where id = 'broken'`

  expect(await unlockDeadWorkers(everyone, 15)).toEqual(['broken'])
  expect(await sql`select from notifications where user_id = ${root.user.user_id}`).toEqual([])
})

it('a quota that a completed download nearly fills is told of', async () => {
  const bob = await listener('bob')
  await sql`update notification_targets set events = '{new_video}' where user_id = ${bob.user.user_id}`
  for (const one of [alice, bob]) {
    await follows(one, 'bread', ['b1'])
    await has(one, 'b1', `${one.user.user_id}/bread/b1.mp4`, 95)
  }

  const room = { min_free_bytes: 0, quota_bytes: 100 }
  for (const step of Object.values(message_steps)) await step({ ...idleParts(sql), room })

  const of = ({ user: { user_id } }: Person) => sql`
    select event from notifications where user_id = ${user_id} and event = 'space'`
  expect(await of(alice)).toHaveLength(1)
  expect(await of(bob)).toEqual([])
})

describe('what is told of the service to an administrator who becomes a member', () => {
  async function demote({ user: { user_id } }: Person): Promise<void> {
    await sql`update users set role = 'member' where id = ${user_id}`
  }
  async function toldAdministrator(name: string): Promise<Person> {
    const root = await administrator(sql, name)
    await addTarget(root, ['service', 'space'])
    await notifyAdministrators(everyoneIn(sql), { begun: ['No worker is running.'], ended: [] })
    await passes(root, 2)
    return root
  }
  const left = ({ user: { user_id } }: Person) => sql`
    select event from notifications where user_id = ${user_id}
    union all
    select event from messages where user_id = ${user_id} and next_at is not null`

  it('is not sent, and waits no longer', async () => {
    const root = await toldAdministrator('root')
    const told = hook()
    await demote(root)

    await tell(root, told)

    expect(told.sent).toEqual([])
    expect(await left(root)).toEqual([])
  })

  it('is not sent again after an attempt that failed', async () => {
    const root = await toldAdministrator('root')
    await tell(
      root,
      hook(() => away),
    )
    expect(await left(root)).toEqual([{ event: 'service' }])
    await demote(root)
    await passes(root, 2)
    const told = hook()

    await tell(root, told)

    expect(told.sent).toEqual([])
    expect(await left(root)).toEqual([])
  })

  it('is not sent if the role changes while another message is sent', async () => {
    const root = await administrator(sql, 'root')
    await addTarget(root, ['service', 'space'])
    await root.library.outbox.recordSpace({ used_bytes: 95, quota_bytes: 100 })
    await passes(root, 2)
    await tell(
      root,
      hook(() => away),
    )
    await notifyAdministrators(everyoneIn(sql), { begun: ['No worker is running.'], ended: [] })
    await passes(root, 2)
    const told = hook(async () => {
      await demote(root)
      return { delivered: true }
    })

    await tell(root, told)

    expect(told.sent).toMatchObject([{ event: 'space' }])
  })
})

it('a person who is locked while a job sends their messages gets no further one', async () => {
  await follows(alice, 'bread', ['b2'])
  await alice.library.outbox.recordSpace({ used_bytes: 95, quota_bytes: 100 })
  await passes(alice, 2)
  const told = hook(async () => {
    await lock(sql, alice)
    return { delivered: true }
  })

  await tell(alice, told)

  expect(told.sent).toHaveLength(1)
})
