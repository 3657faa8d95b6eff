/** The buttons and the spoken state of a download cell. */
import type { Child } from 'hono/jsx'
import { cellId, titleId } from './cell-ids.ts'
import { Button } from './forms.tsx'

export const requestPath = (video_id: string) => `/downloads/${encodeURIComponent(video_id)}`
const cancelPath = (video_id: string) => `${requestPath(video_id)}/cancel`
export const removePath = (video_id: string) => `${requestPath(video_id)}/remove`

/** Announced when it changes. The figures next to it are not, or a screen reader would read every step. */
export const State = ({ hidden = false, children }: { hidden?: boolean; children?: Child }) => (
  <span role="status" class={hidden ? 'spoken' : 'state'}>
    {children}
  </span>
)

export const Cancel = ({ video_id, label = 'Cancel' }: { video_id: string; label?: string }) => (
  <Act video_id={video_id} path={cancelPath(video_id)} class="cancel">
    {label}
  </Act>
)

/** The cell is morphed, so that focus and progress bars stay. A second click is ignored while the first is answered. */
export const Act = ({ video_id, path, class: more, children }: ActProps) => (
  <form
    method="post"
    action={path}
    hx-post={path}
    hx-target={`#${cellId(video_id)}`}
    hx-swap="outerMorph"
    hx-sync="this:drop"
  >
    <Button class={more ?? ''} aria-describedby={titleId(video_id)}>
      {children}
    </Button>
  </form>
)
type ActProps = { video_id: string; path: string; class?: string; children?: Child }
