/** The forms that add and change a target of notifications, and the page of one target. */
import { notifications_path, targetPath } from '../../schema/http/paths.ts'
import { MessageEvent, type TargetKind } from '../../schema/notifications/message.ts'
import { AddressedKind, keyed_kinds, no_mail, type Target } from '../../schema/notifications/target.ts'
import type { PageContext } from '../frames/context.ts'
import { SettingsFrame } from '../frames/settings-frame.tsx'
import { Button, Checkbox, Field, FormError, type FormState, Post, Select } from '../ui/forms.tsx'

/** As they were typed. */
export type TargetValues = { kind: string; address: string; events: string[] }

type Form = FormState<TargetValues> & { page: PageContext }

export const NewTarget = ({ is_mail_on, ...form }: Form & { is_mail_on: boolean }) => (
  <details class="more" open={Object.keys(form.errors).length > 0}>
    <summary>Add mail, ntfy, a webhook or Apprise</summary>
    <form class="settings folded" method="post" action={notifications_path}>
      <FormError error={form.errors.body} />
      <Select
        form={form}
        label="By"
        name="kind"
        options={AddressedKind.options
          .filter(kind => kind !== 'mail' || is_mail_on)
          .map(kind => [kind, kindNames[kind]])}
        hint={!is_mail_on && no_mail}
        aria-describedby="kind-hint"
      />
      <Address
        form={form}
        hint="Such as name@example.org, https://ntfy.sh/my-topic, https://apprise.example.org/notify/my-key, or the address of a webhook."
      />
      <TokenOrKey form={form} hint="For ntfy an access token; for a webhook the key of its signature." />
      <Events {...form} />
      <Button>Add</Button>
    </form>
  </details>
)

type FieldProps = { form: Form; hint?: string }

const Address = ({ form, hint }: FieldProps) => (
  <Field form={form} label="Address" name="address" hint={hint} autocomplete="off" required maxlength={4096} />
)

const TokenOrKey = ({ form: { errors }, hint }: FieldProps) => (
  <Field
    label="Token or key (optional)"
    name="secret"
    type="password"
    error={errors.secret}
    hint={hint}
    autocomplete="off"
    maxlength={200}
  />
)

const Events = ({ page, values, errors }: Form) => (
  <fieldset>
    <legend>Notify me of</legend>
    {MessageEvent.options
      .filter(event => event !== 'service' || page.user?.role === 'admin')
      .map(event => (
        <Checkbox label={eventNames[event]} name="events" value={event} checked={values.events.includes(event)} />
      ))}
    <FormError error={errors.events} />
  </fieldset>
)

export const TargetPage = ({ target, ...form }: Form & { target: Target }) => (
  <SettingsFrame page={form.page} subject="notifications" title={kindNames[target.kind]}>
    <section class="setting-card">
      <form class="settings" method="post" action={targetPath(target)}>
        <FormError error={form.errors.body} />
        {target.kind === 'browser' ? (
          <p class="quiet">By {URL.parse(target.address)?.host ?? 'its push service'}</p>
        ) : (
          <Address form={form} />
        )}
        {keyed_kinds.includes(target.kind) && (
          <TokenOrKey
            form={form}
            hint={target.has_secret ? 'Leave it empty to keep the saved one.' : 'None is saved.'}
          />
        )}
        {target.has_secret && <Checkbox label="Remove the saved token or key" name="forgets_secret" />}
        <Events {...form} />
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
