/** Gives every task forged payloads: of another person, of a deleted one, and nonsense. */
import { expect, it } from 'vitest'
import type { WorkerParts } from '../../jobs/worker/parts.ts'
import { allTasks } from '../../jobs/worker/runners.ts'
import { DomainError } from '../../src/errors.ts'
import { task_names } from '../../src/schema/service/jobs.ts'
import { useApp } from '../support/app/app.ts'
import { beginList } from '../support/app/imports.ts'
import { idleParts } from '../support/app/parts.ts'
import { follows, type Person, person } from '../support/app/people.ts'
import { newFolder } from '../support/run/new-folder.ts'

const media_dir = newFolder()

const app = useApp()
const { sql } = app

/** The names and addresses of all requests that would leave this machine. */
const asked: string[] = []
const refuse = (what: string) => {
  asked.push(what)
  throw new DomainError('feed_failed', 'This test sends no requests.')
}

const parts = (): WorkerParts => ({
  ...idleParts(sql),
  files: app.files,
  findFeed: async address => refuse(address),
  fetchChanges: async address => refuse(address),
  sendToHub: async hub => refuse(hub),
  callbacks: 'https://tv.example.org/push/',
  downloadVideo: async ({ url }) => refuse(url),
  media: { dir: media_dir, toJpeg: async () => undefined },
})

const run = (name: string, payload: unknown) => {
  const helpers = { abortSignal: new AbortController().signal }
  return Promise.resolve(Reflect.apply(allTasks(parts())[name] ?? refuse, undefined, [payload, helpers]))
}

type Things = { user_id: string; video_id: string; import_id: string; server_id: string }

/** A sample payload for every task; `null`: its payload names no user. */
const samples: Record<string, ((things: Things) => object) | null> = {
  download: ({ user_id, video_id }) => ({ user_id, video_id }),
  'watch-now': ({ user_id, video_id }) => ({ user_id, video_id }),
  'share-requested': ({ user_id, video_id }) => ({ user_id, video_ids: [video_id] }),
  'send-messages': ({ user_id }) => ({ user_id }),
  // Serves all who wait for a video. The database knows no file with this address.
  'share-ended': () => ({ address_hash: crypto.randomUUID() }),
  'import-channels': ({ user_id, import_id }) => ({ user_id, import_id }),
  'update-media': ({ user_id }) => ({ user_id }),
  'exchange-watched': ({ user_id, server_id }) => ({ user_id, server_id }),
  'read-transcript': ({ user_id, video_id }) => ({ user_id, video_id }),
  'read-file': ({ user_id, video_id }) => ({ user_id, video_id }),
  'cut-sound': ({ user_id, video_id }) => ({ user_id, video_id }),
  'load-older': ({ user_id }) => ({ user_id, channel_id: 'hers' }),
  // Serves all who follow an address that is due; only the database knows who they are.
  'refresh-feed': ({ user_id }) => ({ rss_url: 'https://videos.example/unfollowed.xml', user_id, channel_id: 'hers' }),
  // Its payload names a host only, or nothing.
  'remove-media-trees': null,
  'subscribe-feed': null,
  'look-at-host': null,
  'look-at-videos': null,
  'fetch-captions': null,
  'fetch-pictures': null,
  housekeeping: null,
  'forget-old': null,
  'count-again': null,
}
const owned = Object.entries(samples).flatMap(([name, sample]) => (sample ? [{ name, sample }] : []))

async function aliceOwns(): Promise<{ alice: Person; things: Omit<Things, 'user_id'> }> {
  const alice = await person(sql, 'alice')
  await follows(alice, 'hers', ['hers'])
  await alice.library.downloads.request(['hers'])
  await alice.library.backfills.begin('hers', 'videos.example')
  const server_id = crypto.randomUUID()
  const server = { kind: 'plex', address: 'https://tv.example', person: null, sealed_key: new Uint8Array(9) } as const
  await alice.library.servers.add({ server_id, ...server })
  const lines = [{ address: 'https://hers.example', title: 'hers' }]
  return {
    alice,
    things: { video_id: 'hers', import_id: await beginList(alice, lines), server_id },
  }
}

const everything = async ({ user, library }: Person, import_id: string) => ({
  channels: await library.channels.list(),
  videos: (await library.videos.list({ limit: 100 })).entries,
  lines: await library.imports.lines(import_id, 10),
  backfill: await library.backfills.find('hers'),
  servers: await library.servers.list(),
  jobs: await sql`select key, run_at, attempts from graphile_worker.jobs where key like ${`%${user.user_id}%`} order by key`,
})

it('every task has a sample payload', () => {
  expect(Object.keys(samples).toSorted()).toEqual(Object.keys(allTasks(parts())).toSorted())
})

const nonsense = [undefined, null, '', 0, [], {}, 'alice', "' or 1=1--", '%', '{}', '\u0000']

it.each(owned)('a forged payload of $name does nothing and sends no request', async ({ name, sample }) => {
  const { alice, things } = await aliceOwns()
  const bob = await person(sql, 'bob')
  const before = await everything(alice, things.import_id)
  asked.length = 0
  const expectNoChange = async (by: string) =>
    expect({ by, things: await everything(alice, things.import_id), asked }).toEqual({ by, things: before, asked: [] })

  // Of another person, and of a deleted one: the task throws nothing.
  for (const [by, user_id] of Object.entries({ bob: bob.user.user_id, deleted: crypto.randomUUID() })) {
    await run(name, sample({ ...things, user_id }))
    await expectNoChange(by)
  }
  expect((await bob.library.videos.list({ limit: 10 })).entries).toEqual([])
  expect(await bob.library.channels.list()).toEqual([])

  // The job fails with a ZodError, which the operator can see.
  for (const value of nonsense) {
    for (const payload of [{ ...sample({ ...things, user_id: 'x' }), user_id: value }, value])
      await run(name, payload).catch((fault: unknown) => expect(fault).toMatchObject({ name: 'ZodError' }))
    await expectNoChange(`the user ${JSON.stringify(value)}`)
  }
})

it('a task without a user in its payload ignores the ids in a forged one', async () => {
  const { alice, things } = await aliceOwns()
  const before = await everything(alice, things.import_id)
  for (const [name, sample] of Object.entries(samples))
    if (!sample)
      await run(name, { ...things, user_id: alice.user.user_id }).catch((fault: unknown) =>
        expect(fault).toMatchObject({ name: 'ZodError' }),
      )
  expect(await everything(alice, things.import_id)).toEqual(before)
})

it('/metrics tells of the jobs of every task', () => {
  expect(task_names.toSorted()).toEqual(Object.keys(allTasks(parts())).toSorted())
})
