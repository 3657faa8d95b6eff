/** Gives every task forged payloads: of another person, of a deleted one, and nonsense. */
import { describe, expect, it } from 'vitest'
import { taskLists, type WorkerParts } from '../../jobs/worker/parts.ts'
import { DomainError } from '../../src/errors.ts'
import { useApp } from '../support/app/app.ts'
import { idleParts } from '../support/app/parts.ts'
import { follows, type Person, person } from '../support/app/people.ts'

const app = useApp()
const { sql } = app

/** What was asked of the world outside. */
const asked: string[] = []
const refuse = (what: string) => {
  asked.push(what)
  throw new DomainError('feed_failed', 'Nobody is asked in this test.')
}

const parts = (): WorkerParts => ({
  ...idleParts(sql),
  files: app.files,
  findFeed: async address => refuse(address),
  fetchChanges: async address => refuse(address),
  downloadVideo: async ({ url }) => refuse(url),
})

const tasks = () => {
  const { downloads, feeds, imports, care } = taskLists(parts())
  return { ...downloads, ...feeds, ...imports, ...care }
}

const run = (name: string, payload: unknown) => {
  const helpers = { abortSignal: new AbortController().signal }
  return Promise.resolve(Reflect.apply(tasks()[name] ?? refuse, undefined, [payload, helpers]))
}

type Things = { user_id: string; video_id: string; import_id: string }

/** What each task is given; `null` where its payload says nothing of anybody. Every task must have one. */
const samples: Record<string, ((things: Things) => object) | null> = {
  download: ({ user_id, video_id }) => ({ user_id, video_id }),
  'import-channels': ({ user_id, import_id }) => ({ user_id, import_id }),
  // Serves everybody who follows an address, and it is due: whose it is stands in the database alone.
  'refresh-feed': ({ user_id }) => ({ rss_url: 'https://videos.example/nobodys.xml', user_id, channel_id: 'hers' }),
  // About a host alone, and asks it nothing of anybody's.
  'look-at-host': null,
  housekeeping: null,
}
const owned = Object.entries(samples).flatMap(([name, sample]) => (sample ? [{ name, sample }] : []))

async function aliceOwns(): Promise<{ alice: Person; things: Omit<Things, 'user_id'> }> {
  const alice = await person(sql, 'alice')
  await follows(alice, 'hers', ['hers'])
  await alice.library.downloads.request(['hers'])
  const lines = [{ address: 'https://hers.example', title: 'hers' }]
  return {
    alice,
    things: { video_id: 'hers', import_id: (await alice.library.imports.begin('addresses', lines)) ?? '' },
  }
}

const everything = async ({ user, library }: Person, import_id: string) => ({
  channels: await library.channels.list(),
  videos: (await library.videos.list({ limit: 100 })).entries,
  lines: await library.imports.lines(import_id, 10),
  jobs: await sql`select key, run_at, attempts from graphile_worker.jobs where key like ${`%${user.user_id}%`} order by key`,
})

it('every task has a sample payload', () => {
  expect(Object.keys(samples).toSorted()).toEqual(Object.keys(tasks()).toSorted())
})

describe.each(owned)('a payload of $name', ({ name, sample }) => {
  it('in which bob names what is alice’s does nothing, and asks nobody', async () => {
    const { alice, things } = await aliceOwns()
    const bob = await person(sql, 'bob')
    const before = await everything(alice, things.import_id)
    asked.length = 0

    await run(name, sample({ ...things, user_id: bob.user.user_id }))

    expect(await everything(alice, things.import_id)).toEqual(before)
    expect((await bob.library.videos.list({ limit: 10 })).entries).toEqual([])
    expect(await bob.library.channels.list()).toEqual([])
    expect(asked).toEqual([])
  })

  it('of somebody who is gone ends quietly', async () => {
    const { alice, things } = await aliceOwns()
    const before = await everything(alice, things.import_id)
    asked.length = 0

    await run(name, sample({ ...things, user_id: crypto.randomUUID() }))

    expect(await everything(alice, things.import_id)).toEqual(before)
    expect(asked).toEqual([])
  })

  it.each([undefined, null, '', 0, [], {}, 'alice', "' or 1=1--", '%', '{}', '\u0000'])(
    'whose user is %j, or that is this itself, does nothing',
    async nonsense => {
      const { alice, things } = await aliceOwns()
      const before = await everything(alice, things.import_id)
      asked.length = 0

      // Refused by name: the job fails, and is looked at by whoever runs the place.
      const refused = (payload: unknown) =>
        run(name, payload).catch((fault: unknown) => expect(fault).toMatchObject({ name: 'ZodError' }))
      await refused({ ...sample({ ...things, user_id: 'x' }), user_id: nonsense })
      await refused(nonsense)

      expect(await everything(alice, things.import_id)).toEqual(before)
      expect(asked).toEqual([])
    },
  )
})

it('lets nobody’s payload steer a task that takes none', async () => {
  const { alice, things } = await aliceOwns()
  const before = await everything(alice, things.import_id)
  for (const [name, sample] of Object.entries(samples))
    if (!sample)
      await run(name, { ...things, user_id: alice.user.user_id }).catch((fault: unknown) =>
        expect(fault).toMatchObject({ name: 'ZodError' }),
      )
  expect(await everything(alice, things.import_id)).toEqual(before)
})
