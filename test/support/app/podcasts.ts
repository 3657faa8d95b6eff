/** In this process, through the app: podcasts of a person, as an app requests them. */
import { parseRssFeed } from 'feedsmith'
import type { PodcastOf } from '../../../src/schema/podcasts/podcast.ts'
import type { Ask, useApp } from './app.ts'
import { entry, has, type Person, person } from './people.ts'

export function podcastsThrough(app: ReturnType<typeof useApp>) {
  const { ask, sql } = app
  return {
    /** A person with a channel of these videos, the first of them the newest, each with its file. */
    async withVideos(...video_ids: string[]): Promise<Person> {
      const alice = await person(sql, 'alice')
      const channel = { channel_id: 'kitchen', title: 'Bread Kitchen', rss_url: 'https://videos.example/kitchen' }
      const at = (nth: number) => new Date(Date.UTC(2026, 4, 30 - nth))
      const all = video_ids.map((video_id, nth) => entry(video_id, { published_at: at(nth) }))
      await alice.library.channels.save(channel, all)
      for (const video_id of video_ids) {
        const download_path = `${alice.user.user_id}/kitchen/${video_id}.mp4`
        await app.storage.give(download_path, `the file of ${video_id}`)
        await has(alice, video_id, download_path, `the file of ${video_id}`.length)
      }
      return alice
    },

    /** Makes a podcast through the API. `get`: requests one of its files without a sign-in. */
    async podcastOf(as: Person, of: PodcastOf = { channel_id: 'kitchen' }, more = {}) {
      const answer = await ask('/api/podcasts', { as, json: { of, kind: 'video', ...more } })
      const { url, podcast_id } = (await answer.json()) as { url: string; podcast_id: string }
      const path = new URL(url).pathname
      // The body is read at once: an answer that no one reads keeps its file open.
      const get = async (name: string, more: Ask = {}) => {
        const answer = await ask(path.replace('feed.xml', name), more)
        const body = await answer.arrayBuffer()
        return new Response(body.byteLength > 0 ? body : null, answer)
      }
      const episodes = async () => parseRssFeed(await (await get('feed.xml')).text()).items ?? []
      return { podcast_id, url, get, episodes, ids: async () => (await episodes()).map(({ guid }) => guid?.value) }
    },
  }
}
