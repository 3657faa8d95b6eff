/** The settings of one channel: auto-download, retention and quality. */
import type { Channel } from '../../schema/channels/channel.ts'
import type { Quality } from '../../schema/downloads/quality.ts'
import type { RulePreview } from '../../schema/rules/rule.ts'
import type { RuleFields as Values } from '../../schema/rules/rule-form.ts'
import { ChannelQuality, ChannelQualityField } from '../downloads/quality.tsx'
import { Preview, PreviewButton, RuleFields } from '../rules/rule-form.tsx'
import { rules_path } from '../rules/rules-page.tsx'
import type { PageContext } from '../ui/context.ts'
import { Button } from '../ui/forms.tsx'
import { Layout } from '../ui/layout.tsx'
import { channelPath, webUrl } from '../ui/paths.ts'
import { FollowAgain } from './channel-menu.tsx'
import { Freshness } from './freshness.tsx'

type Props = {
  page: PageContext
  channel: Channel
  /** The person's default quality, used when the channel has none of its own. */
  usual: Quality
  values: Values
  /** Error sentences by field. */
  errors: Record<string, string>
  preview?: RulePreview | undefined
  /** Nothing is skipped in its videos. */
  plays_whole?: boolean
}

export const ChannelSettingsPage = ({ page, channel, usual, values, errors, preview, plays_whole = false }: Props) => (
  <Layout page={page} title={`Settings for ${channel.title}`}>
    <header class="heading">
      <h1>Settings</h1>
      <p class="quiet">
        <a href={channelPath(channel)}>{channel.title}</a>
      </p>
    </header>
    {channel.followed ? (
      <>
        <SettingsForm channel={channel} usual={usual} values={values} errors={errors} />
        <Preview preview={preview} now={page.now} />
        <p>
          <a href={`${rules_path}?from=${encodeURIComponent(channel.channel_id)}`}>
            Use the saved rule for other channels
          </a>
        </p>
      </>
    ) : (
      <>
        <section class="settings">
          <h2>Auto-download</h2>
          <p>You do not follow this channel, so none of its videos download automatically.</p>
          <FollowAgain channel={channel} />
        </section>
        <ChannelQuality channel={channel} usual={usual} />
      </>
    )}
    <Skipping channel={channel} plays_whole={plays_whole} />
    {channel.followed && <Feed channel={channel} now={page.now} />}
  </Layout>
)

/** What is seldom needed of the feed. The page of the channel offers older videos until they were loaded once. */
const Feed = ({ channel, now }: { channel: Channel; now: Date }) => {
  const address = webUrl(channel.rss_url)
  return (
    <section class="settings">
      <h2>Feed</h2>
      <Freshness channel={channel} now={now} with_next />
      {address && (
        <p>
          <a href={address} rel="noreferrer">
            RSS feed
          </a>
        </p>
      )}
      <form method="post" action={`${channelPath(channel)}/backfill`}>
        <Button busy="Loading…">Load older videos</Button>
      </form>
    </section>
  )
}

const Skipping = ({ channel, plays_whole }: Pick<Props, 'channel'> & { plays_whole: boolean }) => (
  <form class="settings" method="post" action={`${channelPath(channel)}/plays-whole`}>
    <h2>SponsorBlock</h2>
    <p>
      {plays_whole
        ? 'Nothing is skipped in the videos of this channel.'
        : 'Parts of its videos are skipped, as your settings say.'}
    </p>
    {plays_whole && <input type="hidden" name="skips" value="on" />}
    <Button>{plays_whole ? 'Skip parts again' : 'Skip nothing here'}</Button>
  </form>
)

/** One form, so that one Save keeps every change. */
const SettingsForm = ({ channel, usual, values, errors }: Pick<Props, 'channel' | 'usual' | 'values' | 'errors'>) => (
  <form class="settings" method="post" action={settingsPath(channel)}>
    <ChannelQualityField channel={channel} usual={usual} />
    <h2>Auto-download</h2>
    <RuleFields label="Download new videos automatically" values={values} errors={errors} />
    <div class="buttons">
      <Button kind="main">Save</Button>
      <PreviewButton path={`${settingsPath(channel)}/preview`} />
    </div>
  </form>
)

const settingsPath = (channel: Pick<Channel, 'channel_id'>): string => `${channelPath(channel)}/settings`
