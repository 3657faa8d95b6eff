/** The settings of notifications: this browser, the targets, quiet hours and the daily limit. */
import { notifications_path, targetPath } from '../../schema/http/paths.ts'
import type { MessageEvent } from '../../schema/notifications/message.ts'
import { max_messages_a_day } from '../../schema/notifications/quiet-hours.ts'
import type { Target } from '../../schema/notifications/target.ts'
import type { PageContext } from '../frames/context.ts'
import { SettingCard, SettingsFrame, Switch } from '../frames/settings-frame.tsx'
import { settings_table } from '../frames/settings-table.ts'
import { Button, Field, type FormState, NumberField, Options } from '../ui/forms.tsx'
import { Rows } from '../ui/lists.tsx'
import { Ago } from '../ui/times.tsx'
import { eventNames, kindNames, NewTarget, type TargetValues } from './target-form.tsx'

/** Quiet hours and the daily limit, as the form has them. */
export type Times = { quiet_from: string; quiet_to: string; time_zone: string; messages_a_day: string }

/** `values`, `errors`: of the form of a new target. */
type Props = FormState<TargetValues> & {
  page: PageContext
  targets: Target[]
  /** The public key by which a browser identifies this service. */
  public_key: string
  is_mail_on: boolean
  /** Whether messages can link to pages: PUBLIC_URL is set. */
  has_links: boolean
  times: Times
  /** The time zone of the browser, if it is known. */
  zone_here: string | undefined
  time_errors: Record<string, string>
}

export const NotificationsPage = (props: Props) => {
  const { page, targets, public_key, has_links, times, zone_here, time_errors, ...new_target } = props
  return (
    <SettingsFrame page={page} subject="notifications" scripts={['page/web-push.js']}>
      <ThisBrowser public_key={public_key} />
      <SettingCard
        name="targets"
        hint={
          <>
            You are notified of new videos of the channels and groups that you choose, in the menu of a channel or on
            the page of a group.
            {!has_links && ' Messages have no links, because the operator has not set PUBLIC_URL.'}
          </>
        }
      >
        <Rows of={targets} row={target => <TargetRow target={target} now={page.now} />} />
        <NewTarget page={page} {...new_target} />
      </SettingCard>
      <WhenQuiet form={{ values: times, errors: time_errors }} zone_here={zone_here} />
    </SettingsFrame>
  )
}

/** `page/web-push.js` switches it, and says why it cannot. */
const ThisBrowser = ({ public_key }: { public_key: string }) => (
  <section id="browser" class="setting-card scripted" data-web-push={public_key}>
    <Switch
      id="web-push"
      name="web-push"
      label={settings_table.browser.label}
      hint="Messages appear even while Backlot is closed."
      checked={false}
    />
    <p class="fault" role="alert" hidden></p>
  </section>
)

const TargetRow = ({ target, now }: { target: Target; now: Date }) => {
  const { target_id, kind, address, events, delivered_at, fault } = target
  return (
    <li class="row" data-target={target_id}>
      <div class="about">
        <p class="title">
          <a href={targetPath(target)}>{nameOf(target)}</a>
          {kind === 'browser' && (
            <span class="badge" hidden>
              This browser
            </span>
          )}
        </p>
        <p class="quiet">
          {eventWords(events)}
          {fault === null && <Ago words=" · arrived " at={delivered_at} now={now} />}
        </p>
        {kind !== 'browser' && <p class="quiet">{address}</p>}
        {fault !== null && <p class="fault">{fault}</p>}
      </div>
    </li>
  )
}

/** "ntfy", "Browser by push.example". */
const nameOf = ({ kind, address }: Target): string =>
  kind === 'browser' ? `Browser by ${URL.parse(address)?.host ?? address}` : kindNames[kind]

const eventWords = (events: MessageEvent[]): string => events.map(event => eventNames[event]).join(', ')

const WhenQuiet = ({ form, zone_here }: { form: FormState<Times> } & Pick<Props, 'zone_here'>) => (
  <SettingCard
    name="times"
    hint="In quiet hours, and beyond the daily limit, messages wait. They come later as one message."
  >
    <form class="settings" method="post" action={`${notifications_path}/times`}>
      <div class="pair">
        <Field form={form} label="Quiet from" name="quiet_from" type="time" />
        <Field form={form} label="Quiet until" name="quiet_to" type="time" />
      </div>
      <Zone times={form.values} zone_here={zone_here} error={form.errors.time_zone} />
      <NumberField
        form={form}
        label="Messages a day"
        name="messages_a_day"
        hint={`At most: 1 to ${max_messages_a_day}.`}
        required
      />
      <Button>Save</Button>
    </form>
  </SettingCard>
)

/** A choice between the zone that is saved and the one of this browser. Without quiet hours no zone counts yet. */
const Zone = ({ times, zone_here, error }: Pick<Props, 'times' | 'zone_here'> & { error: string | undefined }) => {
  const zones = [...new Set([times.quiet_from === '' ? [] : times.time_zone, zone_here ?? []].flat())]
  const offered = zones.length === 0 ? [times.time_zone] : zones
  return (
    <div class="field">
      <label for="time_zone">Time zone</label>
      <select id="time_zone" name="time_zone">
        <Options of={offered.map(zone => [zone, zone.replaceAll('_', ' ')])} chosen={offered[0]} />
      </select>
      {error && <p class="fault">{error}</p>}
    </div>
  )
}
