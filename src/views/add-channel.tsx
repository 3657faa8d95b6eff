/** The one field by which everything begins: follow what stands at an address. */
import { Button, Field, FormError } from './forms.tsx'

type AddChannelProps = {
  values: { url: string }
  errors: Record<string, string>
  error?: string | undefined
  /** Nothing is followed yet, so it explains itself. */
  first?: boolean
}

export const AddChannel = ({ values, errors, error, first = false }: AddChannelProps) => (
  <form class={first ? 'card add first' : 'card add'} method="post" action="/channels">
    {first && (
      <p>
        Follow a channel, and every video that appears in it is kept in your history, whatever becomes of it there.
        Download any of them to watch it here.
      </p>
    )}
    <FormError error={error} />
    <div class="with-button">
      <Field
        label="Paste the address of a channel, a playlist, a video or a feed"
        name="url"
        inputmode="url"
        value={values.url}
        error={errors.url}
        autocomplete="off"
        placeholder="https://"
        maxlength={2048}
        required
        autofocus={first || Boolean(error ?? errors.url)}
      />
      <Button kind="main" busy="Looking…">
        Follow
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

const examples = [
  'https://www.youtube.com/@NASA',
  'https://www.youtube.com/feeds/videos.xml?channel_id=UCLA_DiR1FfKNvjuUpBHmylQ',
  'https://vimeo.com/channels/staffpicks/videos/rss',
]
