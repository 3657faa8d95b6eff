/**
 * Plex. A token belongs to a person, whose watching is exchanged. Plex cannot be told when something was watched: it takes the time of the
 * request.
 *
 * Sources: python-plexapi (library.py, base.py, video.py, mixins/played_unplayed.py), which runs against real servers; WatchState's Plex
 * backend (a position needs the length and the identifier of a client; `/:/progress` changes only what the owner of the server watches).
 */
import { z } from 'zod'
import { type Ask, endsIn, limits, pagesOf, type Server, type ServerItem, timeOf } from './server.ts'

const Sections = z.object({
  MediaContainer: z.object({
    Directory: z
      .array(
        z.object({ key: z.string(), type: z.string(), Location: z.array(z.object({ path: z.string() })).optional() }),
      )
      .optional(),
  }),
})

const Item = z.object({
  ratingKey: z.string(),
  /** Milliseconds. */
  duration: z.number().optional(),
  viewOffset: z.number().optional(),
  viewCount: z.number().optional(),
  /** Seconds. */
  lastViewedAt: z.number().optional(),
  Media: z.array(z.object({ Part: z.array(z.object({ file: z.string().optional() })).optional() })).optional(),
})
const Items = z.object({ MediaContainer: z.object({ Metadata: z.array(Item).optional() }) })

/** Kinds of sections, with the type of what is played in them. Home videos are of the type `movie`. */
const played_types: Record<string, number> = { movie: 1, show: 4 }

export const plexHeaders = (token: string): Record<string, string> => ({
  'x-plex-token': token,
  'x-plex-client-identifier': 'backlot',
  'x-plex-product': 'Backlot',
})

export function plexServer(ask: Ask): Server {
  /** Those that have the folder, or all. `paths`: where they have it. */
  const sections = async (folder: string) => {
    const { Directory = [] } = (await ask('/library/sections', Sections)).MediaContainer
    const playable = Directory.filter(({ type }) => type in played_types).map(({ key, type, Location = [] }) => ({
      path: `/library/sections/${encodeURIComponent(key)}`,
      type: played_types[type] ?? 0,
      paths: Location.map(({ path }) => path).filter(path => endsIn(path, folder)),
    }))
    const fitting = playable.filter(({ paths }) => paths.length > 0)
    return fitting.length > 0 ? fitting : playable
  }
  const itemsAt = async (path: string, query: Record<string, string | number> = {}) =>
    (await ask(path, Items, { query })).MediaContainer.Metadata ?? []
  const act = (path: string, query: Record<string, string | number>) =>
    ask(path, undefined, { query: { identifier: 'com.plexapp.plugins.library', ...query } })

  return {
    async check() {
      await ask('/library/sections', Sections)
      return undefined
    },
    async readAgain(folder) {
      for (const { path, paths } of await sections(folder))
        for (const query of paths.length > 0 ? paths.map(path => ({ path })) : [{}])
          await ask(`${path}/refresh`, undefined, { query })
    },
    async *items(folder) {
      for (const { path, type } of await sections(folder))
        yield* pagesOf(async start => {
          const page = { type, 'X-Plex-Container-Start': start, 'X-Plex-Container-Size': limits.page }
          const found = await itemsAt(`${path}/all`, page)
          return { items: found.flatMap(filesIn), count: found.length }
        })
    },
    itemsOf: async ids =>
      (await itemsAt(`/library/metadata/${ids.map(encodeURIComponent).join(',')}`)).flatMap(filesIn),
    async mark({ item_id: key, ...before }, to) {
      // Either one forgets the position, too.
      if (to.is_watched !== before.is_watched || to.position_seconds === 0)
        await act(to.is_watched ? '/:/scrobble' : '/:/unscrobble', { key })
      if (to.position_seconds === 0) return
      const duration = (before.duration_seconds ?? 0) * 1000
      const place = { ratingKey: key, key: `/library/metadata/${key}`, duration, time: to.position_seconds * 1000 }
      await act('/:/timeline', { ...place, state: 'stopped' })
    },
  }
}

/** One for each file of an item. */
function filesIn({
  ratingKey,
  duration,
  viewOffset,
  viewCount,
  lastViewedAt,
  Media = [],
}: z.infer<typeof Item>): ServerItem[] {
  const item = {
    item_id: ratingKey,
    duration_seconds: duration === undefined ? null : Math.round(duration / 1000),
    is_watched: (viewCount ?? 0) > 0,
    position_seconds: Math.floor((viewOffset ?? 0) / 1000),
    at: timeOf(lastViewedAt === undefined ? undefined : lastViewedAt * 1000),
  }
  return Media.flatMap(({ Part = [] }) => Part.flatMap(({ file }) => (file ? [{ ...item, path: file }] : [])))
}
