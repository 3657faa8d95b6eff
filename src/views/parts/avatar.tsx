/** The picture of a channel, or its initial on a colour of its own. Decoration: the title stands beside it. */
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

/** Always the same for a channel, and spread evenly over all of them. */
const hueOf = (channel_id: string): number =>
  [...channel_id].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 65_521, 7) % hues
