/**
 * "⋯" of a video: everything that can be done with it, in words. `VideoMenuItems` is fetched each time the menu opens, so that a page of many
 * videos stays small and no menu is out of date. Without a script the menu leads to the page of the video, which has the same actions.
 */
import { titleId } from '../ui/cell-ids.ts'
import { Icon } from '../ui/icon.tsx'
import { watchPath } from '../ui/paths.ts'

/** `cards.js` triggers `opened`. A morph of the cell leaves the list as it is. */
export const VideoMenu = ({ video_id }: { video_id: string }) => (
  <details
    class="menu more-acts"
    hx-get={menuPath(video_id)}
    hx-trigger="opened"
    hx-target="find .panel"
    hx-swap="innerHTML"
  >
    <summary class="button quiet" aria-label="More actions" aria-describedby={titleId(video_id)}>
      <Icon name="more" />
    </summary>
    <div class="panel" hx-morph-skip-children="">
      <a class="item" href={`${watchPath({ video_id })}#file`}>
        All actions
      </a>
    </div>
  </details>
)

const menuPath = (video_id: string) => `/videos/${encodeURIComponent(video_id)}/menu`
