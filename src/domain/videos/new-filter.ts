/** Which videos the page New shows: those that its address asks for, or those of the remembered filter. */
import type { Library } from '../../db/library.ts'
import type { VideoFilter } from '../../db/videos/videos.ts'
import type { NamedGroup } from '../../schema/channels/group.ts'
import { bounds_of_length, NewFilter, type NewPageQuery, type ShownFilter } from '../../schema/videos/video-api.ts'

/**
 * An address that filters is remembered, so that New is the same on the next visit and on another device. Watch later, hidden videos and a
 * month are looked up once, and further pages continue what is shown: neither is remembered. `may_remember`: not when another site has
 * sent the person here.
 */
export async function shownOnNew(
  library: Library,
  query: NewPageQuery,
  { groups, may_remember }: { groups: NamedGroup[]; may_remember: boolean },
): Promise<ShownFilter> {
  const { later, dismissed, month, select, cursor, show, with: is_kept } = query
  const known = ({ group, ...filter }: NewFilter): NewFilter =>
    groups.some(({ group_id }) => group_id === group) ? { ...filter, group } : filter
  const asked = known(NewFilter.parse(query))
  if ((later ?? dismissed ?? month ?? cursor) !== undefined) return { ...asked, later, dismissed, month, select }

  const remembered = known(await library.new_filter.get())
  const kept = is_kept ? { ...remembered, group: undefined, ...given(asked) } : asked
  const chosen = isEmpty(kept) && !is_kept && !show ? remembered : kept
  if (may_remember && !isSame(chosen, remembered)) await library.new_filter.save(chosen)
  return { ...chosen, select }
}

/** Without the fields that are absent. */
const given = (filter: NewFilter): NewFilter =>
  Object.fromEntries(Object.entries(filter).filter(([, limit]) => limit !== undefined))

const isEmpty = (filter: NewFilter) => isSame(filter, {})
const isSame = (one: NewFilter, other: NewFilter) =>
  NewFilter.keyof().options.every(field => one[field] === other[field])

/** The filter as the library takes it. Hidden videos are left out unless they are asked for. */
export const wantedOf = ({ seen, on_disk, shorts, length, live, group, later, dismissed, month }: ShownFilter) =>
  ({
    seen: booleanOf(seen),
    on_disk: booleanOf(on_disk),
    shorts: shorts && false,
    ...(length && bounds_of_length[length]),
    live: booleanOf(live),
    group,
    later: booleanOf(later),
    dismissed: dismissed !== undefined,
    month,
  }) satisfies Partial<VideoFilter>

const booleanOf = (given: 'true' | 'false' | undefined) => given && given === 'true'
