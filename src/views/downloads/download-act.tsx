/** The spoken state of a download cell, and its buttons: an icon with words, of which a card shows the icon only. */
import type { Child } from 'hono/jsx'
import { cellId, titleId } from '../ui/cell-ids.ts'
import { Button } from '../ui/forms.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { watchPath } from '../ui/paths.ts'

export const requestPath = (video_id: string) => `/downloads/${encodeURIComponent(video_id)}`
export const watchNowPath = ({ video_id }: { video_id: string }) => `/videos/${encodeURIComponent(video_id)}/watch`
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

/** In a list. Plays the file, or starts the download and plays it while it arrives. */
export const Watch = ({ video_id, has_file = false, is_sound = false }: WatchProps) => {
  const words = (
    <>
      <Icon name="play" />
      <span class="say">{is_sound ? 'Listen' : 'Watch'}</span>
    </>
  )
  return has_file ? (
    <a class="play button quiet" href={`${watchPath({ video_id })}?now`} aria-describedby={titleId(video_id)}>
      {words}
    </a>
  ) : (
    <form class="play" method="post" action={watchNowPath({ video_id })}>
      <Button kind="quiet" aria-describedby={titleId(video_id)}>
        {words}
      </Button>
    </form>
  )
}
type WatchProps = { video_id: string; has_file?: boolean; is_sound?: boolean }

/** The id keeps a morph from turning Download into this button, which would then have the focus. */
export const Cancel = ({ video_id }: { video_id: string }) => (
  <Act id={`cancel-${cellId(video_id)}`} video_id={video_id} path={cancelPath(video_id)} icon="close" class="cancel">
    Cancel
  </Act>
)

/** The cell is morphed, so that focus and progress bars stay. A second click is ignored while the first is answered. */
export const Act = ({ id, video_id, path, icon, kind = 'quiet', class: more, children }: ActProps) => (
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
      <span class="say">{children}</span>
    </Button>
  </form>
)
type ActProps = {
  video_id: string
  path: string
  id?: string
  icon?: IconName
  kind?: 'quiet' | 'plain'
  /** Of the form. `get`: what a card shows over the picture. */
  class?: string
  children?: Child
}
