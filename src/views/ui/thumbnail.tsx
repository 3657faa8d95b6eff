/**
 * The picture of a video, 16:9, or else the initial of its channel, with marks: its length, how far it was watched, whether it is on
 * disk. Hidden from screen readers: the words next to it say the same.
 */
import { smallPicture } from '../../schema/values/picture.ts'
import type { Video } from '../../schema/videos/video.ts'
import { Badge, type KnownFacts } from './facts.tsx'
import { Icon } from './icon.tsx'
import { rendered } from './rendered.ts'
import { initialOf } from './words.ts'

type Props = {
  /** A video without an id or a picture is not saved yet. */
  video: Pick<Video, 'channel_title'> & Partial<Pick<Video, 'video_id' | 'picture_url'>> & KnownFacts
  /** The picture is not stored yet; `pictures.js` asks for it. */
  is_awaited?: boolean
  size?: Size
  /** `true`: loaded first. The other pictures load when they are near the window; `last`: of a card, `pictures.js` judges what is near. */
  leads?: boolean | 'last'
  /** How far it was watched. */
  watched_percent?: number
  /** Given only where no `Mark` next to the picture says it. */
  is_seen?: boolean
}
/**
 * `row`: at most 132 CSS pixels wide. `card`: one column of a page; it is sent with the small picture, so that a slow line shows all
 * cards soon, and `pictures.js` replaces it where the line is fast and the screen has more pixels. `stage`: the width of the player.
 */
export type Size = 'row' | 'card' | 'stage'

export function Thumbnail({
  video,
  is_awaited = false,
  size = 'row',
  leads = false,
  watched_percent = 0,
  is_seen,
}: Props) {
  const { picture_url } = video
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
      {size !== 'stage' && on_disk}
      {watched_percent > 0 && <progress class="watched" max="100" value={watched_percent} />}
    </span>
  )
}

/** The style sheet shows it where the download cell next to the picture says so, which changes while the page is open. */
const on_disk = rendered(
  <span class="on-disk">
    <Icon name="stored" />
  </span>,
)

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
