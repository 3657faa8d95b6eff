/** In the database and the storage: a person with a film of some bytes, and links to it. */
import { expect } from 'vitest'
import type { useApp } from './app.ts'
import { entry, has, type Person, person } from './people.ts'

type App = ReturnType<typeof useApp>

/** With the video `v1`. */
export async function personWithFilm(
  app: App,
  name: string,
  bytes: string | Uint8Array = '0123456789',
  { title = 'Ten bytes', extension = 'mp4' } = {},
): Promise<Person & { download_path: string }> {
  const owner = await person(app.sql, name)
  await owner.library.channels.save({ channel_id: 'c', title: 'C', rss_url: 'https://videos.example/c' }, [
    entry('v1', { title }),
  ])
  const download_path = `${owner.user.user_id}/c/v1.${extension}`
  await app.storage.give(download_path, bytes)
  await has(owner, 'v1', download_path, bytes.length)
  return { ...owner, download_path }
}

/** `path`: of the address, below the site. */
export async function linkOf(
  app: App,
  as: Person,
  wanted: { video_id?: string; kind?: 'play' | 'share'; hours?: number } = {},
): Promise<{ link_id: string; path: string; secret: string }> {
  const answer = await app.ask('/api/links', { as, json: { video_id: 'v1', ...wanted } })
  expect(answer.status).toBe(201)
  const { link_id, url } = (await answer.json()) as { link_id: string; url: string }
  const path = new URL(url).pathname
  return { link_id, path, secret: path.split('/')[2] ?? '' }
}
