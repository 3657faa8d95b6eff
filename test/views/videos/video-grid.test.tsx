/** Rows and cards of videos show every change of what they are about. */
import { expect, it } from 'vitest'
import type { ListedVideo } from '../../../src/schema/videos/video.ts'
import { DownloadCell } from '../../../src/views/downloads/download-cell.tsx'
import { VideoGrid, VideoRows } from '../../../src/views/videos/video-grid.tsx'
import { facts, now, progress, states, video } from '../../support/app/samples.ts'

const lists: [string, (shown: ListedVideo, at?: Date) => string][] = [
  ['row', (shown, at = now) => String(<VideoRows videos={[shown]} now={at} choose_for="batch" />)],
  ['card', (shown, at = now) => String(<VideoGrid videos={[shown]} now={at} />)],
]

const changes: Partial<ListedVideo>[] = [
  { video_id: 'another' },
  { title: 'Bread' },
  { thumbnail_url: null },
  { picture_url: '/pictures/1/large' },
  { channel_title: 'Kitchen' },
  { published_at: new Date('2026-11-20T09:00:01Z') },
  { published_at: null },
  { published_precision: 'day' },
  { published_precision: 'approximate' },
  { seen_at: now },
  { duration_seconds: 724 },
  { live_status: 'live' },
  { live_status: 'upcoming' },
  { live_status: 'was_live' },
  { availability: 'members_only' },
  { availability: 'age_restricted' },
  { availability: 'private' },
  { availability: 'removed' },
  { queued: true },
  ...Object.values(states),
]
const changes_of_done: Partial<ListedVideo>[] = [{ file_size: 1000 }, { pinned: true }, { availability: 'removed' }]

it.each(lists)('a %s shows every change of the video', (_, html) => {
  const notShown = (base: ListedVideo, changes: Partial<ListedVideo>[]) =>
    changes.filter(change => html({ ...base, ...change }) === html(base))
  expect(notShown(video(), changes)).toEqual([])
  expect(notShown(states.done, changes_of_done)).toEqual([])
})

it.each(lists)('a %s gets older', (_, html) => {
  expect(html(video())).toContain('>3 hours ago<')
  expect(html(video(), new Date('2026-11-20T13:00:00Z'))).toContain('>4 hours ago<')
  expect(html(video())).toContain('>3 hours ago<')
})

it.each(lists)('a %s shows the same cell as a poll, with all columns of the download', (_, html) => {
  const others = {
    attempts: 2,
    progress,
    queue_position: 3,
    download_error: 'x',
    download_detail: 'x',
    held_until: now,
    paused_at: null,
    paused_by: null,
  }
  for (const base of [states.wanted, states.done, facts.members, facts.lost, facts.kept]) {
    const cell = <DownloadCell download={{ ...base, ...others, site_rests_until: now }} now={now} />
    expect(html(base)).toContain(String(cell))
  }
})

it.each(['batch', undefined])('every row has a checkbox while videos are selected, and none otherwise', choose_for => {
  const hasBox = (shown: ListedVideo) =>
    String(<VideoRows videos={[shown]} now={now} choose_for={choose_for} />).includes('type="checkbox"')
  const all = [states.wanted, states.failed, states.done, states.running, facts.members, facts.lost]
  expect(all.map(hasBox)).toEqual(all.map(() => choose_for !== undefined))
})
