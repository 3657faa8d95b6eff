/** Finds what a person pasted into the search field in their library: a video or a channel by its identifier or its address. */
import type { Library } from '../../db/library.ts'
import { DomainError } from '../../errors.ts'
import type { Channel } from '../../schema/channels/channel.ts'
import type { MissingAddress } from '../../schema/search/search.ts'
import type { Video } from '../../schema/videos/video.ts'
import { lookedEntries } from '../videos/look.ts'

/** Exactly one of these. `channels`: not empty. `missing`: an address of neither. */
type Named = { video?: Video; channels?: Channel[]; missing?: MissingAddress }

/** `undefined`: it is no address, and no identifier of a video. */
export async function findNamed({ search }: Library, q: string): Promise<Named | undefined> {
  if (is_address.test(q)) return findAddressed(search, q)
  const video = is_identifier.test(q) ? await search.videoNamed({ ids: [q], urls: [] }) : undefined
  return video && { video }
}

/** With a scheme or with a path, as browsers show it; a handle or an identifier of YouTube's channels. */
const is_address = /^(?:[Hh][Tt][Tt][Pp][Ss]?:\/\/\S+|[\w-]+(?:\.[\w-]+)+(?::\d+)?\/\S*|@[^\s/]+|UC[\w-]{22})$/
const is_identifier = /^[\w.-]{1,200}$/

async function findAddressed(search: Library['search'], q: string): Promise<Named | undefined> {
  const { namesOf } = await lookedEntries()
  const names = namesIn(q, namesOf)
  if (!names) return undefined
  const { url, urls, kind, video_ids, channel_ids } = names
  const video = await search.videoNamed({ ids: video_ids, urls })
  if (video) return { video }
  const channels = channel_ids.length > 0 ? await search.channelsNamed({ ids: channel_ids, urls }) : []
  return channels.length > 0 ? { channels } : { missing: { url, kind } }
}

/** `undefined`: an address that cannot be read is searched for as words. */
function namesIn<Names>(q: string, namesOf: (pasted: string) => Names): Names | undefined {
  try {
    return namesOf(q)
  } catch (refusal) {
    if (refusal instanceof DomainError) return undefined
    throw refusal
  }
}
