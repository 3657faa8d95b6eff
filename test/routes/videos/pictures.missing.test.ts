/** A page asks for the pictures that it misses. */
import { expect } from 'vitest'
import { useApp, withPeople } from '../../support/app/app.ts'
import { follows, type Person } from '../../support/app/people.ts'
import { planPicture, storePicture } from '../../support/app/pictures.ts'

const app = useApp()
const { sql, jsonAt } = app
const it = withPeople(app)

const missing = async (as: Person, query: string) => jsonAt(`/pictures?${query}`, { as })
const address = (video_id: string) => `https://videos.example/${video_id}.jpg`

it('a page gets the pictures that are stored by now, and learns that others are coming', async ({ alice }) => {
  await follows(alice, 'kitchen', ['stored', 'planned', 'unplanned'])
  await follows(alice, 'faced', [], { title: 'Faced', image_url: address('face') })
  const picture_url = await storePicture(app, 'video', address('stored'))
  const face_url = await storePicture(app, 'channel', address('face'))
  await planPicture(sql, 'video', address('planned'))

  expect(await missing(alice, 'video_id=stored&channel_id=faced')).toEqual({
    stored: expect.arrayContaining([
      { kind: 'video', id: 'stored', picture_url },
      { kind: 'channel', id: 'faced', picture_url: face_url },
    ]),
    is_coming: false,
  })
  expect(await missing(alice, 'video_id=planned&video_id=stored')).toEqual({
    stored: [{ kind: 'video', id: 'stored', picture_url }],
    is_coming: true,
  })
  expect(await missing(alice, 'video_id=unplanned')).toEqual({ stored: [], is_coming: true })
})

it('a picture that a page misses is fetched before others', async ({ alice }) => {
  await follows(alice, 'kitchen', ['wanted'])
  const picture_id = await planPicture(sql, 'video', address('wanted'))
  await missing(alice, 'video_id=wanted')
  const [row] = await sql`select is_wanted from pictures where picture_id = ${picture_id}`
  expect(row).toEqual({ is_wanted: true })
})

it('a picture that was given up is not coming', async ({ alice }) => {
  await follows(alice, 'kitchen', ['lost'])
  const picture_id = await planPicture(sql, 'video', address('lost'))
  await sql`update pictures set fetch_at = null, failures = 9 where picture_id = ${picture_id}`
  expect(await missing(alice, 'video_id=lost&video_id=none&channel_id=none')).toEqual({ stored: [], is_coming: false })
})

it('nothing is answered about the videos and channels of other people', async ({ alice, bob }) => {
  await follows(alice, 'hers', ['hers'])
  await storePicture(app, 'video', address('hers'))
  expect(await missing(bob, 'video_id=hers&channel_id=hers')).toEqual({ stored: [], is_coming: false })
})
