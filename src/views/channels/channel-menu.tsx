/** The menu of a channel: everything that is done with it more rarely than downloading; and the button that follows it again. */
import type { Channel } from '../../schema/channels/channel.ts'
import type { ShownChannel } from '../../schema/channels/channel-api.ts'
import { channelPath, pathWith, podcastPath, webUrl } from '../../schema/http/paths.ts'
import { countWords } from '../../schema/values/words.ts'
import { onlyCopyWords, undoWords } from '../parts/deleting.tsx'
import { Post } from '../ui/forms.tsx'
import { Ask, ItemLink, MoreMenu, OpenOnSite } from '../ui/menus.tsx'
import { type Filter, parametersOf } from './channel-filters.tsx'

type MenuProps = Pick<ShownChannel, 'channel' | 'added' | 'only_copies'> & {
  /** The link that selects videos keeps it. */
  filter: Filter
  now: Date
  bin_hours: number
  /** How many files are on disk; undefined when that is not known. */
  files: number | undefined
}

export const ChannelMenu = (props: MenuProps) => {
  const { channel, filter, now } = props
  return (
    <MoreMenu label="Actions for this channel" kind="plain" class="channel-menu">
      {channel.followed && (
        <Post action={`${channelPath(channel)}/refresh`} class="item" busy="Checking…">
          Refresh
        </Post>
      )}
      <ItemLink href={pathWith(channelPath(channel), { ...parametersOf(filter), select: '1' })} data-next-focus="">
        Select videos
      </ItemLink>
      <Post
        action="/videos/seen"
        fields={{ until: now.toISOString(), channel_id: channel.channel_id }}
        class="item"
        busy="Marking…"
      >
        Mark all as watched
      </Post>
      {channel.followed && <Bell channel={channel} />}
      <ItemLink href={podcastPath({ channel_id: channel.channel_id })}>Podcast</ItemLink>
      {channel.followed && <ItemLink href={`${channelPath(channel)}/groups`}>Groups…</ItemLink>}
      {channel.followed && <ItemLink href={`${channelPath(channel)}/settings`}>Settings and auto-download</ItemLink>}
      <OpenOnSite url={channel.page_url} />
      {channel.followed && <Unfollow {...props} />}
    </MoreMenu>
  )
}

const Bell = ({ channel }: { channel: Channel }) => (
  <Post action={`${channelPath(channel)}/bell`} fields={{ bell: channel.bell ? undefined : 'on' }} class="item">
    {channel.bell ? 'Stop notifying me' : 'Notify me of new videos'}
  </Post>
)

const Unfollow = ({ channel, bin_hours, files, added, only_copies }: MenuProps) => (
  <Ask label="Unfollow…" action={`${channelPath(channel)}/delete`} does="Unfollow" busy="Unfollowing…">
    Unfollow <bdi>{channel.title}</bdi>? {unfollowWords(channel, files, added)} {onlyCopyWords(files ?? 2, only_copies)}
    {undoWords(bin_hours, 'all of it')}
  </Ask>
)

function unfollowWords({ entry_count }: Channel, files: number | undefined, added: number): string {
  if (added > 0) return unfollowSomeWords(entry_count - added, added)
  const deletes =
    files === undefined ? ' and deletes their files' : files > 0 ? ` and deletes ${countWords(files, 'file')}` : ''
  return `This removes ${countWords(entry_count, 'video')} from your list${deletes}.`
}

function unfollowSomeWords(removed: number, added: number): string {
  const removes =
    removed > 0 ? `This removes ${countWords(removed, 'video')} from your list and deletes their files. ` : ''
  return `${removes}${countWords(added, 'video')} that you added ${added === 1 ? 'stays' : 'stay'}.`
}

/** The button that follows a channel of which a person has single videos; nothing, where the page of the channel is unknown. */
export const FollowButton = ({ channel }: { channel: Channel }) => {
  const address = webUrl(channel.page_url)
  return address ? (
    <Post action="/channels" fields={{ url: address }} kind="main" busy="Looking…">
      Follow
    </Post>
  ) : null
}
