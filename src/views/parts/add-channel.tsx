/** The field where a person pastes a link, to follow a channel or to add a single video. */
import { Button, Field, FormError } from './forms.tsx'

type AddChannelProps = {
  values: { url: string }
  errors: Record<string, string>
  error?: string | undefined
  /** The person follows nothing yet, so the form explains itself. */
  first?: boolean
  /** The form is shown below a found channel, for another link. */
  again?: boolean
}

export const AddChannel = ({ values, errors, error, first = false, again = false }: AddChannelProps) => (
  <form class={first ? 'card add first' : 'card add'} method="get" action="/channels/new">
    {first && (
      <p>
        Follow a channel and Backlot keeps a list of every video it posts, even if a video is deleted later. Download
        the ones you want to watch or keep. Or add a single video by its link.
      </p>
    )}
    <FormError error={error} />
    <div class="with-button">
      <Field
        label={again ? 'Not what you wanted? Try another link' : 'Paste a link: channel, playlist, video or feed'}
        name="url"
        inputmode="url"
        enterkeyhint="go"
        value={values.url}
        error={errors.url}
        autocomplete="off"
        placeholder="https://"
        maxlength={2048}
        required
        autofocus={first || Boolean(error ?? errors.url)}
      />
      <Button kind={again ? 'plain' : 'main'} busy="Looking…">
        Find
      </Button>
    </div>
    {first && <Examples />}
  </form>
)

const Examples = () => (
  <div class="examples quiet">
    <p>For example:</p>
    <ul>
      {examples.map(example => (
        <li>
          <code>{example}</code>
        </li>
      ))}
    </ul>
  </div>
)

/** The address alone says which feed each of these has, so none needs a search. */
const examples = [
  'https://www.youtube.com/channel/UCLA_DiR1FfKNvjuUpBHmylQ',
  'https://vimeo.com/channels/staffpicks',
  'https://framatube.org/a/framasoft/videos',
]
