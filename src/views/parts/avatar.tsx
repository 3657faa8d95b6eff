/** The picture of a channel, or its initial on a colour. Hidden from screen readers, because the title is next to it. */
import type { Channel } from '../../schema/channel.ts'
import { initialOf, webUrl } from './words.ts'

type Props = { channel: Pick<Channel, 'channel_id' | 'title' | 'image_url'>; large?: boolean }

export function Avatar({ channel, large = false }: Props) {
  const src = webUrl(channel.image_url)
  return (
    <span class={`avatar hue-${hueOf(channel.channel_id)}${large ? ' large' : ''}`} aria-hidden="true">
      {initialOf(channel.title)}
      {src && (
        <img src={src} alt="" width="88" height="88" loading="lazy" decoding="async" referrerpolicy="no-referrer" />
      )}
    </span>
  )
}

const hues = 6

/** The hue stays the same for a channel, and channels spread evenly over the hues. */
const hueOf = (channel_id: string): number =>
  [...channel_id].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 65_521, 7) % hues
