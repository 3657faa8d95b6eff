/** The menu of a video offers what can be done with it now. */
import { describe, expect, it } from 'vitest'
import type { Video } from '../../../src/schema/videos/video.ts'
import { VideoMenuItems } from '../../../src/views/watching/video-menu-items.tsx'
import { facts, now, states, video } from '../../support/app/samples.ts'

const menu = (shown: Video) => String(<VideoMenuItems video={shown} />)
const items = (shown: Video) =>
  [...menu(shown).matchAll(/class="(?:item|say)[^"]*"[^>]*>([^<]*)<|aria-describedby="[^"]*">([^<]*)</g)]
    .map(([, one, other]) => (one ?? other ?? '').trim())
    .filter(words => words !== '')

describe('VideoMenuItems', () => {
  it.each([
    [states.wanted, ['Watch now', 'Download']],
    [states.waiting, ['Watch now', 'Download next', 'Pause', 'Cancel download']],
    [
      { ...states.waiting, paused_at: now, paused_by: 'all' as const },
      ['Watch now', 'Download next', 'Cancel download'],
    ],
    [
      { ...states.waiting, paused_at: now, paused_by: 'video' as const },
      ['Watch now', 'Download next', 'Resume', 'Cancel download'],
    ],
    [states.running, ['Watch now', 'Pause', 'Cancel download']],
    [states.failed, ['Retry', 'Dismiss']],
    [states.retrying, ['Download next', 'Pause', 'Retry', 'Cancel download']],
    [states.done, ['Save to this device', 'Never delete', 'Delete file']],
    [facts.lost, []],
    [facts.lost_failed, ['Dismiss']],
  ])('offers for a download what its state allows: $download_status', (shown, words) => {
    expect(items(shown)).toEqual([
      ...words,
      'Mark as watched',
      'Watch later',
      'Add to playlist…',
      'Hide',
      'Open on youtube.com',
    ])
  })

  it('offers to take back the mark of a watched video', () => {
    expect(items(video({ seen_at: now }))).toContain('Mark as unwatched')
  })

  it('asks before the only copy of a video is deleted', () => {
    expect(menu(facts.kept)).toContain('action="/downloads/remove"><input type="hidden" name="video_id" value="kept"')
    expect(menu(facts.kept)).not.toContain('/downloads/kept/remove')
  })
})
