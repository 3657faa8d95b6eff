/** The settings of one channel: quality, skipping sponsors, auto-download and how long files stay, and its feed. */
import type { Channel } from '../../schema/channels/channel.ts'
import type { Quality } from '../../schema/downloads/quality.ts'
import { channelPath, webUrl } from '../../schema/http/paths.ts'
import type { RuleFields as Values } from '../../schema/rules/rule-fields.ts'
import { ChannelQuality } from '../downloads/quality-forms.tsx'
import type { PageContext } from '../frames/context.ts'
import { Heading, Layout } from '../frames/layout.tsx'
import { SwitchCard } from '../frames/settings-frame.tsx'
import { RuleForm, type RulePlaylist } from '../rules/rule-form.tsx'
import type { PreviewProps } from '../rules/rule-preview.tsx'
import { rules_path } from '../rules/rules-page.tsx'
import { Button, type FormState } from '../ui/forms.tsx'
import { FollowButton } from './channel-menu.tsx'
import { Freshness } from './freshness.tsx'

type RuleProps = FormState<Values> &
  Pick<PreviewProps, 'preview'> & { page: PageContext; channel: Channel; playlists: RulePlaylist[] }

type Props = RuleProps & {
  /** The person's default quality, used when the channel has none of its own. */
  usual: Quality
  /** Nothing is skipped in its videos. */
  plays_whole?: boolean
}

export const ChannelSettingsPage = ({ page, channel, usual, plays_whole = false, ...rule }: Props) => (
  <Layout page={page} title={`Settings for ${channel.title}`}>
    <Heading title="Settings">
      <a href={channelPath(channel)}>{channel.title}</a>
    </Heading>
    <div class="setting-cards">
      <ChannelQuality channel={channel} usual={usual} />
      <SwitchCard
        card="skipping"
        label="Skip sponsors in this channel"
        action={`${channelPath(channel)}/plays-whole`}
        name="skips"
        checked={!plays_whole}
        hint={
          <>
            The parts that <a href="/settings#skipping">your settings</a> name.
          </>
        }
      />
      {channel.followed ? <AutoDownload page={page} channel={channel} {...rule} /> : <NotFollowed channel={channel} />}
      {channel.followed && <Feed channel={channel} now={page.now} />}
    </div>
  </Layout>
)

const AutoDownload = ({ page, channel, ...rule }: RuleProps) => (
  <RuleForm
    {...rule}
    action={`${channelPath(channel)}/settings`}
    label="Download new videos automatically"
    now={page.now}
    before={<h2>Auto-download</h2>}
  >
    <p>
      <a href={`${rules_path}?from=${encodeURIComponent(channel.channel_id)}`}>Use the saved rule for other channels</a>
    </p>
  </RuleForm>
)

const NotFollowed = ({ channel }: { channel: Channel }) => (
  <section class="setting-card">
    <h2>Auto-download</h2>
    <p>You do not follow this channel, so none of its videos download automatically.</p>
    <FollowButton channel={channel} />
  </section>
)

/** What is seldom needed of the feed. The page of the channel offers older videos until they were loaded once. */
const Feed = ({ channel, now }: { channel: Channel; now: Date }) => {
  const address = webUrl(channel.rss_url)
  return (
    <section class="setting-card">
      <h2>Feed</h2>
      <Freshness channel={channel} now={now} with_next />
      <form class="actions" method="post" action={`${channelPath(channel)}/backfill`}>
        <Button busy="Loading…">Load older videos</Button>
        {address && (
          <a class="button plain" href={address} rel="noreferrer">
            RSS feed
          </a>
        )}
      </form>
    </section>
  )
}
