/**
 * Choosing several videos of a list and asking for all of them at once. The boxes stand beside the videos and belong to
 * this form by its id, because forms cannot stand inside one another; the script counts them and chooses ranges.
 */
import { Button } from './forms.tsx'

/** Of the form; each box names it. */
export const batch_form = 'batch'

/** Shown by the script that makes it work. */
export const ChooseAll = () => (
  <label class="checkbox choose-all scripted">
    <input type="checkbox" data-choose-all={batch_form} />
    All shown
  </label>
)

/** Stands behind the list, and sticks to the bottom while something is chosen. */
export const Batch = () => (
  <form id={batch_form} class="batch" method="post" action="/downloads">
    <span class="count" role="status" data-count-chosen={batch_form}></span>
    <button type="button" class="button plain" data-choose-none={batch_form} hidden>
      Clear
    </button>
    <Button kind="main" busy="Asking…">
      Download selected
    </Button>
  </form>
)
