/** The channels a person follows, with the field to add one more; and, as a page of its own, those with single videos. */
import type { ChannelList } from '../../schema/channels/channel.ts'
import type { Group } from '../../schema/channels/group.ts'
import { AddChannel } from '../ui/add-channel.tsx'
import type { PageContext } from '../ui/context.ts'
import { Layout } from '../ui/layout.tsx'
import { RecentlyDeleted } from '../ui/recently-deleted.tsx'
import { countWords } from '../ui/words.ts'
import { ChannelRows, Followed, SingleVideos } from './channel-rows.tsx'

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
      <header class="heading">
        <h1>Single videos</h1>
        <p class="quiet">
          You added videos from {countWords(list.unfollowed, 'channel')} you don't follow ·{' '}
          <a href="/channels">Channels you follow</a>
        </p>
      </header>
      {list.unfollowed > 0 ? (
        <ChannelRows list={list} now={page.now} />
      ) : (
        <p class="empty">Paste the link of a video into the field on the page Channels, and it will appear here.</p>
      )}
    </div>
  </Layout>
)
