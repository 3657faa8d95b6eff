/** Rows and cards are remembered whole, and still show every change of what they show. */
import { expect, it } from 'vitest'
import type { ListedVideo } from '../../../src/schema/video.ts'
import { VideoGrid } from '../../../src/views/parts/video-card.tsx'
import { VideoRows } from '../../../src/views/parts/video-rows.tsx'
import { now, states, video } from '../../support/app/samples.ts'

const lists: [string, (shown: ListedVideo, at?: Date) => string][] = [
  ['row', (shown, at = now) => String(<VideoRows videos={[shown]} now={at} choose_for="batch" />)],
  ['card', (shown, at = now) => String(<VideoGrid videos={[shown]} now={at} />)],
]

const changes: Partial<ListedVideo>[] = [
  { video_id: 'another' },
  { title: 'Bread' },
  { thumbnail_url: null },
  { channel_title: 'Kitchen' },
  { published_at: new Date('2026-11-20T09:00:01Z') },
  { published_at: null },
  { seen_at: now },
  { queued: true },
  ...Object.values(states),
]
const changes_of_done: Partial<ListedVideo>[] = [{ file_size: 1000 }, { pinned: true }, { download_path: 'a.m4a' }]

it.each(lists)('a remembered %s shows every change of the video', (_, html) => {
  const notShown = (base: ListedVideo, changes: Partial<ListedVideo>[]) =>
    changes.filter(change => html({ ...base, ...change }) === html(base))
  expect(notShown(video(), changes)).toEqual([])
  expect(notShown(states.done, changes_of_done)).toEqual([])
})

it.each(lists)('a remembered %s gets older', (_, html) => {
  expect(html(video())).toContain('>3 hours ago<')
  expect(html(video(), new Date('2026-11-20T13:00:00Z'))).toContain('>4 hours ago<')
  expect(html(video())).toContain('>3 hours ago<')
})

it.each(lists)('only the values in the key of a remembered %s decide what is shown', (_, html) => {
  const kept = html(video())
  expect(
    html(video({ description: 'x', attempts: 2, download_error: 'x', position_seconds: 9, subtitles: ['de'] })),
  ).toBe(kept)
})
