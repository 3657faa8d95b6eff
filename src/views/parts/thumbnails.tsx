/** The pictures of videos and channels. They are hidden from screen readers, because the words next to them say the same. */
import type { Channel } from '../../schema/channels/channel.ts'
import { awaitsPicture, type Pictured, smallPicture } from '../../schema/values/picture.ts'
import type { Video } from '../../schema/videos/video.ts'
import { Icon } from '../ui/icon.tsx'
import { Badge, type KnownFacts } from './about-video.tsx'

type ThumbnailProps = {
  /** A video without an id or a picture is not saved yet. */
  video: Pick<Video, 'channel_title'> & Partial<Pick<Video, 'video_id' | 'position_seconds'>> & Pictured & KnownFacts
  size?: Size
  /**
   * `true`: loaded first. The other pictures load when they are near the window; `last`: of a card, `page/pictures.js` judges what is near.
   */
  leads?: boolean | 'last'
  /** Shows how far the video was watched. */
  with_progress?: boolean
  /** Shown only where no `WatchedMark` next to the picture says how far the video was watched. */
  is_seen?: boolean
}
/**
 * `row`: at most 132 CSS pixels wide. `card`: one column of a page; it is sent with the small picture, so that a slow line shows all
 * cards soon, and `page/pictures.js` replaces it where the line is fast and the screen has more pixels. `stage`: the width of the player.
 */
export type Size = 'row' | 'card' | 'stage'

/**
 * The picture of a video, 16:9, or else the initial of its channel, with marks: its length, how far it was watched, whether it is on disk.
 */
export function Thumbnail({ video, size = 'row', leads = false, with_progress = false, is_seen }: ThumbnailProps) {
  const { picture_url } = video
  const is_awaited = awaitsPicture(video)
  const watched_percent = with_progress ? watchedPercent(video) : 0
  const src = picture_url && (size === 'stage' ? picture_url : smallPicture(picture_url))
  const is_later = src && size === 'card' && leads === 'last'
  const picture = src && <Picture src={src} sharpens={size === 'card'} leads={leads === true} />
  return (
    <span
      class={is_seen === undefined ? 'thumbnail' : `thumbnail ${is_seen ? 'seen' : 'unseen'}`}
      aria-hidden="true"
      data-awaits={is_awaited ? `video ${video.video_id}` : undefined}
      data-size={is_awaited && size === 'stage' ? 'large' : undefined}
      data-later={is_later ? src : undefined}
    >
      {initialOf(video.channel_title)}
      {is_later ? <noscript>{picture}</noscript> : picture}
      <Badge facts={video} />
      {size !== 'stage' && <OnDisk />}
      {watched_percent > 0 && <progress class="watched" max="100" value={watched_percent} />}
    </span>
  )
}

/** The style sheet shows this mark while the download cell next to the picture says that the video is on disk. */
const OnDisk = () => (
  <span class="on-disk">
    <Icon name="stored" />
  </span>
)

/** In steps of 5 percent. 0: not begun, or of unknown length. */
const watchedPercent = ({ position_seconds, duration_seconds }: ThumbnailProps['video']): number =>
  position_seconds && duration_seconds ? Math.min(100, Math.ceil((position_seconds / duration_seconds) * 20) * 5) : 0

const Picture = ({ src, sharpens, leads }: { src: string; sharpens: boolean; leads: boolean }) => (
  <img
    src={src}
    class={sharpens ? 'sharpens' : undefined}
    alt=""
    width="480"
    height="270"
    fetchpriority={leads ? 'high' : undefined}
    loading={leads ? undefined : 'lazy'}
    decoding="async"
  />
)

type AvatarProps = {
  channel: Pick<Channel, 'channel_id' | 'title'> & Pictured
  large?: boolean
}

/** The picture of a channel, or its initial on a colour. */
export function Avatar({ channel, large = false }: AvatarProps) {
  const { channel_id, title, picture_url } = channel
  const is_awaited = awaitsPicture(channel)
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

const hue_count = 6

/** The hue stays the same for a channel, and channels spread evenly over the hue_count. */
const hueOf = (channel_id: string): number =>
  [...channel_id].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 65_521, 7) % hue_count

/** The first letter of a name, shown where there is no picture. */
export const initialOf = (name: string): string => name.match(/[\p{L}\p{N}]/u)?.[0].toUpperCase() ?? '·'
