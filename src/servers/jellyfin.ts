/**
 * Jellyfin (10.9 and later) and Emby, which have one ancestor. An API key opens the whole server, so the person is found by name.
 *
 * Sources: Jellyfin's LibraryController, LibraryStructureController, ItemsController and UserDataManager (a mark changes only the fields
 * that are sent; X-Emby-Token is legacy); Emby's REST reference (UserService, ItemsService, LibraryService); WatchState's backends. Both
 * read again only a folder that they know, and answer 204 in any case, so the whole library is read where no folder fits.
 */
import { z } from 'zod'
import { loadedOnce } from '../runtime/cache.ts'
import { isBlank, type MediaServerKind } from '../schema/media/media-server.ts'
import { type Ask, endsIn, limits, pagesOf, type Server, ServerFault, type ServerItem, timeOf } from './server.ts'

const Users = z.array(z.object({ Id: z.string(), Name: z.string() }))

const Library = z.object({ ItemId: z.string().nullish(), Locations: z.array(z.string()).nullish() })
/** Jellyfin has a list, Emby has it in an object. */
const Libraries = z.union([z.array(Library), z.object({ Items: z.array(Library) }).transform(({ Items }) => Items)])

const Item = z.object({
  Id: z.string(),
  Path: z.string().nullish(),
  RunTimeTicks: z.number().nullish(),
  UserData: z
    .object({
      Played: z.boolean().nullish(),
      PlaybackPositionTicks: z.number().nullish(),
      LastPlayedDate: z.string().nullish(),
      PlayCount: z.number().nullish(),
      IsFavorite: z.boolean().nullish(),
    })
    .nullish(),
})
const Items = z.object({ Items: z.array(Item) })

const ticks_per_second = 10_000_000

/** What differs. `base`: before all paths. */
const kinds = {
  jellyfin: {
    base: '',
    header: (key: string) => ({ authorization: `MediaBrowser Token="${key}"` }),
    libraries: '/Library/VirtualFolders',
    items: (user: string) => ({ path: '/Items', query: { userId: user } }),
    data: (user: string, item: string) => ({ path: `/UserItems/${item}/UserData`, query: { userId: user } }),
  },
  emby: {
    base: '/emby',
    header: (key: string) => ({ 'x-emby-token': key }),
    libraries: '/Library/VirtualFolders/Query',
    items: (user: string) => ({ path: `/Users/${user}/Items`, query: {} }),
    data: (user: string, item: string) => ({ path: `/Users/${user}/Items/${item}/UserData`, query: {} }),
  },
}
type Kind = keyof typeof kinds & MediaServerKind

export const jellyfinHeader = (kind: Kind, key: string): Record<string, string> => kinds[kind].header(key)

/** `person`: the name there; null: the username here, or the only person there. */
export function jellyfinServer(
  kind: Kind,
  ask: Ask,
  { person, username }: { person: string | null; username: string },
) {
  const { base, libraries, items, data } = kinds[kind]
  const fitting = async (folder: string) =>
    (await ask(base + libraries, Libraries)).flatMap(({ ItemId: id, Locations }) => {
      const paths = (Locations ?? []).filter(path => endsIn(path, folder))
      return paths.length > 0 ? [{ id, paths }] : []
    })
  const user = loadedOnce(async () => personAmong(await ask(`${base}/Users`, Users), person, username))
  const userPath = async () => encodeURIComponent((await user()).Id)
  const list = async (query: Record<string, string | number>) => {
    const { path, query: own } = items(await userPath())
    const fixed = { Recursive: 'true', Fields: 'Path', EnableUserData: 'true', EnableImages: 'false' }
    return (await ask(base + path, Items, { query: { ...own, ...fixed, IncludeItemTypes: types, ...query } })).Items
  }

  const server: Server = {
    check: async () => {
      await ask(base + libraries, Libraries)
      return (await user()).Name
    },
    async readAgain(folder) {
      const paths = (await fitting(folder)).flatMap(library => library.paths)
      if (paths.length === 0) return ask(`${base}/Library/Refresh`, undefined, { method: 'POST' })
      const body = { Updates: paths.map(Path => ({ Path, UpdateType: 'Modified' })) }
      return ask(`${base}/Library/Media/Updated`, undefined, { method: 'POST', body })
    },
    async *items(folder) {
      const parents = (await fitting(folder)).flatMap(({ id }) => (id ? [{ ParentId: id }] : []))
      for (const parent of parents.length > 0 ? parents : [{}])
        yield* pagesOf(async start => {
          const page = await list({ ...parent, StartIndex: start, Limit: limits.page, SortBy: 'DateCreated,SortName' })
          return { items: page.flatMap(itemIn), count: page.length }
        })
    },
    itemsOf: async ids => (await list({ Ids: ids.join(',') })).flatMap(itemIn),
    async mark({ item_id, kept }, to) {
      const { path, query } = data(await userPath(), encodeURIComponent(item_id))
      const body = {
        ...kept,
        Played: to.is_watched,
        PlayCount: to.is_watched ? Math.max(1, Number(kept?.PlayCount ?? 0)) : 0,
        PlaybackPositionTicks: to.position_seconds * ticks_per_second,
        ...(to.at && !isBlank(to) && { LastPlayedDate: to.at.toISOString() }),
      }
      await ask(base + path, undefined, { method: 'POST', query, body })
    },
  }
  return server
}

const types = 'Episode,Movie,Video,MusicVideo'

function itemIn({ Id, Path, RunTimeTicks, UserData }: z.infer<typeof Item>): ServerItem[] {
  const { Played, PlaybackPositionTicks, LastPlayedDate, PlayCount, IsFavorite } = UserData ?? {}
  const item = {
    item_id: Id,
    path: Path ?? '',
    duration_seconds: RunTimeTicks ? Math.round(RunTimeTicks / ticks_per_second) : null,
    is_watched: Played ?? false,
    position_seconds: Math.floor((PlaybackPositionTicks ?? 0) / ticks_per_second),
    at: timeOf(LastPlayedDate),
    kept: { PlayCount: PlayCount ?? 0, IsFavorite: IsFavorite ?? false },
  }
  return Path ? [item] : []
}

function personAmong(users: z.infer<typeof Users>, person: string | null, username: string) {
  const named = (name: string) => users.find(({ Name }) => Name.toLowerCase() === name.toLowerCase())
  const found = named(person ?? username) ?? (person === null && users.length === 1 ? users[0] : undefined)
  if (found) return found
  const sentence =
    person === null
      ? 'The server has several people, and none with your username. Enter the name of yours.'
      : 'The server has no person of this name. Enter the name of yours.'
  throw new ServerFault(sentence, true)
}
