/**
 * One exchange with a media server: it reads the folder again if that is due, and what was watched goes both ways. `reconcile.ts` decides
 * by states, so nothing is lost while a server is away, and an exchange that breaks off is completed by the next one.
 */
import type { Library } from '../../db/library.ts'
import type { Exchanged, StoredServer, VideoInTree } from '../../db/media/media-servers.ts'
import { isBlank, type Watching } from '../../schema/media/media-server.ts'
import { isAtEnd, longest_video_s } from '../../schema/watching/viewing.ts'
import { type Server, ServerFault, type ServerItem } from '../../servers/server.ts'
import { recordViewing } from '../watching/viewings.ts'
import { itemsByVideo, pathKey } from './match-items.ts'
import { openStored, type ServerAccess } from './media-servers.ts'
import { isSame, nothing_watched, type OurWatching, reconcile, type Sides } from './reconcile.ts'
import { isTooMany } from './update-tree.ts'

type ExchangeParts = ServerAccess & {
  library: Library
  /** The name of the person's folder in MEDIA_DIR. */
  folder: string
  signal: AbortSignal
}

/** Marks that one exchange sends, so that it ends in time. The next one follows at once. */
const max_marks = 300
/** Pages and marks together. Otherwise a slow server would take a place of the worker for an hour. */
const longest_ms = 10 * 60_000

export async function exchangeWith(parts: ExchangeParts, stored: StoredServer, now: Date): Promise<void> {
  const { library, folder, signal } = parts
  const deadline = AbortSignal.timeout(longest_ms)
  try {
    const server = openStored(parts, library, stored, AbortSignal.any([signal, deadline]))
    if (stored.read_due_at) {
      await server.readAgain(folder)
      await library.servers.recordReading(stored)
    }
    const has_more = await exchangeAll(parts, server, stored, now)
    await library.servers.recordExchange(stored, has_more)
  } catch (fault) {
    const known = deadline.aborted && !signal.aborted ? new ServerFault('The server answers too slowly.') : fault
    if (!(known instanceof ServerFault)) throw fault
    await library.servers.recordFault(stored, known)
  }
}

type Pair = { video: VideoInTree; item: ServerItem; last: Sides | undefined; ours: OurWatching }

/** Returns whether there is more to send. */
async function exchangeAll({ library, folder }: ExchangeParts, server: Server, stored: StoredServer, now: Date) {
  const pairs = await pairsOf(library, server, stored, folder)
  const decided = pairs.map(pair => ({ ...pair, verdict: reconcile(pair.last, pair.ours, pair.item) }))
  const sent = decided.filter(({ verdict }) => verdict === 'send').slice(0, max_marks)
  const known: (Exchanged & { video_id: string })[] = []
  const note = ({ video: { video_id }, item: { item_id }, ours }: Pair, theirs: Watching, mine: Watching = ours) =>
    known.push({ video_id, item_id, ours: mine, theirs })
  try {
    for (const { verdict, ...pair } of decided) {
      if (verdict === 'take') {
        await take(library, pair, now)
        note(pair, pair.item, pair.item)
      } else if (verdict === 'nothing' && hasChanged(pair)) note(pair, pair.item)
    }
    const marked: Pair[] = []
    for (const pair of sent) {
      await server.mark(pair.item, pair.ours)
      marked.push(pair)
      note(pair, pair.ours)
    }
    // What the server made of the marks: it may round a position, or forget one.
    const after = await statesOf(server, marked)
    for (const pair of marked) note(pair, after.get(pair.item.item_id) ?? pair.ours)
  } finally {
    // The last one of each video counts.
    await library.servers.recordStates(stored, [...new Map(known.map(one => [one.video_id, one])).values()])
  }
  return decided.filter(({ verdict }) => verdict === 'send').length > sent.length
}

/** The videos that both sides have. */
async function pairsOf(library: Library, server: Server, { server_id }: StoredServer, folder: string): Promise<Pair[]> {
  const videos = await library.servers.videos(server_id)
  const ids = new Map(videos.map(({ path, video_id }) => [pathKey(path), video_id]))
  if (videos.length === 0) return []
  const found: ServerItem[] = []
  for await (const page of server.items(folder)) found.push(...itemsByVideo(page, ids, folder).values())
  const items = itemsByVideo(found, ids, folder)
  const pairs = videos.flatMap(video => {
    const item = items.get(video.video_id)
    if (!item) return []
    // An item that was made anew knows nothing yet.
    const last = video.last?.item_id === item.item_id ? video.last : undefined
    return [{ video, item, last, ours: oursOf(video) }]
  })
  // A server that has lost nearly all that it knew, such as by a restore, is told again. Nothing is taken back here.
  const told = pairs.filter(({ last }) => last && !isBlank(last.theirs))
  const lost = new Set(told.filter(({ item }) => isBlank(item)))
  return isTooMany(lost.size, told.length)
    ? pairs.map(pair => (lost.has(pair) ? { ...pair, last: undefined } : pair))
    : pairs
}

/** A position at the end is no place to go on from. */
function oursOf({ duration_seconds, position_seconds, ...ours }: VideoInTree): OurWatching {
  return { ...ours, position_seconds: isAtEnd(position_seconds, duration_seconds) ? 0 : position_seconds }
}

const hasChanged = ({ item, last = { ours: nothing_watched, theirs: nothing_watched }, ours }: Pair): boolean =>
  !isSame(last.ours, ours) || !isSame(last.theirs, item)

/**
 * Records here what was watched there. A video that ended there leaves Watch later. A time of the server counts if it is later than the
 * last one here, and not in the future; a mark that was taken away there has no time.
 */
async function take(library: Library, { video, item, ours }: Pair, now: Date): Promise<void> {
  const { is_watched, duration_seconds } = item
  const at = new Date(Math.min(now.getTime(), Math.max((item.at ?? ours.at ?? now).getTime(), ours.at?.getTime() ?? 0)))
  const position_seconds = Math.min(item.position_seconds, longest_video_s)
  await recordViewing(library, video.video_id, {
    at,
    ...((position_seconds > 0 || ours.position_seconds > 0 || is_watched) && { position_seconds }),
    ...(duration_seconds && !video.duration_seconds && { duration_seconds }),
    ...(is_watched ? { seen: true, later: false } : ours.is_watched && { seen: false }),
  })
}

/** Items that are asked for at once; their ids are in the address. */
const ids_at_once = 50

async function statesOf(server: Server, marked: Pair[]): Promise<Map<string, ServerItem>> {
  const states = new Map<string, ServerItem>()
  for (let at = 0; at < marked.length; at += ids_at_once) {
    const ids = marked.slice(at, at + ids_at_once).map(({ item }) => item.item_id)
    for (const item of await server.itemsOf(ids)) states.set(item.item_id, item)
  }
  return states
}
