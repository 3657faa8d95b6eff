/** The field where a person pastes a link, to follow a channel or to add a single video. */

import { pathWith } from '../../schema/http/paths.ts'
import { Button, Field } from '../ui/forms.tsx'

type AddChannelProps = {
  /** The link that was entered. */
  url?: string
  error?: string | undefined
  /** The person follows nothing yet, so the form explains itself. */
  first?: boolean
  /** The form is shown below what was found, for another link. */
  again?: boolean
}

export const AddChannel = ({ url = '', error, first = false, again = false }: AddChannelProps) => (
  <form class={first || again ? 'card add' : 'add in-line'} method="post" action="/channels">
    {first && (
      <p>
        Follow a channel and Backlot keeps a list of every video it posts, even if a video is deleted later. Download
        the ones you want to watch or keep. Or add a single video by its link.
      </p>
    )}
    <div class="with-button">
      <Field
        label={again ? 'Not what you wanted? Search again or paste a link' : 'Channel, playlist, video or feed'}
        name="url"
        label_class={first || again ? undefined : 'spoken'}
        enterkeyhint="go"
        value={url}
        error={error}
        autocomplete="off"
        placeholder="Name, @handle or link"
        maxlength={2048}
        required
        autofocus={first}
      />
      <Button kind={again ? 'plain' : 'main'} busy="Looking…">
        {again ? 'Find' : 'Follow'}
      </Button>
    </div>
    <p class="quiet looking scripted" role="status">
      Asking the site what is there. A slow site can take up to 20 seconds.
    </p>
    {first && <Examples />}
    {first && (
      <p class="quiet">
        Or <a href="/import">import your subscriptions</a> from another app.
        <span class="scripted for-mouse"> You can also drop the file on any page.</span>
      </p>
    )}
  </form>
)

const Examples = () => (
  <div class="examples quiet">
    <p>For example:</p>
    <ul>
      {examples.map(({ url, label }) => (
        <li>
          <a href={pathWith('/channels/new', { url })}>{label}</a>
        </li>
      ))}
    </ul>
  </div>
)

/** A handle, the address of a channel at a company, and the address of a channel at a site that no company runs. */
const examples = [
  { url: '@BlenderOfficial', label: '@BlenderOfficial' },
  { url: 'https://vimeo.com/channels/staffpicks', label: 'vimeo.com/channels/staffpicks' },
  { url: 'https://framatube.org/a/framasoft/videos', label: 'framatube.org/a/framasoft/videos' },
]
