/** A video in a list of its person's own, the history or a playlist: a row, and the items of its menu that only this list has. */
import type { Child } from 'hono/jsx'
import type { ListedVideo } from '../../schema/videos/video.ts'
import { DownloadCell } from '../downloads/download-cell.tsx'
import { LineFacts, VideoTitle } from '../ui/about-video.tsx'
import { cellId, titleId } from '../ui/element-ids.ts'
import { Button, Hidden, Post } from '../ui/forms.tsx'
import { Icon } from '../ui/icon.tsx'
import { history_path, playlistPath, playlists_path } from '../ui/paths.ts'
import { Thumbnail } from '../ui/pictures.tsx'
import { Choose } from '../videos/choosing.tsx'
import { Marks } from '../videos/marks.tsx'

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
    <div class="about">
      <VideoTitle video={video} heading={heading} />
      <p class="quiet line">
        <LineFacts video={video} />
        <bdi>{video.channel_title}</bdi> · {line}
      </p>
    </div>
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
  if (`/${page}` === history_path) return <Forget video_id={video_id} />
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

type RemoveProps = { video_id: string; action: string; children: Child }

const Remove = ({ video_id, action, children }: RemoveProps) => (
  <Post
    form_class="act"
    action={action}
    in_page
    fields={{ video_id }}
    kind="quiet"
    aria-describedby={titleId(video_id)}
  >
    {children}
  </Post>
)

const Forget = ({ video_id }: { video_id: string }) => (
  <Remove video_id={video_id} action={forget_path}>
    Remove from history
  </Remove>
)

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
  <Remove video_id={video_id} action={`${playlistPath({ playlist_id })}/remove`}>
    Remove from playlist
  </Remove>
)
