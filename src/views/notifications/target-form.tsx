/** The forms that add and change a target of notifications, and the page of one target. */
import { events as all_events, type MessageEvent, type TargetKind } from '../../schema/notifications/message.ts'
import { AddressedKind, no_mail, type Target } from '../../schema/notifications/target.ts'
import type { PageContext } from '../ui/context.ts'
import { Button, Checkbox, Field, FormError, Post, Select } from '../ui/forms.tsx'
import { notifications_path, targetPath } from '../ui/paths.ts'
import { SettingsFrame } from '../ui/settings-frame.tsx'

/** As they were typed. */
export type TargetValues = { kind: string; address: string; events: string[] }

type NewProps = { page: PageContext; is_mail_on: boolean; values: TargetValues; errors: Record<string, string> }

export const NewTarget = ({ page, is_mail_on, values, errors }: NewProps) => (
  <details class="more" open={Object.keys(errors).length > 0}>
    <summary>Add mail, ntfy, a webhook or Apprise</summary>
    <form class="settings folded" method="post" action={notifications_path}>
      <FormError error={errors.body} />
      <Select
        label="By"
        name="kind"
        options={AddressedKind.options
          .filter(kind => kind !== 'mail' || is_mail_on)
          .map(kind => [kind, kindNames[kind]])}
        chosen={values.kind}
        error={errors.kind}
        hint={!is_mail_on && no_mail}
        aria-describedby="kind-hint"
      />
      <Field
        label="Address"
        name="address"
        value={values.address}
        error={errors.address}
        hint="Such as name@example.org, https://ntfy.sh/my-topic, https://apprise.example.org/notify/my-key, or the address of a webhook."
        autocomplete="off"
        required
        maxlength={4096}
      />
      <Secret error={errors.secret} hint="For ntfy an access token; for a webhook the key of its signature." />
      <Events page={page} chosen={values.events} error={errors.events} />
      <Button>Add</Button>
    </form>
  </details>
)

const Secret = ({ error, hint }: { error: string | undefined; hint: string }) => (
  <Field
    label="Token or key (optional)"
    name="secret"
    type="password"
    error={error}
    hint={hint}
    autocomplete="off"
    maxlength={200}
  />
)

type EventsProps = { page: PageContext; chosen: readonly string[]; error: string | undefined }

const Events = ({ page, chosen, error }: EventsProps) => (
  <fieldset>
    <legend>Notify me of</legend>
    {all_events
      .filter(event => event !== 'service' || page.user?.role === 'admin')
      .map(event => (
        <label class="checkbox">
          <input type="checkbox" name="events" value={event} checked={chosen.includes(event)} />
          {eventNames[event]}
        </label>
      ))}
    <FormError error={error} />
  </fieldset>
)

type TargetProps = { page: PageContext; target: Target; values: TargetValues; errors: Record<string, string> }

export const TargetPage = ({ page, target, values, errors }: TargetProps) => (
  <SettingsFrame page={page} subject="notifications" title={kindNames[target.kind]}>
    <section class="setting-card">
      <form class="settings" method="post" action={targetPath(target)}>
        <FormError error={errors.body} />
        {target.kind === 'browser' ? (
          <p class="quiet">By {URL.parse(target.address)?.host ?? 'its push service'}</p>
        ) : (
          <Field
            label="Address"
            name="address"
            value={values.address}
            error={errors.address}
            autocomplete="off"
            required
            maxlength={4096}
          />
        )}
        {has_secrets.includes(target.kind) && (
          <Secret
            error={errors.secret}
            hint={target.has_secret ? 'Leave it empty to keep the saved one.' : 'None is saved.'}
          />
        )}
        {target.has_secret && <Checkbox label="Remove the saved token or key" name="forgets_secret" />}
        <Events page={page} chosen={values.events} error={errors.events} />
        <Button>Save</Button>
      </form>
    </section>
    <section class="setting-card">
      {target.fault !== null && <p class="fault">{target.fault}</p>}
      <div class="actions">
        <Post action={`${targetPath(target)}/test`} busy="Sending…">
          Send a test
        </Post>
        <Post action={`${targetPath(target)}/remove`} kind="danger">
          Remove
        </Post>
      </div>
    </section>
  </SettingsFrame>
)

const has_secrets: TargetKind[] = ['webhook', 'ntfy']

export const kindNames = {
  mail: 'Mail',
  ntfy: 'ntfy',
  webhook: 'Webhook',
  apprise: 'Apprise',
  browser: 'Browser',
} satisfies Record<TargetKind, string>

export const eventNames = {
  new_video: 'New videos',
  download_completed: 'Completed downloads',
  download_failed: 'Failed downloads',
  space: 'Disk space nearly full',
  service: 'Problems of this service',
} satisfies Record<MessageEvent, string>
