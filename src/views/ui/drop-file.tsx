/** What covers the page while a file is dragged over it, and the form that imports the file. `dropping.js` shows and sends it. */
import { file_too_large, max_file_bytes } from '../../schema/imports/import.ts'

export const DropFile = () => (
  <form
    id="drop"
    class="drop"
    method="post"
    action="/import"
    enctype="multipart/form-data"
    data-most-bytes={max_file_bytes}
    hidden
  >
    <input type="file" name="file" aria-label="File to import" hidden />
    <p class="say">Drop the file to import it</p>
    <p class="quiet">Subscriptions, a watch history or a Backlot archive</p>
    <p class="fault" role="alert">
      {file_too_large}
    </p>
  </form>
)
