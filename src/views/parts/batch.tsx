/**
 * Selecting several videos of a list and downloading them at once. The checkboxes are next to the videos and belong to
 * this form by its id, because forms cannot be nested. The script `choosing.js` counts them and selects ranges.
 */
import { Button } from './forms.tsx'

/** The id of the form. Each checkbox names it. */
export const batch_form = 'batch'

/** Shown only where scripts run. */
export const ChooseAll = () => (
  <label class="checkbox choose-all scripted">
    <input type="checkbox" data-choose-all={batch_form} />
    Select all
  </label>
)

/** Placed after the list. It sticks to the bottom of the window while something is selected. */
export const Batch = () => (
  <form id={batch_form} class="batch" method="post" action="/downloads">
    <span class="count" role="status" data-count-chosen={batch_form}></span>
    <button type="button" class="button plain" data-choose-none={batch_form} hidden>
      Clear
    </button>
    <Button busy="Queuing…">Download selected</Button>
  </form>
)
