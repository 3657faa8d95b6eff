/** Rules over several channels: the default for new ones in the settings, and one rule for channels that are chosen from a list. */
import type { Channel } from '../../schema/channels/channel.ts'
import type { RuleFields as Values } from '../../schema/rules/rule-form.ts'
import { countWords } from '../../schema/values/words.ts'
import type { PageContext } from '../ui/context.ts'
import { Button } from '../ui/forms.tsx'
import { Layout, SettingsFrame } from '../ui/layout.tsx'
import { RuleFields } from './rule-form.tsx'

/** `errors`: sentences by field. */
type Form = { page: PageContext; values: Values; errors: Record<string, string> }

export const default_rule_path = '/settings/auto-download'
export const rules_path = '/channels/rules'

/** `followed`: how many channels the person follows. */
export const DefaultRulePage = ({ page, values, errors, followed }: Form & { followed: number }) => (
  <SettingsFrame page={page} title="Auto-download">
    <section>
      <form class="settings" method="post" action={default_rule_path}>
        <h2>Auto-download for new channels</h2>
        <p class="hint">Each channel that you follow from now on gets a copy, which you can change in its settings.</p>
        <RuleFields label="Download videos of new channels automatically" values={values} errors={errors} />
        <Button kind="main">Save</Button>
        {followed > 0 && (
          <details class="more">
            <summary>Use for all channels now</summary>
            <div class="folded">
              <p>
                Save this, and replace the auto-download rules of {countWords(followed, 'channel')} with it? Files that
                it does not keep are deleted within minutes.
              </p>
              <Button kind="danger" formaction={`${default_rule_path}/all`}>
                Replace
              </Button>
            </div>
          </details>
        )}
        {followed > 1 && (
          <p>
            <a href={rules_path}>Choose channels for one rule</a>
          </p>
        )}
      </form>
    </section>
  </SettingsFrame>
)

/** `chosen`: the ids of the chosen channels, or `all`. */
export const RulesPage = ({
  page,
  values,
  errors,
  channels,
  chosen,
}: Form & { channels: Pick<Channel, 'channel_id' | 'title'>[]; chosen: ReadonlySet<string> | 'all' }) => (
  <Layout page={page} title="Auto-download for several channels">
    <header class="heading">
      <h1>Auto-download for several channels</h1>
      <p class="quiet">
        <a href="/channels">Channels</a>
      </p>
    </header>
    <form class="settings" method="post" action={rules_path}>
      <fieldset>
        <legend>Channels</legend>
        <label class="checkbox">
          <input type="checkbox" name="all" value="on" checked={chosen === 'all'} />
          All {countWords(channels.length, 'channel')}
        </label>
        <p class="hint">Or choose from the list:</p>
        {errors.channel_ids && (
          <p class="fault" role="alert">
            {errors.channel_ids}
          </p>
        )}
        <ul class="choices">
          {channels.map(({ channel_id, title }) => (
            <li>
              <label class="checkbox">
                <input
                  type="checkbox"
                  name="channel_id"
                  value={channel_id}
                  checked={chosen !== 'all' && chosen.has(channel_id)}
                />
                <span dir="auto">{title}</span>
              </label>
            </li>
          ))}
        </ul>
      </fieldset>
      <RuleFields label="Download new videos automatically" values={values} errors={errors} />
      <p class="hint">
        Replaces the auto-download rules of the chosen channels. Files that the new rule does not keep are deleted
        within minutes.
      </p>
      <Button kind="main">Save</Button>
    </form>
  </Layout>
)
