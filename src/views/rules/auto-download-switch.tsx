/** The switch that turns the auto-download of a channel on or off, in the list of channels. It is saved at once. */
import { nameId, switchId } from '../ui/element-ids.ts'
import { auto_download_path } from '../ui/paths.ts'

/** The id of the words that say what the switches are for. */
export const switches_id = 'switches'

type Props = { channel_id: string; is_on: boolean }

export const AutoDownloadSwitch = ({ channel_id, is_on }: Props) => (
  <form id={switchId(channel_id)} method="post" action={auto_download_path} hx-post={auto_download_path} hx-swap="none">
    <input type="hidden" name="channel_id" value={channel_id} />
    <input type="hidden" name="on" value={is_on ? 'false' : 'true'} />
    <button
      type="submit"
      class="switch"
      role="switch"
      aria-checked={is_on ? 'true' : 'false'}
      aria-labelledby={`${switches_id} ${nameId(channel_id)}`}
    ></button>
  </form>
)

/** The switches of these channels as they are now. */
export const SwitchPartials = ({ channel_ids, is_on }: { channel_ids: string[]; is_on: boolean }) => (
  <>
    {channel_ids.map(channel_id => (
      <hx-partial hx-target={`#${switchId(channel_id)}`} hx-swap="outerMorph">
        <AutoDownloadSwitch channel_id={channel_id} is_on={is_on} />
      </hx-partial>
    ))}
  </>
)
