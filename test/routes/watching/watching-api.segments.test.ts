/** The parts that are skipped, over HTTP and on the pages: whose they are, and what a person chooses. */
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { entry, has, type Person, person } from '../../support/app/people.ts'

const part = { start_seconds: 5, end_seconds: 20, category: 'sponsor' } as const
const app = useApp({ askSegments: async () => [part] })
const { ask } = app

async function withVideo(): Promise<Person> {
  const alice = await person(app.sql, 'alice')
  const video = entry('v', { video_url: 'https://www.youtube.com/watch?v=a-b_c1D2e3F' })
  await alice.library.channels.save({ channel_id: 'slow', title: 'Slow', rss_url: 'https://videos.example/s' }, [video])
  await has(alice, 'v', `${alice.user.user_id}/slow/v.mp4`, 9)
  return alice
}
const page = async (as: Person) => (await ask('/watch/v', { as })).text()

describe('the parts of a video', () => {
  it('its owner gets them, and another person gets the 404 of a video that does not exist', async () => {
    const alice = await withVideo()
    const bob = await person(app.sql, 'bob')
    expect(await (await ask('/api/segments/v', { as: alice })).json()).toEqual({ segments: [part] })
    expect((await ask('/api/segments/v', { as: bob })).status).toBe(404)
    expect((await ask('/api/segments/v')).status).toBe(401)
  })
})

describe('what is skipped', () => {
  it('a person skips sponsors until they choose otherwise, on the page or as JSON', async () => {
    const alice = await withVideo()
    expect(await page(alice)).toContain('data-segments="/api/segments/v"')
    await ask('/settings/skipping', { as: alice, form: { category: ['intro', 'filler'] } })
    expect((await alice.library.settings.get()).skip_categories).toEqual(['intro', 'filler'])
    expect(await page(alice)).toMatch(/data-category="intro".*data-category="filler"/s)
    expect(await page(alice)).not.toContain('data-category="sponsor"')
    await ask('/settings/skipping', { as: alice, form: {} })
    expect(await page(alice)).not.toContain('data-segments')

    const json = { quality: 'best', skip_categories: ['outro'] }
    await ask('/api/settings', { as: alice, json, method: 'PUT' })
    expect(await (await ask('/api/settings', { as: alice })).json()).toMatchObject({ skip_categories: ['outro'] })
  })

  it('the videos of a channel can be played whole', async () => {
    const alice = await withVideo()
    await ask('/channels/slow/plays-whole', { as: alice, form: {} })
    expect(await page(alice)).not.toContain('data-segments')
    const settings = await (await ask('/channels/slow/settings', { as: alice })).text()
    expect(settings).toMatch(/name="skips" value="on"(?! checked)/)
    const put = { as: alice, method: 'PUT', json: { plays_whole: false } }
    expect(await (await ask('/api/channels/slow/plays-whole', put)).json()).toEqual({ plays_whole: false })
    expect(await page(alice)).toContain('data-segments')
    const bob = await person(app.sql, 'bob')
    expect((await ask('/api/channels/slow/plays-whole', { ...put, as: bob })).status).toBe(404)
  })
})
