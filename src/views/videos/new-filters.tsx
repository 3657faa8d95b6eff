/** What limits the page New: a menu of choices, and a chip for each limit that ends it. */
import type { NamedGroup } from '../../schema/channels/group.ts'
import { everything_path, pathWith } from '../../schema/http/paths.ts'
import { lastingOf, type ShownFilter } from '../../schema/videos/video-api.ts'
import { remembered } from '../frames/remembered.ts'
import { Icon } from '../ui/icon.tsx'
import { ActiveFilters } from '../ui/lists.tsx'
import { monthName } from './months.tsx'

type Props = { filter: ShownFilter; groups: NamedGroup[] }

/** Whether nothing limits the list. */
export const isWhole = ({ select, ...limits }: ShownFilter): boolean =>
  Object.values(limits).every(limit => limit === undefined)

/** Whether anything limits what is shown of all channels or of Watch later. */
export const isLimited = ({ later, ...limits }: ShownFilter): boolean => !isWhole(limits)

/** The address of the same list without limits. */
export const unlimitedPath = ({ later }: ShownFilter): string => (later ? pathWith('/', { later }) : everything_path)

type Choice = { label: string; tip?: string; sets: ShownFilter; with_it?: ShownFilter }

/** A Short without either mark cannot be told from another short video. */
const shorts_tip = 'Hides videos with /shorts/ in their address or #shorts in their title'

const choices: Choice[][] = [
  [
    { label: 'Unwatched', sets: { seen: 'false' } },
    { label: 'Watched', sets: { seen: 'true' } },
    { label: 'On disk', sets: { on_disk: 'true' } },
    { label: 'No Shorts', sets: { shorts: 'false' }, tip: shorts_tip },
    { label: 'Hidden', sets: { dismissed: 'true' }, with_it: { later: undefined, group: undefined } },
  ],
  [
    { label: 'Under 5 minutes', sets: { length: 'short' } },
    { label: '5 to 20 minutes', sets: { length: 'medium' } },
    { label: 'Over 20 minutes', sets: { length: 'long' } },
  ],
  [
    { label: 'Only live streams', sets: { live: 'true' } },
    { label: 'No live streams', sets: { live: 'false' } },
  ],
]

const groupChoices = (groups: NamedGroup[]): Choice[] =>
  groups.map(({ group_id, name }) => ({
    label: name,
    sets: { group: group_id },
    with_it: { later: undefined, dismissed: undefined },
  }))

/** Everything that limits the list, each as a link that ends it. */
export const FilterChips = ({ filter: { select, ...filter }, groups }: Props) => {
  const { month } = filter
  const months: Choice[] = month === undefined ? [] : [{ label: `From ${monthName(month)}`, sets: { month } }]
  const chosen = [...groupChoices(groups), ...choices.flat(), ...months].filter(({ sets }) => isChosen(filter, sets))
  return <ActiveFilters filters={chosen.map(({ label, sets }) => ({ label, href: pathWithout(filter, sets) }))} />
}

export const FilterMenu = remembered(
  ({ filter: { select, ...filter }, groups }: Props) => (
    <details class="menu filter-menu">
      <summary class="button quiet">
        <Icon name="filter" />
        <span class="say">Filter</span>
      </summary>
      <nav class="panel" aria-label="Filter">
        {choices.map(section => (
          <Choices filter={filter} section={section} />
        ))}
        {groups.length > 0 && <Choices filter={filter} section={groupChoices(groups)} class="of-column" />}
      </nav>
    </details>
  ),
  props => props,
)

const Choices = ({ filter, section, ...list }: { filter: ShownFilter; section: Choice[]; class?: string }) => (
  <ul {...list}>
    {section.map(({ label, tip, sets, with_it }) => {
      const is_chosen = isChosen(filter, sets)
      return (
        <li>
          <a
            class="item"
            href={is_chosen ? pathWithout(filter, sets) : pathWith('/', { ...filter, ...sets, ...with_it })}
            title={tip}
            aria-current={is_chosen ? 'true' : undefined}
          >
            <bdi>{label}</bdi>
            {is_chosen && <Icon name="check" />}
          </a>
        </li>
      )
    })}
  </ul>
)

const fieldsOf = (sets: ShownFilter) => Object.keys(sets) as (keyof ShownFilter)[]

const isChosen = (filter: ShownFilter, sets: ShownFilter): boolean =>
  fieldsOf(sets).every(field => filter[field] === sets[field])

/** Without its last limit, New shows everything; what is remembered returns after a limit that is not. */
function pathWithout(filter: ShownFilter, sets: ShownFilter): string {
  const rest = { ...filter, ...Object.fromEntries(fieldsOf(sets).map(field => [field, undefined])) }
  if (!isWhole(rest)) return pathWith('/', rest)
  return Object.keys(lastingOf(sets)).length > 0 ? everything_path : '/'
}
