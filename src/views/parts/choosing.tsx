/** Selecting several cards and acting on them: their checkboxes, and the bar at the bottom. `choosing.js` counts and selects ranges. */
import { titleId } from './cell-ids.ts'
import { Button } from './forms.tsx'

/** The id of the form. Each checkbox names it. */
export const choosing_form = 'chosen'

/** The label is as large as the picture, so a press anywhere on the picture selects. */
export const Choose = ({ video_id, form }: { video_id: string; form: string }) => (
  <label class="choose">
    <input type="checkbox" name="video_id" value={video_id} form={form} aria-labelledby={titleId(video_id)} />
  </label>
)

/** `done`: the address of the page without checkboxes. */
export const ChoosingBar = ({ done }: { done: string }) => (
  <form id={choosing_form} class="choosing-bar" method="post" action="/downloads">
    <label class="checkbox scripted">
      <input type="checkbox" data-choose-all={choosing_form} />
      Select all shown
    </label>
    <span class="count" role="status" data-count-chosen={choosing_form}></span>
    <Button busy="Queuing…">Download</Button>
    <Button kind="quiet" name="act" value="seen" formaction="/videos/chosen">
      Mark as watched
    </Button>
    <Button kind="quiet" name="act" value="later" formaction="/videos/chosen">
      Watch later
    </Button>
    <Button kind="quiet" name="act" value="dismissed" formaction="/videos/chosen">
      Not for me
    </Button>
    <a class="button quiet" href={done}>
      Done
    </a>
  </form>
)
