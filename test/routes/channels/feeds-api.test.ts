/** The endpoint that reads a feed and saves its channel. */
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { publishedFeeds } from '../../support/app/feeds.ts'
import { entry, person } from '../../support/app/people.ts'

const { findFeed, publish } = publishedFeeds()

const { ask, sql } = useApp({ findFeed })
const url = 'https://videos.example/feed.xml'

describe('the feed endpoint', () => {
  it('the feed endpoint saves the channel unless told not to', async () => {
    const alice = await person(sql, 'alice')
    publish(url, 'kitchen', [entry('v1')])

    const shown = await ask('/api/feed', { as: alice, json: { rss_url: url, save: false } })
    const after_showing = await alice.library.channels.list()
    const saved = await ask('/api/feed', { as: alice, json: { rss_url: url } })

    expect(await shown.json()).toMatchObject({
      channel: { channel_id: 'kitchen' },
      entries: [{ video_id: 'v1', channel_id: 'kitchen', download_status: 'pending', file_size: null }],
      saved: null,
    })
    expect(after_showing).toEqual([])
    expect(await saved.json()).toMatchObject({ saved: { inserted: 1, updated: 0, unchanged: 0 } })
    expect(await alice.library.channels.list()).toHaveLength(1)
  })
})
