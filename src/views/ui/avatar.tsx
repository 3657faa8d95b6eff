/** The picture of a channel, or its initial on a colour. Hidden from screen readers, because the title is next to it. */
import type { Channel } from '../../schema/channels/channel.ts'
import { smallPicture } from '../../schema/values/picture.ts'
import { initialOf } from './words.ts'

type Props = {
  channel: Pick<Channel, 'channel_id' | 'title' | 'picture_url'>
  /** The picture is not stored yet; `pictures.js` asks for it. */
  is_awaited: boolean
  large?: boolean
}

export function Avatar({ channel: { channel_id, title, picture_url }, is_awaited, large = false }: Props) {
  return (
    <span
      class={`avatar hue-${hueOf(channel_id)}${large ? ' large' : ''}`}
      aria-hidden="true"
      data-awaits={is_awaited ? `channel ${channel_id}` : undefined}
      data-size={is_awaited && large ? 'large' : undefined}
    >
      {initialOf(title)}
      {picture_url && (
        <img
          src={large ? picture_url : smallPicture(picture_url)}
          alt=""
          width="88"
          height="88"
          loading="lazy"
          decoding="async"
        />
      )}
    </span>
  )
}

const hues = 6

/** The hue stays the same for a channel, and channels spread evenly over the hues. */
const hueOf = (channel_id: string): number =>
  [...channel_id].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 65_521, 7) % hues
