/** The channels a person follows, with the field to add one more; and, as a page of its own, those with single videos. */
import type { ChannelList, ChannelOrder } from '../../schema/channels/channel.ts'
import type { Group } from '../../schema/channels/group.ts'
import { pathWith } from '../../schema/http/paths.ts'
import { countWords, numberWords } from '../../schema/values/words.ts'
import type { PageContext } from '../frames/context.ts'
import { Heading, Layout } from '../frames/layout.tsx'
import { AddChannel } from '../parts/add-channel.tsx'
import { RecentlyDeleted } from '../parts/deleting.tsx'
import { Older, OrderMenu, SearchAsTyped } from '../ui/lists.tsx'
import { ItemLink, MoreMenu } from '../ui/menus.tsx'
import { ChannelRow, switches_id } from './channel-row.tsx'
import { ChannelsBar } from './choosing-channels.tsx'

type ChannelsProps = { page: PageContext; list: ChannelList }

/** `groups`: given when channels are being selected. */
export const ChannelsPage = ({ page, list, groups }: ChannelsProps & { groups?: Group[] | undefined }) => (
  <Layout page={page} title="Channels">
    <div class="channels-page">
      <header class="heading">
        <h1>Channels</h1>
        <Followed list={list} />
      </header>
      {!groups && <AddChannel first={list.followed === 0} />}
      {list.followed > 0 && <ChannelRows list={list} now={page.now} groups={groups} />}
      <SingleVideos list={list} />
      <RecentlyDeleted bin_hours={page.bin_hours} />
    </div>
  </Layout>
)

/** The channels of the videos that a person added by their address. */
export const SingleVideosPage = ({ page, list }: ChannelsProps) => (
  <Layout page={page} title="Single videos">
    <div class="channels-page">
      <Heading title="Single videos">
        You added videos from {countWords(list.unfollowed, 'channel')} you don't follow ·{' '}
        <a href="/channels">Channels you follow</a>
      </Heading>
      {list.unfollowed > 0 ? (
        <ChannelRows list={list} now={page.now} />
      ) : (
        <p class="empty">Paste the link of a video into the field on the page Channels, and it will appear here.</p>
      )}
    </div>
  </Layout>
)

/** `groups`: given when channels are being selected. */
type ListProps = { list: ChannelList; now: Date; groups?: Group[] | undefined }

export const ChannelRows = ({ list, now, groups }: ListProps) => (
  <>
    <ChannelChoices list={list} is_choosing={groups !== undefined} />
    {groups && <ChannelsBar done={channelsPath(list, false)} groups={groups} />}
    <div id="shown">
      {list.channels.length === 0 ? (
        <p class="empty">
          No channel matches “{list.q}”.{' '}
          <a href={channelsPath({ of: list.of, q: '', order: 'title' }, false)}>Show all</a>
        </p>
      ) : (
        <>
          <Columns is_followed={list.of === 'followed'} />
          <ul class={list.order === 'size' ? 'rows by-size' : 'rows'} id="channels">
            {list.channels.map(channel => (
              <ChannelRow channel={channel} now={now} is_choosing={groups !== undefined} />
            ))}
          </ul>
        </>
      )}
      <Older
        path="/channels"
        parameters={parametersOf(list, groups !== undefined)}
        cursor={list.next_cursor}
        list="channels"
        label="More channels"
      />
    </div>
  </>
)

/** The heads of the columns. Hidden from screen readers, because each number and switch says what it is. */
const Columns = ({ is_followed }: { is_followed: boolean }) => (
  <div class="columns quiet" aria-hidden="true">
    <span class="unwatched">Unwatched</span>
    <span class="size">On disk</span>
    {is_followed && <span id={switches_id}>Auto-download</span>}
  </div>
)

/** "You follow 40 channels · 2 not updating". */
const Followed = ({ list: { followed, failing, order } }: { list: ChannelList }) => (
  <p class="quiet">
    {followed > 0 && `You follow ${countWords(followed, 'channel')}`}
    {failing > 0 && (
      <>
        {' · '}
        {order === 'failing' || followed === 1 ? (
          <span class="fault">{failingWords(failing)}</span>
        ) : (
          <a class="fault" href="/channels?order=failing">
            {failingWords(failing)}
          </a>
        )}
      </>
    )}
  </p>
)

const failingWords = (failing: number) => `${numberWords(failing)} not updating`

/** "Single videos from 4 channels you don't follow": a link; nothing if there are none. */
const SingleVideos = ({ list: { unfollowed } }: { list: ChannelList }) =>
  unfollowed > 0 ? (
    <p class="quiet">
      <a href="/channels?followed=false">Single videos from {countWords(unfollowed, 'channel')} you don't follow</a>
    </p>
  ) : null

type ChoicesProps = { list: ChannelList; is_choosing: boolean }

/** The order of the list, a filter by name, and a menu with what can be done with several channels. */
const ChannelChoices = ({ list, is_choosing }: ChoicesProps) => (
  <div class="filters">
    {list[list.of] > 1 && (
      <OrderMenu
        order={list.order}
        orders={ordersOf(list)}
        labels={labels}
        hrefOf={order => channelsPath({ ...list, order }, is_choosing)}
      />
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
    {!is_choosing && list.of === 'followed' && <Several list={list} />}
  </div>
)

const Several = ({ list }: { list: ChannelList }) => (
  <MoreMenu label="More actions" class="several">
    {list.followed > 1 && (
      <>
        <ItemLink href={channelsPath(list, true)} data-next-focus="">
          Select channels
        </ItemLink>
        <ItemLink href="/groups">Groups</ItemLink>
        <ItemLink href="/channels/rules">Auto-download for several</ItemLink>
      </>
    )}
    <ItemLink href="/settings/import">Import or export</ItemLink>
  </MoreMenu>
)

/** A list with fewer channels needs no filter. */
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

type ShownChannels = Pick<ChannelList, 'of' | 'q' | 'order'>

/** The parts of the address that say which channels are listed, and how. */
const parametersOf = ({ of, q, order }: ShownChannels, is_choosing: boolean) => ({
  followed: of === 'unfollowed' ? 'false' : undefined,
  q,
  order: order === 'title' ? undefined : order,
  select: is_choosing ? '1' : undefined,
})

const channelsPath = (shown: ShownChannels, is_choosing: boolean): string =>
  pathWith('/channels', parametersOf(shown, is_choosing))
