/** What limits the page New: chips for the frequent choices, a menu for the others. A second press on a chosen one removes the limit. */
import type { NamedGroup } from '../../schema/channels/group.ts'
import type { SavedSearch } from '../../schema/search/saved-search.ts'
import type { ShownFilter } from '../../schema/videos/video-api.ts'
import { Icon } from '../ui/icon.tsx'
import { type Chip, Chips } from '../ui/lists.tsx'
import { pathWith, searchPath } from '../ui/paths.ts'

type Props = { filter: ShownFilter; groups: NamedGroup[]; searches: SavedSearch[] }

/** The address of New that forgets the remembered filter. */
const whole_path = '/?show=all'

/** Whether nothing but a month limits the list. */
export const isWhole = ({ month, select, ...limits }: ShownFilter): boolean =>
  Object.values(limits).every(limit => limit === undefined)

/** Whether anything limits what is shown of all channels, of the group or of the list. */
export const isLimited = ({ group, later, dismissed, ...limits }: ShownFilter): boolean => !isWhole(limits)

/** The address of the same group or list without limits. */
export const unlimitedPath = ({ group, later, dismissed, month }: ShownFilter): string =>
  pathOf({ group, later, dismissed, month })

export const NewChips = ({ filter: { select, ...filter }, groups, searches }: Props) => {
  const chip = choiceOf(filter)
  return (
    <Chips
      label="Show"
      class="chips"
      chips={[
        { href: unlimitedPath(filter), label: 'All', is_here: !isLimited(filter) },
        chip('Unwatched', { seen: 'false' }),
        chip('On disk', { on_disk: 'true' }),
        { ...chip('No Shorts', { shorts: 'false' }), tip: shorts_tip },
        chip('Watch later', { later: 'true' }, { dismissed: undefined, group: undefined }),
        ...groups.map(({ group_id, name }) => ({
          ...chip(<bdi>{name}</bdi>, { group: group_id }, { later: undefined, dismissed: undefined }),
          tip: name,
          class: 'of-column',
        })),
        ...searchChips(searches),
      ]}
    />
  )
}

/** More saved searches are on the search page. */
const max_search_chips = 5

const searchChips = (searches: SavedSearch[]): Chip[] => {
  const chips = searches.slice(0, max_search_chips).map(search => ({ href: searchPath(search), label: search.name }))
  const more = searches.length > max_search_chips ? [{ href: '/search', label: 'All searches' }] : []
  return [...chips, ...more].map(({ href, label }) => ({
    href,
    label: (
      <>
        <Icon name="search" />
        <bdi>{label}</bdi>
      </>
    ),
    is_here: false,
    tip: label,
    class: 'of-column',
  }))
}

/** A Short without either mark cannot be told from another short video. */
const shorts_tip = 'Hides videos with /shorts/ in their address or #shorts in their title'

export const FilterMenu = ({ filter: { select, ...filter } }: { filter: ShownFilter }) => {
  const item = choiceOf(filter)
  const sections = [
    [
      item('Under 5 minutes', { length: 'short' }),
      item('5 to 20 minutes', { length: 'medium' }),
      item('Over 20 minutes', { length: 'long' }),
    ],
    [item('Only live streams', { live: 'true' }), item('No live streams', { live: 'false' })],
    [item('Watched', { seen: 'true' }), item('Hidden', { dismissed: 'true' }, { later: undefined, group: undefined })],
  ]
  const count = sections.flat().filter(({ is_here }) => is_here).length
  return (
    <details class="menu filter-menu">
      <summary class="button quiet">
        <Icon name="filter" />
        <span class="say">Filter</span>
        {count > 0 && <span class="amount">{count}</span>}
      </summary>
      <nav class="panel" aria-label="Filter">
        {sections.map(items => (
          <ul>
            {items.map(({ href, label, is_here }) => (
              <li>
                <a class="item" href={href} aria-current={is_here ? 'true' : undefined}>
                  {label}
                  {is_here && <Icon name="check" />}
                </a>
              </li>
            ))}
          </ul>
        ))}
      </nav>
    </details>
  )
}

/** `sets`: the fields that the choice sets, and unsets when it is chosen already. `with_it`: what it changes besides. */
const choiceOf =
  (filter: ShownFilter) =>
  <Label,>(label: Label, sets: ShownFilter, with_it: ShownFilter = {}) => {
    const fields = Object.keys(sets) as (keyof ShownFilter)[]
    const is_here = fields.every(field => filter[field] === sets[field])
    const changes = is_here ? Object.fromEntries(fields.map(field => [field, undefined])) : { ...sets, ...with_it }
    // These lists are not remembered, so leaving them leads back to what is.
    const leaves_list = is_here && (sets.later ?? sets.dismissed) !== undefined
    return { href: leaves_list ? '/' : pathOf({ ...filter, ...changes }), label, is_here }
  }

const pathOf = (filter: ShownFilter): string => (isWhole(filter) && !filter.month ? whole_path : pathWith('/', filter))
