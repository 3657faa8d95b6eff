/** Transcripts: whose they are, and how long they stay. */
import { expect, it } from 'vitest'
import { restoreChannel } from '../../../src/domain/bin/restore.ts'
import { unfollowChannel } from '../../../src/domain/channels/channels.ts'
import { removeFiles } from '../../../src/domain/downloads/downloads.ts'
import { useApp } from '../../support/app/app.ts'
import { no_bin, onDisk } from '../../support/app/files.ts'
import { follows, type Person, personWith } from '../../support/app/people.ts'

const app = useApp()
const { sql } = app
const bin = { hours: 24, quota_bytes: 0 }
const said = (...texts: string[]) => ({
  language: 'en',
  automatic: true,
  lines: texts.map((text, at) => ({ start_seconds: at * 40, text })),
})
const counts = async ({ user }: Person) => {
  const [row] = await sql<{ transcripts: number; moments: number }[]>`
    select (select count(*)::int from transcripts where user_id = ${user.user_id}) as transcripts,
           (select count(*)::int from moments where user_id = ${user.user_id}) as moments`
  return [row?.transcripts, row?.moments]
}

it('a transcript replaces the one before, and returns as it was saved', async () => {
  const alice = await personWith(sql, 'alice', 'kitchen', ['v'])
  await alice.library.transcripts.save('v', said('one', 'two', 'three'))
  await alice.library.transcripts.save('v', said('rye 12 ', 'oats'))

  expect(await alice.library.transcripts.find('v')).toEqual(said('rye 12 ', 'oats'))
  expect(await counts(alice)).toEqual([1, 2])
})

it('a video of another person, or none, gets no transcript', async () => {
  const alice = await personWith(sql, 'alice', 'kitchen', ['v'])
  const bob = await personWith(sql, 'bob', 'garden', ['w'])
  await alice.library.transcripts.save('v', said('rye'))
  await bob.library.transcripts.save('v', said('mine'))

  expect(await bob.library.transcripts.find('v')).toBeUndefined()
  expect(await counts(bob)).toEqual([0, 0])
})

it('a transcript stays when the file is deleted', async () => {
  const alice = await personWith(sql, 'alice', 'kitchen', ['v'])
  await onDisk(app.folder, alice, 'v')
  await alice.library.transcripts.save('v', said('rye'))

  await removeFiles(alice.library, { files: app.files, bin: no_bin }, ['v'])

  expect(await alice.library.transcripts.find('v')).toEqual(said('rye'))
})

it('a transcript goes with the last channel of its video, and returns from the bin with it', async () => {
  const alice = await personWith(sql, 'alice', 'kitchen', ['v', 'w'])
  await follows(alice, 'garden', ['w'])
  for (const id of ['v', 'w']) await alice.library.transcripts.save(id, said('rye'))

  await unfollowChannel(alice.library, { files: app.files, bin }, 'kitchen')
  expect(await alice.library.transcripts.find('v')).toBeUndefined()
  expect(await alice.library.transcripts.find('w')).toEqual(said('rye'))
  expect((await alice.library.search.videos({ q: 'rye', limit: 5 })).entries.map(({ video_id }) => video_id)).toEqual([
    'w',
  ])

  await restoreChannel(alice.library, { files: app.files, bin }, 'kitchen')
  expect(await alice.library.transcripts.find('v')).toEqual(said('rye'))
})

it('nothing is left of a transcript when its channel is unfollowed without a bin, or leaves the bin', async () => {
  const alice = await personWith(sql, 'alice', 'kitchen', ['v'])
  await follows(alice, 'garden', ['w'])
  for (const id of ['v', 'w']) await alice.library.transcripts.save(id, said('rye'))

  await unfollowChannel(alice.library, { files: app.files, bin: no_bin }, 'kitchen')
  expect(await counts(alice)).toEqual([1, 1])
  await unfollowChannel(alice.library, { files: app.files, bin }, 'garden')
  expect(await counts(alice)).toEqual([1, 1])
  await sql`delete from deleted_channels where user_id = ${alice.user.user_id}`
  expect(await counts(alice)).toEqual([0, 0])
})
