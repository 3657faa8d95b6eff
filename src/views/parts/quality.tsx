/** Choosing how large a picture is wanted, for one channel or for everything. */
import type { Channel } from '../../schema/channel.ts'
import { type Quality, qualities, type Settings } from '../../schema/quality.ts'
import { Button } from './forms.tsx'
import { channelPath } from './words.ts'

/** For every channel that has no choice of its own. */
export const UsualQuality = ({ settings }: { settings: Settings }) => (
  <QualityForm action="/settings" chosen={settings.quality} hint="For every channel that has no choice of its own." />
)

/** `usual`: what holds for everything else. */
export const ChannelQuality = ({ channel, usual }: { channel: Channel; usual: Quality }) => (
  <QualityForm
    action={`${channelPath(channel)}/quality`}
    chosen={channel.quality}
    usual={usual}
    hint="What is on disk already stays as it is."
  />
)

type FormProps = { action: string; chosen: Quality | null; usual?: Quality; hint: string }

const QualityForm = ({ action, chosen, usual, hint }: FormProps) => (
  <form class="settings" method="post" action={action}>
    <h2>Downloads</h2>
    <div class="field">
      <label for="quality">Picture</label>
      <select id="quality" name="quality" aria-describedby="quality-hint">
        {usual && (
          <option value="" selected={chosen === null}>
            As usual: {names[usual].toLowerCase()}
          </option>
        )}
        {qualities.map(quality => (
          <option value={quality} selected={quality === chosen}>
            {names[quality]}
          </option>
        ))}
      </select>
      <p class="hint" id="quality-hint">
        Where a video does not come in this size, it is the nearest that it comes in. {hint}
      </p>
    </div>
    <Button kind="main">Save</Button>
  </form>
)

const names = {
  best: 'The best there is',
  '2160': 'Up to 2160p (4K)',
  '1440': 'Up to 1440p',
  '1080': 'Up to 1080p',
  '720': 'Up to 720p',
  '480': 'Up to 480p',
  '360': 'Up to 360p',
  audio: 'Only the sound',
} satisfies Record<Quality, string>
