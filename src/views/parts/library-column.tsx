/** The column beside New and the channels on a wide screen: the person's groups and channels, each with what is still to watch. */
import type { ColumnChannel, LibraryColumn as Shown } from '../../schema/library-column.ts'
import { awaitsPicture } from '../../schema/picture.ts'
import { Avatar } from './avatar.tsx'
import { Icon, type IconName } from './icon.tsx'
import { remembered } from './remembered.ts'
import { channelPath, numberWords, pathWith } from './words.ts'

/** `here`: what the page shows; nothing: all videos. */
export type ColumnProps = { shown: Shown; here?: Here }
type Here = { group?: string | undefined; later?: string | undefined; channel_id?: string }

export const LibraryColumn = ({ shown: { groups, channels }, here = {} }: ColumnProps) => (
  <nav class="library-column" aria-label="Your library">
    <ul>
      <Place href="/?show=all" icon="grid" label="All" is_here={isAll(here)} />
      <Place href="/?later=true" icon="clock" label="Watch later" is_here={here.later !== undefined} />
    </ul>
    <h2>
      <a href={groups_path}>Groups</a>
    </h2>
    <ul>
      {groups.map(({ group_id, name, unwatched }) => (
        <GroupLink group_id={group_id} name={name} unwatched={unwatched} is_here={here.group === group_id} />
      ))}
      {groups.length === 0 && <Place href={groups_path} icon="add" label="Create a group" is_here={false} />}
    </ul>
    <h2>
      <a href="/channels">Channels</a>
    </h2>
    <ul>
      {channels.map(channel => (
        <ChannelLink {...shownOf(channel)} is_here={here.channel_id === channel.channel_id} />
      ))}
      <Place href="/channels" icon="list" label="All channels" is_here={false} />
    </ul>
  </nav>
)

export const groups_path = '/groups'

const isAll = ({ group, later, channel_id }: Here) => (group ?? later ?? channel_id) === undefined

type PlaceProps = { href: string; icon: IconName; label: string; is_here: boolean }

const Place = ({ href, icon, label, is_here }: PlaceProps) => (
  <li>
    <a href={href} aria-current={is_here ? 'page' : undefined}>
      <Icon name={icon} />
      <span class="name">{label}</span>
    </a>
  </li>
)

type GroupProps = { group_id: string; name: string; unwatched: number; is_here: boolean }

const GroupLink = ({ group_id, name, unwatched, is_here }: GroupProps) => (
  <li>
    <a href={pathWith('/', { group: group_id })} aria-current={is_here ? 'page' : undefined}>
      <Icon name="group" />
      <bdi class="name">{name}</bdi>
      <Unwatched count={unwatched} />
    </a>
  </li>
)

const shownOf = (channel: ColumnChannel) => {
  const { channel_id, title, picture_url, unwatched } = channel
  return { channel_id, title, picture_url, unwatched, is_awaited: awaitsPicture(channel) }
}

type ChannelProps = ReturnType<typeof shownOf> & { is_here: boolean }

const ChannelLink = remembered(({ is_awaited, is_here, unwatched, ...channel }: ChannelProps) => (
  <li>
    <a href={channelPath(channel)} aria-current={is_here ? 'page' : undefined}>
      <Avatar channel={channel} is_awaited={is_awaited} />
      <bdi class="name">{channel.title}</bdi>
      <Unwatched count={unwatched} />
    </a>
  </li>
))

const Unwatched = ({ count }: { count: number }) =>
  count > 0 ? (
    <span class="amount">
      {numberWords(count)}
      <span class="spoken"> unwatched</span>
    </span>
  ) : null
