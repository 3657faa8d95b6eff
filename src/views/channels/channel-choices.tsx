/** Above a list of channels: how it is sorted, a filter by name, and the way to select several. */
import type { ChannelList, ChannelOrder } from '../../schema/channels/channel.ts'
import { Chips } from '../ui/chips.tsx'
import { Icon } from '../ui/icon.tsx'
import { pathWith } from '../ui/paths.ts'
import { SearchAsTyped } from '../ui/search-field.tsx'

type Props = { list: ChannelList; is_choosing: boolean }

export const ChannelChoices = ({ list, is_choosing }: Props) => (
  <div class="filters">
    <Chips
      label="Sort"
      chips={ordersOf(list).map(order => ({
        href: channelsPath({ ...list, order }, is_choosing),
        label: labels[order],
        is_here: list.order === order,
      }))}
    />
    {!is_choosing && list.of === 'followed' && (
      <a class="button quiet" href={channelsPath(list, true)} data-next-focus="">
        <Icon name="list" />
        Select
      </a>
    )}
    {list[list.of] >= fewest_to_filter && (
      <SearchAsTyped
        path="/channels"
        q={list.q}
        label={list.of === 'followed' ? 'Filter the channels you follow' : 'Filter these channels'}
        placeholder="Filter by name"
        target="shown"
        also={{ ...parametersOf(list, is_choosing), q: undefined }}
      />
    )}
  </div>
)

/** A shorter list needs no filter. */
const fewest_to_filter = 20

const labels: Record<ChannelOrder, string> = {
  title: 'By name',
  newest: 'Newest video',
  unwatched: 'Unwatched',
  size: 'Size',
  failing: 'Not updating first',
}

const ordersOf = ({ of, failing }: ChannelList): ChannelOrder[] => [
  ...(['title', 'newest', 'unwatched', 'size'] as const),
  ...(of === 'followed' && failing > 0 ? (['failing'] as const) : []),
]

type Shown = Pick<ChannelList, 'of' | 'q' | 'order'>

/** The parts of the address that say which channels are listed, and how. */
export const parametersOf = ({ of, q, order }: Shown, is_choosing: boolean) => ({
  followed: of === 'unfollowed' ? 'false' : undefined,
  q,
  order: order === 'title' ? undefined : order,
  select: is_choosing ? '1' : undefined,
})

export const channelsPath = (shown: Shown, is_choosing: boolean): string =>
  pathWith('/channels', parametersOf(shown, is_choosing))
