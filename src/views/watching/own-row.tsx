/** A video in a list of its person's own, the history or a playlist: a row, and the items of its menu that only this list has. */
import type { Child } from 'hono/jsx'
import { history_path, playlistPath, playlists_path } from '../../schema/http/paths.ts'
import type { ListedVideo } from '../../schema/videos/video.ts'
import { PostItem } from '../downloads/download-buttons.tsx'
import { DownloadCell } from '../downloads/download-cell.tsx'
import { AboutVideo } from '../parts/about-video.tsx'
import { Thumbnail } from '../parts/thumbnails.tsx'
import { cellId, titleId } from '../ui/element-ids.ts'
import { Button, Hidden } from '../ui/forms.tsx'
import { Icon } from '../ui/icon.tsx'
import { Choose } from '../videos/choosing.tsx'
import { Marks } from '../videos/mark-buttons.tsx'

type Props = {
  video: ListedVideo
  now: Date
  heading: 'h2' | 'h3'
  /** After the name of the channel. */
  line: Child
  /** The id of the form that the checkbox belongs to; absent: there is none. */
  choose_for?: string | undefined
  children?: Child
}

/** The name of the channel is no link, as in search: a row asks for one thing. */
export const OwnRow = ({ video, now, heading, line, choose_for, children }: Props) => (
  <li class="row own" data-video={video.video_id}>
    {choose_for && <Choose video_id={video.video_id} form={choose_for} />}
    <Thumbnail video={video} with_progress />
    <AboutVideo video={video} heading={heading}>
      <bdi>{video.channel_title}</bdi> · {line}
    </AboutVideo>
    <Marks video={video} />
    {children}
    <DownloadCell download={video} now={now} />
  </li>
)

/** Takes the row out of the page. */
export const RowGone = ({ video_id }: { video_id: string }) => (
  <hx-partial hx-target={`#videos .row.own:has(#${cellId(video_id)})`} hx-swap="delete"></hx-partial>
)

/** `path`: of the page with the menu. */
export const ItemsOfList = ({ path, video_id }: { path: string; video_id: string }) => {
  const [page = '', playlist_id = ''] = path.split('?')[0]?.slice(1).split('/') ?? []
  if (`/${page}` === history_path)
    return (
      <PostItem video_id={video_id} action={forget_path} fields={{ video_id }} in_page>
        Remove from history
      </PostItem>
    )
  if (`/${page}` !== playlists_path || playlist_id === '') return null
  return (
    <>
      <details class="ask">
        <summary class="item">
          Move… <Icon name="chevron" />
        </summary>
        <Moves playlist_id={playlist_id} video_id={video_id} />
      </details>
      <TakeOut playlist_id={playlist_id} video_id={video_id} />
    </>
  )
}

export const forget_path = `${history_path}/remove`

type Placed = { playlist_id: string; video_id: string }

/** `page/playlist.js` moves the row, and stores its place. */
export const Moves = ({ playlist_id, video_id }: Placed) => (
  <>
    {steps.map(([to, label]) => (
      <form class="act" method="post" action={`${playlistPath({ playlist_id })}/place`} data-move={to}>
        <Hidden fields={{ video_id, to }} />
        <Button kind="quiet" aria-describedby={titleId(video_id)}>
          {label}
        </Button>
      </form>
    ))}
  </>
)

const steps = [
  ['top', 'Move to the top'],
  ['up', 'Move up'],
  ['down', 'Move down'],
  ['bottom', 'Move to the bottom'],
] as const

export const TakeOut = ({ playlist_id, video_id }: Placed) => (
  <PostItem video_id={video_id} action={`${playlistPath({ playlist_id })}/remove`} fields={{ video_id }} in_page>
    Remove from playlist
  </PostItem>
)
