import { expect, it } from 'vitest'
import { SiteNotices } from '../../../src/views/downloads/site-notices.tsx'

it('each button is described by the sentence about its site', () => {
  const now = new Date()
  const runs = { waiting: 2, paused_at: null, rests_until: new Date(now.getTime() + 60_000), held_until: null }
  const notices = [
    { ...runs, host: '', rests_until: null, paused_at: now },
    { ...runs, host: 'a.example' },
    { ...runs, host: 'b.example:8443', rests_until: null, paused_at: now },
  ]

  const html = String(<SiteNotices notices={notices} now={now} />)

  const shown = html.split('<li').slice(1)
  const ids = shown.map(notice => /<p id="([^"]+)"/.exec(notice)?.[1])
  expect(new Set(ids).size).toBe(3)
  expect(
    shown.map(notice => [...notice.matchAll(/<button[^>]* aria-describedby="([^"]+)"/g)].map(([, id]) => id)),
  ).toEqual([[ids[0]], [ids[1], ids[1]], [ids[2]]])
})
