/** The button that plays a video which is not on disk, and the player that waits for it. */
import { expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { type Person, person, personWith } from '../../support/app/people.ts'
import { fails } from '../../support/app/scene.ts'

const { ask, sql, textAt } = useApp()

const jobsOf = async ({ user }: Person) => {
  const jobs = await sql<{ key: string }[]>`
    select key from graphile_worker.jobs where key like ${`watch:${user.user_id}:%`}`
  return jobs.map(({ key }) => key.split(':').at(-1))
}
const again = (as: Person) => ask('/videos/film/watch/again', { as, form: {} })
const waiting = async (as: Person) => textAt('/stream/film/index.m3u8', { as })

it('starts the download, and leads to the page that plays it', async () => {
  const alice = await personWith(sql, 'alice', 'kitchen', ['film'])
  const answer = await ask('/videos/film/watch?t=12&list=new', { as: alice, form: {} })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/watch/film?now&t=12&list=new'])
  expect(await jobsOf(alice)).toEqual(['film'])
})

it('a player that waits brings back the job that its worker took along', async () => {
  const alice = await personWith(sql, 'alice', 'kitchen', ['film'])
  await alice.library.downloads.request(['film'])
  expect((await again(alice)).status).toBe(204)
  expect(await jobsOf(alice)).toEqual(['film'])
})

it('a player that waits resumes no paused download', async () => {
  const alice = await personWith(sql, 'alice', 'kitchen', ['film'])
  await alice.library.downloads.request(['film'])
  await alice.library.downloads.pause(['film'])
  await again(alice)
  expect((await alice.library.videos.find('film'))?.paused_at).not.toBeNull()
  expect(await jobsOf(alice)).toEqual([])
  expect(await waiting(alice)).toBe('This download is paused. Resume it to watch the video.')
})

it('a player that waits gives a failed download no further attempts', async () => {
  const alice = await personWith(sql, 'alice', 'kitchen', ['film'])
  const in_an_hour = new Date(Date.now() + 3_600_000)
  await fails(alice, 'film', 'The site answered with an error.', in_an_hour)
  await again(alice)
  expect(await alice.library.videos.find('film')).toMatchObject({ attempts: 1, next_attempt_at: in_an_hour })
  expect(await jobsOf(alice)).toEqual([])
  expect(await waiting(alice)).toBe('The site answered with an error. It is tried again later.')
})

it('nothing of it is there for another person', async () => {
  const alice = await personWith(sql, 'alice', 'kitchen', ['film'])
  await alice.library.downloads.request(['film'])
  const bob = await person(sql, 'bob')
  expect((await again(bob)).status).toBe(404)
  expect((await ask('/videos/film/watch', { as: bob, form: {} })).status).toBe(404)
})
