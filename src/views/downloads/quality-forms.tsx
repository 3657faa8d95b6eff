/** The form that chooses the quality of downloads, for one channel or for all. */
import type { Channel } from '../../schema/channels/channel.ts'
import { type Quality, qualities } from '../../schema/downloads/quality.ts'
import { channelPath } from '../../schema/http/paths.ts'
import type { Settings } from '../../schema/settings/settings.ts'
import { SavedForm } from '../frames/settings-frame.tsx'
import { settings_table } from '../frames/settings-table.ts'
import { Options } from '../ui/forms.tsx'

/** For every channel without a quality of its own. */
export const DefaultQuality = ({ settings }: { settings: Settings }) => (
  <QualityCard action="/settings" chosen={settings.quality} hint="Channels can override this." />
)

/** For one channel. `usual`: the default quality of this person. */
export const ChannelQuality = ({ channel, usual }: { channel: Channel; usual: Quality }) => (
  <QualityCard
    action={`${channelPath(channel)}/quality`}
    chosen={channel.quality}
    usual={usual}
    hint="Files already on disk stay as they are."
  />
)

type Props = { action: string; chosen: Quality | null; usual?: Quality; hint: string }

const QualityCard = ({ action, chosen, usual, hint }: Props) => (
  <section id="quality" class="setting-card">
    <SavedForm action={action}>
      <div class="setting field">
        <div class="about">
          <label for="quality-choice">{settings_table.quality.label}</label>
          <p class="hint" id="quality-hint">
            If a video isn't available at this quality, the closest one is used. {hint}
          </p>
        </div>
        <select id="quality-choice" name="quality" aria-describedby="quality-hint">
          {usual && (
            <Options
              of={[['', `Default (${names[usual].replace(/^./, first => first.toLowerCase())})`]]}
              chosen={chosen ?? ''}
            />
          )}
          <Options of={qualities.map(quality => [quality, names[quality]])} chosen={chosen ?? ''} />
        </select>
      </div>
    </SavedForm>
  </section>
)

const names = {
  best: 'Best available',
  compatible: 'Plays everywhere, up to 1080p',
  '2160': 'Up to 2160p (4K)',
  '1440': 'Up to 1440p',
  '1080': 'Up to 1080p',
  '720': 'Up to 720p',
  '480': 'Up to 480p',
  '360': 'Up to 360p',
  audio: 'Audio only, M4A',
  mp3: 'Audio only, MP3',
} satisfies Record<Quality, string>
