/**
 * The column beside New and the channels on a wide screen: the lists of the person, and a fold with groups and channels, each with what is
 * still to watch, and the saved searches.
 */
import type { Group } from '../../schema/channels/group.ts'
import {
  channelPath,
  foldPath,
  groupPath,
  groups_path,
  history_path,
  newPath,
  playlists_path,
  searchPath,
  tick_channels_path,
  watch_later_path,
} from '../../schema/http/paths.ts'
import type { ColumnChannel, LibraryColumn as Library } from '../../schema/search/saved-search.ts'
import { numberWords } from '../../schema/values/words.ts'
import { Avatar } from '../parts/thumbnails.tsx'
import { column_channels_id } from '../ui/element-ids.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { remembered } from './remembered.ts'

/** `here`: the address of the link to mark, if any. Only a column that was not read is without channels. */
export type ColumnProps = { library: Library; here?: string | undefined }

/** `is_open`: the fold is open. `page/menus.js` stores how the person leaves it. */
type FoldProps = ColumnProps & { is_open: boolean }

export const LibraryColumn = ({ library, here, is_open }: FoldProps) => (
  <nav class="library-column" aria-label="Your library">
    <ul>
      <Place href={watch_later_path} icon="clock" label="Watch later" here={here} />
      <Place href={history_path} icon="eye" label="History" here={here} />
      <Place href={playlists_path} icon="bookmark" label="Playlists" here={here} />
    </ul>
    <ColumnFold library={library} here={here} is_open={is_open} />
    <TickChannels />
  </nav>
)

/** Channels, groups and searches. A fold without channels is read when it opens, so that pages do not read what is hidden. */
export const ColumnFold = ({ library: { groups, searches, channels }, here, is_open }: FoldProps) => (
  <details open={is_open} {...(channels.length === 0 && readWhenOpened(here))}>
    <summary>
      <Icon name="list" />
      <span class="name">Channels</span>
      <Icon name="chevron" />
    </summary>
    <ul id={column_channels_id}>
      {channels.map(channel => (
        <ChannelLink channel={channel} is_here={here === channelPath(channel)} />
      ))}
      {channels.length === 0 && <Place href="/channels" icon="list" label="All channels" here={undefined} />}
    </ul>
    <h2>
      <a href={groups_path} aria-current={here === groups_path ? 'page' : undefined}>
        Groups
      </a>
    </h2>
    <ul>
      {groups.map(group => (
        <GroupLink group={group} is_here={here === newPath(group.group_id)} />
      ))}
      <Place href={groups_path} icon="add" label="New group" here={undefined} />
    </ul>
    {searches.length > 0 && <Searches searches={searches} here={here} />}
  </details>
)

const readWhenOpened = (here: string | undefined) => ({
  'hx-get': foldPath(here),
  'hx-trigger': 'opened',
  'hx-target': 'this',
  'hx-swap': 'outerMorph',
})

/** Shown on the line of the fold when it is open, and pointed at or has the focus. Its request waits for the one of the fold before it. */
const TickChannels = () => (
  <a
    class="button quiet tick-channels"
    href={tick_channels_path}
    aria-label="Select channels for a group"
    hx-get={tick_channels_path}
    hx-target={`#${column_channels_id}`}
    hx-swap="outerHTML"
    hx-sync="previous"
  >
    <Icon name="group" />
  </a>
)

type PlaceProps = { href: string; icon: IconName; label: string; here: string | undefined }

const Place = ({ href, icon, label, here }: PlaceProps) => (
  <li>
    <a href={href} aria-current={here === href ? 'page' : undefined}>
      <Icon name={icon} />
      <bdi class="name">{label}</bdi>
    </a>
  </li>
)

/** The group that is shown has a link to change it. */
const GroupLink = ({ group, is_here }: { group: Group; is_here: boolean }) => (
  <li>
    <a href={newPath(group.group_id)} aria-current={is_here ? 'page' : undefined}>
      <Icon name="group" />
      <bdi class="name">{group.name}</bdi>
      <Unwatched count={group.unwatched} />
    </a>
    {is_here && (
      <a class="edit" href={groupPath(group)} aria-label={`Edit ${group.name}`}>
        <Icon name="settings" />
      </a>
    )}
  </li>
)

const Searches = ({ searches, here }: Pick<Library, 'searches'> & { here: string | undefined }) => (
  <>
    <h2>
      <a href="/search">Searches</a>
    </h2>
    <ul>
      {searches.map(search => (
        <Place href={searchPath(search)} icon="search" label={search.name} here={here} />
      ))}
    </ul>
  </>
)

const ChannelLink = remembered(
  ({ channel, is_here }: { channel: ColumnChannel; is_here: boolean }) => (
    <li>
      <a href={channelPath(channel)} aria-current={is_here ? 'page' : undefined}>
        <Avatar channel={channel} />
        <bdi class="name">{channel.title}</bdi>
        <Unwatched count={channel.unwatched} />
      </a>
    </li>
  ),
  props => props,
)

const Unwatched = ({ count }: { count: number }) =>
  count > 0 ? (
    <span class="amount">
      {numberWords(count)}
      <span class="spoken"> unwatched</span>
    </span>
  ) : null
