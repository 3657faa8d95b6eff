/**
 * Selecting several cards and acting on them: their checkboxes, and the bar at the bottom. `page/choosing.js` counts and selects ranges.
 */
import type { Child } from 'hono/jsx'
import { choose_playlist_path } from '../../schema/http/paths.ts'
import type { ChosenVideos, MarkedList } from '../../schema/watching/viewing.ts'
import { titleId } from '../ui/element-ids.ts'
import { Button } from '../ui/forms.tsx'
import { listWords } from './mark-buttons.tsx'

/** The id of the form. Each checkbox names it. */
export const choosing_form = 'chosen'

/** The label is as large as the card or row, so a press anywhere but on a button selects. */
export const Choose = ({ video_id, form }: { video_id: string; form: string }) => (
  <label class="choose whole">
    <input type="checkbox" name="video_id" value={video_id} form={form} aria-labelledby={titleId(video_id)} />
  </label>
)

type BarProps = { done: string; list?: MarkedList | 'seen' | undefined; take_out?: string }

/**
 * Before the list, so that Shift+Tab reaches it from there; the style sheet puts it at the bottom. `done`: the address of the page without
 * checkboxes. `list`: the videos shown are on it, so that they are taken off. `take_out`: where they are taken out of their playlist.
 */
export const ChoosingBar = ({ done, list, take_out }: BarProps) => (
  <form id={choosing_form} class="choosing-bar" method="post" action="/downloads">
    <label class="checkbox scripted">
      <input type="checkbox" data-choose-all={choosing_form} />
      <span class="spoken-on-phone">Select all shown</span>
    </label>
    <span class="count" role="status" data-count-chosen={choosing_form}></span>
    {take_out && (
      <Button kind="quiet" formaction={take_out} data-next-focus="">
        Remove
      </Button>
    )}
    <Button busy="Queuing…" data-next-focus="">
      Download
    </Button>
    {list === 'seen' ? <Act act="unseen">Mark as unwatched</Act> : <Act act="seen">Mark as watched</Act>}
    <Act act={list === 'later' ? 'not_later' : 'later'}>{listWords('later', list !== 'later')}</Act>
    <Act act={list === 'dismissed' ? 'not_dismissed' : 'dismissed'}>{listWords('dismissed', list !== 'dismissed')}</Act>
    <Button kind="quiet" formaction={choose_playlist_path} data-next-focus="">
      Add to playlist…
    </Button>
    <a class="button quiet" href={done} data-next-focus="">
      Done
    </a>
  </form>
)

const Act = ({ act, children }: { act: ChosenVideos['act']; children?: Child }) => (
  <Button kind="quiet" name="act" value={act} formaction="/videos/chosen" data-next-focus="">
    {children}
  </Button>
)
