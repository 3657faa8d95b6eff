/** The parts of one user's imports: a job applies one part after another. `imports.ts` stores the parts while the file is read. */
import { jsonText } from '../../runtime/json.ts'
import type {
  ArchiveChannel,
  ArchiveSettings,
  ArchiveVideo,
  ArchiveViewing,
  ChannelWithRule,
  GivenPlaylist,
  RequestedVideo,
} from '../../schema/imports/archive.ts'
import { ImportContent, sumOf } from '../../schema/imports/import.ts'
import { type UserId, user_limits } from '../../schema/values/user.ts'
import { requestAgainIn } from '../downloads/requests.ts'
import { isDeadlock, mayPass, onlyValue, type Queryable, type Sql, type Transaction } from '../postgres/client.ts'
import { recordAdded } from '../saving/first-statistics.ts'
import { mergeViewings } from '../watching/merged-viewings.ts'
import { mergeChannels, mergeRules, mergeSettings } from './archive-channels.ts'
import { mergePlaylist } from './archive-playlists.ts'
import { mergeVideos } from './archive-videos.ts'

/**
 * `room`: how many viewings the person may still get; absent: not counted yet, because no part needed it. `refusals`: the errors of the
 * database that left out items of the part.
 */
type AppliedPart = { room: number | undefined; videos_added: number; refusals: unknown[] }

export function importPartsOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  const roomForViewings = async (tx: Queryable) => {
    const viewings = await onlyValue<number>(tx`select count(*) as viewings from viewings where ${mine}`)
    return Math.max(0, user_limits.videos - viewings)
  }

  const applyOnce = (import_id: string, known_room: number | undefined): Promise<AppliedPart | undefined> =>
    sql.begin(async tx => {
      // Locks the import, so that two jobs of it apply one part after another.
      const [imported] = await tx<{ content: unknown }[]>`
        select content
        from   imports
        where  ${mine} and id = ${import_id}
        for no key update`
      const [part] = await tx<(StoredPart & { position: number })[]>`
        select   position, kind, items
        from     import_parts
        where    ${mine} and import_id = ${import_id}
        order by position
        limit    1`
      if (!imported || !part) return undefined
      const room = part.kind === 'viewings' ? (known_room ?? (await roomForViewings(tx))) : known_room
      const { counts, refusals } = await withoutRefused(
        tx,
        part.items as unknown[],
        (step, items, { viewings_added: used = 0 }) =>
          applyPart(step, user_id, { ...part, items } as StoredPart, (room ?? 0) - used),
      )
      const { viewings_added = 0, ...added } = counts
      await tx`
        delete from import_parts
        where  ${mine} and import_id = ${import_id} and position = ${part.position}`
      const before = ImportContent.parse(imported.content ?? {})
      await tx`
        update imports
        set    content = coalesce(content, '{}') || ${jsonText(sumOf(before, { ...added, done: part.items.length }))}::text::jsonb
        where  ${mine} and id = ${import_id}`
      return { room: room && room - viewings_added, videos_added: added.videos_added ?? 0, refusals }
    })

  return {
    /**
     * Applies the next part and deletes it, in one transaction. `room`: what the call before returned, absent in the first one of a job.
     * `undefined`: no part is left.
     */
    async applyNext(import_id: string, room?: number): Promise<AppliedPart | undefined> {
      const apply = () => applyOnce(import_id, room)
      // A save or a rule may have locked two of the rows in another order.
      const applied = await apply().catch(fault => (isDeadlock(fault) ? apply() : Promise.reject(fault)))
      await recordAdded(sql, applied?.videos_added ?? 0)
      return applied
    },
  }
}

type StoredPart =
  | { kind: 'settings'; items: ArchiveSettings[] }
  | { kind: 'channels'; items: ArchiveChannel[] }
  | { kind: 'videos'; items: ArchiveVideo[] }
  | { kind: 'playlists'; items: GivenPlaylist[] }
  | { kind: 'viewings'; items: ArchiveViewing[] }
  | { kind: 'rules'; items: ChannelWithRule[] }
  | { kind: 'downloads'; items: RequestedVideo[] }

async function applyPart(
  tx: Queryable,
  user_id: UserId,
  { kind, items }: StoredPart,
  room: number,
): Promise<PartCounts> {
  switch (kind) {
    case 'settings':
      for (const settings of items) await mergeSettings(tx, user_id, settings)
      return {}
    case 'channels':
      return mergeChannels(tx, user_id, items)
    case 'videos':
      return mergeVideos(tx, user_id, items)
    case 'playlists': {
      let counts: PartCounts = {}
      for (const playlist of items) counts = sumOf(counts, await mergePlaylist(tx, user_id, playlist))
      return counts
    }
    case 'viewings':
      return mergeViewings(tx, user_id, items, room)
    case 'rules':
      await mergeRules(tx, user_id, items)
      return {}
    case 'downloads':
      return { queued: await queue(tx, user_id, items) }
  }
}

/** Requests downloads in the order of the list. Returns how many were queued. */
async function queue(tx: Queryable, user_id: UserId, videos: RequestedVideo[]): Promise<number> {
  let queued = 0
  for (const by of ['person', 'rule'] as const) {
    const video_ids = videos.flatMap(({ video_id, requested_by }) => (requested_by === by ? [video_id] : []))
    const results = await requestAgainIn(tx, user_id, video_ids, by)
    queued += [...results.values()].filter(result => result === 'queued').length
  }
  return queued
}

/** What a part changed. `viewings_added`: how much of the room for viewings it took. */
type PartCounts = Partial<Omit<ImportContent, 'items' | 'done'>> & { viewings_added?: number }
type Outcome = { counts: PartCounts; refusals: unknown[] }

/**
 * Applies items so that those which the database refuses are left out and counted. Applies the items together, and if they are refused,
 * each half of them again. `before`: what the halves before have changed. Throws what may pass later, such as a database that is away.
 */
async function withoutRefused<Item>(
  tx: Transaction,
  items: Item[],
  apply: (step: Transaction, items: Item[], before: PartCounts) => Promise<PartCounts>,
): Promise<Outcome> {
  const outcome: Outcome = { counts: {}, refusals: [] }
  const applyOrHalve = async (some: Item[]): Promise<void> => {
    try {
      const changed = await tx.savepoint(step => apply(step, some, outcome.counts))
      outcome.counts = sumOf(outcome.counts, changed)
    } catch (fault) {
      if (mayPass(fault)) throw fault
      if (some.length > 1) {
        const middle = Math.ceil(some.length / 2)
        await applyOrHalve(some.slice(0, middle))
        await applyOrHalve(some.slice(middle))
      } else {
        outcome.counts = sumOf(outcome.counts, { failed: 1 })
        outcome.refusals.push(fault)
      }
    }
  }
  await applyOrHalve(items)
  return outcome
}
