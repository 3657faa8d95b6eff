import { expect, it } from 'vitest'
import { itemsByVideo, pathKey } from '../../../src/domain/media/match-items.ts'

const videos = new Map(
  Object.entries({
    'Bäckerei/Season 2026/S2026E112101 – Bread [a]': 'a',
    'Bäckerei/Season 2026/S2026E112102 – v1.5 of it [b]': 'b',
    'Loose [c]': 'c',
    'Bäckerei/Loose [c]': 'd',
  }).map(([path, video_id]) => [pathKey(path), video_id]),
)
const matched = (...paths: string[]) =>
  Object.fromEntries(
    [
      ...itemsByVideo(
        paths.map(path => ({ path })),
        videos,
        'Alice',
      ),
    ].map(([id, { path }]) => [id, path]),
  )

it('finds a video below any mount point, on Windows too, and in another spelling of its letters', () => {
  const [posix, windows] = [
    '/srv/tv/alice/Bäckerei/Season 2026/S2026E112101 – Bread [a].mp4'.normalize('NFD'),
    'D:\\TV\\ALICE\\Bäckerei\\Season 2026\\S2026E112102 – v1.5 of it [b].webm',
  ]
  expect(matched(posix, windows)).toEqual({ a: posix, b: windows })
})

it('takes the longest path that fits, and only whole names', () => {
  const [deep, flat] = ['/tv/alice/Bäckerei/Loose [c].mp4', '/tv/alice/Loose [c].mp4']
  expect(matched(deep)).toEqual({ d: deep })
  expect(matched(flat, '/tv/alice/Not Loose [c].mp4')).toEqual({ c: flat })
})

it("prefers the person's own folder where two people have the video", () => {
  const [of_bob, own] = ['/tv/bob/Loose [c].mp4', '/tv/alice/Loose [c].mp4']
  expect(matched(of_bob, own)).toEqual({ c: own })
  expect(matched(own, of_bob)).toEqual({ c: own })
  expect(matched(of_bob)).toEqual({ c: of_bob })
})

it("takes no file of another folder for a video once the server has the person's own folder", () => {
  const [of_bob, own] = ['/tv/bob/Loose [c].mp4', '/tv/alice/Bäckerei/Loose [c].mp4']
  expect(matched(of_bob, own)).toEqual({ d: own })
  expect(matched(own, of_bob)).toEqual({ d: own })
})

it('finds nothing for other films', () => {
  expect(matched('/films/Alien (1979)/Alien.mkv', '', '/', 'Bäckerei')).toEqual({})
})
