/** What is said in a video, as JSON. */
import { expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { personWith } from '../../support/app/people.ts'

const { ask, sql, jsonAt } = useApp()
const lines = [
  { start_seconds: 0, text: 'today we bake' },
  { start_seconds: 61, text: '<b>bread</b>' },
]

it('a transcript is its lines and their language; the search answers with its moments', async () => {
  const alice = await personWith(sql, 'alice', 'kitchen', ['v'])
  await alice.library.transcripts.save('v', { language: 'en', automatic: true, lines })

  const transcript = await ask('/api/transcript/v', { as: alice })
  const found = (await jsonAt('/api/search?q=bread', { as: alice })) as { entries: object[] }

  expect(await transcript.json()).toEqual({ language: 'en', automatic: true, lines })
  expect(found.entries).toMatchObject([{ video_id: 'v', moments: [{ start_seconds: 61, text: '<b>bread</b>' }] }])
})

it('a video without a transcript, one of another person, and one that is not there give the same answer', async () => {
  const [alice, bob] = [await personWith(sql, 'alice', 'kitchen', ['v']), await personWith(sql, 'bob', 'garden', ['w'])]
  await alice.library.transcripts.save('v', { language: 'en', automatic: true, lines })

  const answers = await Promise.all(['v', 'w', 'nowhere'].map(id => ask(`/api/transcript/${id}`, { as: bob })))

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  expect(
    new Set(await Promise.all(answers.map(async answer => (await answer.text()).replace(/[vw]$|nowhere/g, '')))).size,
  ).toBe(1)
})
