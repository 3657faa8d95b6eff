/** The one field by which everything begins: follow what stands at an address. */
import { Button, Field, FormError } from './forms.tsx'

type AddChannelProps = {
  values: { url: string }
  errors: Record<string, string>
  error?: string | undefined
  /** Nothing is followed yet, so it explains itself. */
  first?: boolean
  /** It stands below what was found, for another address. */
  again?: boolean
}

export const AddChannel = ({ values, errors, error, first = false, again = false }: AddChannelProps) => (
  <form class={first ? 'card add first' : 'card add'} method="get" action="/channels/new">
    {first && (
      <p>
        Follow a channel, and every video that appears in it is kept in your history, whatever becomes of it there.
        Download any of them to watch it here.
      </p>
    )}
    <FormError error={error} />
    <div class="with-button">
      <Field
        label={
          again ? 'Not this? Paste another address' : 'Paste the address of a channel, a playlist, a video or a feed'
        }
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
        {again ? 'Look' : 'Follow'}
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

/** Each is known by its address alone. */
const examples = [
  'https://www.youtube.com/channel/UCLA_DiR1FfKNvjuUpBHmylQ',
  'https://vimeo.com/channels/staffpicks',
  'https://framatube.org/a/framasoft/videos',
]
