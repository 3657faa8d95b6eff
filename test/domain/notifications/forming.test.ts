/** What messages say, in words. */
import { expect, it } from 'vitest'
import type { NamedVideo, OutboxRow } from '../../../src/db/notifications/messages.ts'
import { formMessage } from '../../../src/domain/notifications/forming.ts'

const created_at = new Date('2026-11-27T12:00:00Z')

const noted = (...video_ids: string[]): OutboxRow => ({
  channel_id: 1,
  channel_title: 'Bread',
  video_ids,
  videos: video_ids.length,
  details: null,
  created_at,
})
const named = (...ids: string[]): NamedVideo[] =>
  ids.map(video_id => ({ video_id, title: `About ${video_id}`, channel_title: 'Bread' }))

it('a channel that is gone, a video that is gone and one that is listed twice do not count', () => {
  const gone = { ...noted('x', 'y'), channel_id: 2, channel_title: null }
  const twice = { ...noted('a', 'b'), channel_id: 3, channel_title: 'Tea' }

  const message = formMessage(undefined, 'new_video', [noted('a', 'b', 'deleted'), twice, gone], named('a', 'b'))

  expect(message).toMatchObject({
    title: '2 new videos in 2 channels',
    text: 'Bread: About a\nBread: About b',
    url: null,
  })
  expect(formMessage(undefined, 'new_video', [gone], [])).toBeUndefined()
})

it('a title that is read from right to left keeps the words around it in their order', () => {
  const hebrew = { video_id: 'a', title: 'שלום', channel_title: 'Bread' }
  const failed = (id: string) => ({ ...noted(id), details: { error: 'It is gone.' } })

  const message = formMessage(
    'https://tv.example/',
    'download_failed',
    [failed('a'), failed('b')],
    [hebrew, ...named('b')],
  )

  expect(message?.text).toBe('\u2068שלום\u2069: It is gone.\nAbout b: It is gone.')
  expect(message?.url).toBe('https://tv.example/downloads')
})

it('one download is told by its title, several by their number', () => {
  expect(formMessage(undefined, 'download_completed', [noted('a')], named('a'))).toMatchObject({
    title: 'Downloaded: About a',
    text: 'Bread.',
    at: '2026-11-27T12:00:00.000Z',
  })
  expect(formMessage(undefined, 'download_completed', [noted('a', 'b')], named('a', 'b'))).toMatchObject({
    title: '2 downloads are complete',
    text: 'Bread: About a\nBread: About b',
  })
})

it('a full quota that a version before migration 000033 has sent is not sent again', () => {
  const full = { ...noted(), details: { used_bytes: 95, quota_bytes: 100 } }
  const sent = { ...full, details: { ...full.details, sent: true } }

  expect(formMessage(undefined, 'space', [full], [])).toMatchObject({ title: 'Your disk space is nearly full' })
  expect(formMessage(undefined, 'space', [sent], [])).toBeUndefined()
})
