/** Jumping to a month of a channel or of all channels. */
import { expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { entry, type Person, person } from '../../support/app/people.ts'

const { ask, sql, textAt } = useApp()
const page = async (as: Person, path: string) => textAt(path, { as })

async function alice() {
  const made = await person(sql, 'alice')
  const dates = ['2026-03-31T23:59:59Z', '2026-03-01T00:00:00Z', '2026-02-28T00:00:00Z', '2025-03-10T00:00:00Z']
  const videos = dates.map((date, nth) => entry(`v${nth}`, { published_at: new Date(date) }))
  const channel = { channel_id: 'kitchen', title: 'Kitchen', rss_url: 'https://videos.example/k' }
  await made.library.channels.save(channel, videos)
  // The same video in a second channel is one video of New.
  await made.library.channels.save({ ...channel, channel_id: 'best', rss_url: 'https://videos.example/b' }, [
    entry('v3', { published_at: new Date('2025-03-10T00:00:00Z') }),
  ])
  return made
}

const textOf = (html = '') => html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ')

it('the months of a channel have their numbers of videos, and lead to its list', async () => {
  const months = await page(await alice(), '/channels/kitchen/months')
  const links = [...months.matchAll(/href="\/channels\/kitchen\?month=([\d-]+)">(.*?)<\/a>/g)]
  expect(links.map(([, month, words]) => [month, textOf(words)])).toEqual([
    ['2026', '2026 3 videos'],
    ['2026-03', 'Mar 2026: 2 videos'],
    ['2026-02', 'Feb 2026: 1 video'],
    ['2025', '2025 1 video'],
    ['2025-03', 'Mar 2025: 1 video'],
  ])
})

it('the months of all channels count a video of two channels once, and lead to New', async () => {
  const months = await page(await alice(), '/months')
  expect(textOf(/href="\/\?month=2025-03">(.*?)<\/a>/.exec(months)?.[1])).toBe('Mar 2025: 1 video')
  const bob = await person(sql, 'bob')
  expect(await page(bob, '/months')).toContain('No videos yet.')
  expect((await ask('/channels/kitchen/months', { as: bob })).status).toBe(404)
})

it('a chosen month is said above the list, with a way back to all videos', async () => {
  const her = await alice()
  for (const [path, back] of [
    ['/channels/kitchen?month=2025-03', '/channels/kitchen'],
    ['/?month=2025-03', '/'],
  ] as const) {
    const list = await page(her, path)
    expect(list).toMatch(new RegExp(`href="${back}" aria-label="Remove filter From March 2025"`))
    expect(list).toContain('href="/watch/v3"')
    expect(list).not.toContain('href="/watch/v2"')
  }
})
