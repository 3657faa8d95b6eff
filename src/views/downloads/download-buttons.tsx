/** The spoken state of a download, and the buttons that act on it: an icon with words, of which a card shows the icon only. */
import type { Child } from 'hono/jsx'
import { choose_playlist_path, pathWith, requestPath, videoPath } from '../../schema/http/paths.ts'
import type { Video } from '../../schema/videos/video.ts'
import { cellId, titleId } from '../ui/element-ids.ts'
import { Button, Post, type PostProps } from '../ui/forms.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'

export const watchNowPath = ({ video_id }: { video_id: string }) => `${videoPath(video_id)}/watch`
export const cancelPath = (video_id: string) => `${requestPath(video_id)}/cancel`
export const removePath = (video_id: string) => `${requestPath(video_id)}/remove`

/** `hidden`: for screen readers only, where the page shows a mark or a bar instead. */
export const State = ({ hidden = false, children }: { hidden?: boolean; children?: Child }) => (
  <span class={hidden ? 'spoken' : 'state'}>{children}</span>
)

/** The line of the state. It takes the focus when the button that was pressed is gone. */
export const Words = ({ children }: { children?: Child }) => (
  <p class="words" tabindex={-1}>
    {children}
  </p>
)

/** The id keeps a morph from turning Download into this button, which would then have the focus. */
export const Cancel = ({ video_id }: { video_id: string }) => (
  <Act id={`cancel-${cellId(video_id)}`} video_id={video_id} path={cancelPath(video_id)} icon="close" class="cancel">
    Cancel
  </Act>
)

/** The cell is morphed, so that focus and progress bars stay. A second click is ignored while the first is answered. */
export const Act = ({ id, video_id, path, icon, labelled, kind = 'quiet', class: more, children }: ActProps) => (
  <form
    id={id}
    class={more}
    method="post"
    action={path}
    hx-post={path}
    hx-target={`#${cellId(video_id)}`}
    hx-swap="outerMorph"
    hx-sync="this:drop"
  >
    <Button kind={kind} aria-describedby={titleId(video_id)}>
      {icon && <Icon name={icon} />}
      <span class={icon && !labelled ? 'say tip' : 'say'}>{children}</span>
    </Button>
  </form>
)
type ActProps = {
  video_id: string
  path: string
  id?: string
  icon?: IconName
  /** The label is beside the icon, not a tip. */
  labelled?: true
  kind?: 'quiet' | 'plain'
  /** The class of the form. `get`: what a card shows over the picture. */
  class?: string
  children?: Child
}

/** An item of the menu of a video whose answer is not the cell. */
export const PostItem = ({ video_id, ...post }: PostProps & { video_id: string }) => (
  <Post form_class="act" kind="quiet" aria-describedby={titleId(video_id)} {...post} />
)

type SteeredVideo = Pick<Video, 'video_id' | 'download_status' | 'queued' | 'paused_by'>

/** Items of a menu for a download that waits or runs: it goes first, is paused, or is resumed. */
export const SteerItems = ({ video: { video_id, download_status, queued, paused_by } }: { video: SteeredVideo }) => {
  const path = requestPath(video_id)
  if (!queued && download_status !== 'downloading') return null
  // The notice on the downloads page resumes a site or all.
  const can_pause = paused_by === null || paused_by === 'video'
  return (
    <>
      {queued && (
        <Act video_id={video_id} path={`${path}/next`} class="act">
          Download next
        </Act>
      )}
      {can_pause && (
        <Act video_id={video_id} path={`${path}/${paused_by ? 'resume' : 'pause'}`} class="act">
          {paused_by ? 'Resume' : 'Pause'}
        </Act>
      )}
    </>
  )
}

/** Shows the playlists in place of the items of its menu. */
export const AddToPlaylist = ({ video_id }: { video_id: string }) => {
  const path = pathWith(choose_playlist_path, { video_id })
  return (
    <a class="item" href={path} hx-get={path} hx-target="closest .panel" hx-swap="innerHTML">
      Add to playlist…
    </a>
  )
}

/** The button that protects a file from the retention rule of its channel, or ends the protection. */
export const keepWords = (is_pinned: boolean): string => (is_pinned ? 'Allow deleting' : 'Never delete')

type ChooseProps = {
  video: Pick<Video, 'video_id' | 'title' | 'file_size'>
  form: string
  /** A press anywhere in the row selects it. */
  whole?: boolean
}

/** The checkbox of a row. `form`: the id of the form that it belongs to. A script sums the bytes of the selected rows. */
export const ChooseDownload = ({ video, form, whole = false }: ChooseProps) => (
  <label class={whole ? 'choose whole' : 'choose'}>
    <span class="spoken">Select {video.title}</span>
    <input
      type="checkbox"
      name="video_id"
      value={video.video_id}
      form={form}
      data-bytes={video.file_size ?? undefined}
    />
  </label>
)
