/** The form that chooses the quality of downloads, for one channel or for all. */
import type { Channel } from '../../schema/channels/channel.ts'
import { type Quality, qualities } from '../../schema/downloads/quality.ts'
import type { Settings } from '../../schema/settings/settings.ts'
import { Button } from '../ui/forms.tsx'
import { channelPath } from '../ui/paths.ts'

/** For every channel without a quality of its own. */
export const DefaultQuality = ({ settings }: { settings: Settings }) => (
  <QualityForm action="/settings" chosen={settings.quality} hint="Channels can override this." />
)

type OfChannel = { channel: Channel; usual: Quality }

/** `usual`: the default quality of this person. */
export const ChannelQuality = ({ channel, usual }: OfChannel) => (
  <QualityForm action={`${channelPath(channel)}/quality`} {...ofChannel({ channel, usual })} />
)

/** The choice for one channel, inside another form. */
export const ChannelQualityField = (props: OfChannel) => <QualityField {...ofChannel(props)} />

const ofChannel = ({ channel, usual }: OfChannel) => ({
  chosen: channel.quality,
  usual,
  hint: 'Files already on disk stay as they are.',
})

type FieldProps = { chosen: Quality | null; usual?: Quality; hint: string }

const QualityForm = ({ action, ...field }: FieldProps & { action: string }) => (
  <form class="settings" method="post" action={action}>
    <QualityField {...field} />
    <Button kind="main">Save</Button>
  </form>
)

const QualityField = ({ chosen, usual, hint }: FieldProps) => (
  <>
    <h2>Downloads</h2>
    <div class="field">
      <label for="quality">Quality</label>
      <select id="quality" name="quality" aria-describedby="quality-hint">
        {usual && (
          <option value="" selected={chosen === null}>
            Default ({names[usual].toLowerCase()})
          </option>
        )}
        {qualities.map(quality => (
          <option value={quality} selected={quality === chosen}>
            {names[quality]}
          </option>
        ))}
      </select>
      <p class="hint" id="quality-hint">
        If a video isn't available at this quality, the closest one is used. {hint}
      </p>
    </div>
  </>
)

const names = {
  best: 'Best available',
  '2160': 'Up to 2160p (4K)',
  '1440': 'Up to 1440p',
  '1080': 'Up to 1080p',
  '720': 'Up to 720p',
  '480': 'Up to 480p',
  '360': 'Up to 360p',
  audio: 'Audio only',
} satisfies Record<Quality, string>
