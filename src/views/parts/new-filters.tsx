/** What limits the page New: chips for the frequent choices, a menu for the others. A second press on a chosen one removes the limit. */
import type { NamedGroup } from '../../schema/group.ts'
import type { ShownFilter } from '../../schema/new-page.ts'
import { Chips } from './chips.tsx'
import { Icon } from './icon.tsx'
import { KeysButton } from './keys.tsx'
import { pathWith } from './words.ts'

type Props = { filter: ShownFilter; groups: NamedGroup[] }

/** The address of New that forgets the remembered filter. */
export const whole_path = '/?show=all'

/** Whether nothing but a month limits the list. */
export const isWhole = ({ month, select, ...limits }: ShownFilter): boolean =>
  Object.values(limits).every(limit => limit === undefined)

export const NewChips = ({ filter: { select, ...filter }, groups }: Props) => {
  const chip = choiceOf(filter)
  return (
    <Chips
      label="Show"
      class="chips"
      chips={[
        { href: pathOf({ month: filter.month }), label: 'All', is_here: isWhole(filter) },
        chip('Unwatched', { seen: 'false' }),
        chip('On disk', { on_disk: 'true' }),
        chip('No Shorts', { shorts: 'false' }),
        chip('Watch later', { later: 'true' }, { dismissed: undefined }),
        ...groups.map(({ group_id, name }) => ({
          ...chip(<bdi>{name}</bdi>, { group: group_id }),
          class: 'of-group',
        })),
      ]}
    />
  )
}

export const FilterMenu = ({ filter: { select, ...filter } }: { filter: ShownFilter }) => {
  const item = choiceOf(filter)
  const sections = [
    [
      item('Under 5 minutes', { length: 'short' }),
      item('5 to 20 minutes', { length: 'medium' }),
      item('Over 20 minutes', { length: 'long' }),
    ],
    [item('Only live streams', { live: 'true' }), item('No live streams', { live: 'false' })],
    [item('Watched', { seen: 'true' }), item('Not for me', { dismissed: 'true' }, { later: undefined })],
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
        <KeysButton />
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
    const next = { ...filter, ...changes }
    // These lists are not remembered, so leaving them forgets nothing.
    const leaves_list = is_here && (sets.later ?? sets.dismissed) !== undefined && isWhole(next)
    return { href: leaves_list ? '/' : pathOf(next), label, is_here }
  }

const pathOf = (filter: ShownFilter): string => (isWhole(filter) && !filter.month ? whole_path : pathWith('/', filter))
