/** The media servers of a person, with the form that adds one, and the page of one. */
import { media_servers_path, serverPath } from '../../schema/http/paths.ts'
import { kind_names, type MediaServer, MediaServerKind, no_key_for_servers } from '../../schema/media/media-server.ts'
import type { PageContext } from '../frames/context.ts'
import { SettingsFrame } from '../frames/settings-frame.tsx'
import { Field, FormError, type FormState, MainButton, Post, Select } from '../ui/forms.tsx'
import { About, Rows } from '../ui/lists.tsx'
import { Ago, Since } from '../ui/times.tsx'

/** As they were typed; never the key. */
type Values = { kind: string; address: string; person: string }
type Form = FormState<Values>

type Props = {
  page: PageContext
  servers: MediaServer[]
  /** Whether SECRET_KEY is set. */
  can_store: boolean
  form: Form
}

export const MediaServersPage = ({ page, servers, can_store, form }: Props) => (
  <SettingsFrame page={page} subject="downloads" title="Jellyfin, Emby and Plex">
    <section class="setting-card">
      <p class="hint">
        Your server reads your folder again after downloads. What you watch there counts here, and the other way, within
        ten minutes. Of two changes, the newer one counts.
      </p>
      <Rows of={servers} row={server => <ServerRow server={server} now={page.now} />} />
      {!can_store && <p class="quiet">{no_key_for_servers}</p>}
    </section>
    {can_store && (
      <section class="setting-card">
        <h3>Add a server</h3>
        <form class="settings" method="post" action={media_servers_path}>
          <FormError error={form.errors.body} />
          <Select
            form={form}
            label="Kind"
            name="kind"
            options={MediaServerKind.options.map(kind => [kind, kind_names[kind]])}
          />
          <Fields form={form} key_hint={key_hint} is_new />
          <div>
            <MainButton>Add</MainButton>
          </div>
        </form>
      </section>
    )}
  </SettingsFrame>
)

const key_hint =
  'Jellyfin: Dashboard, API Keys. Emby: Settings, API Keys. Plex: your X-Plex-Token. It is stored encrypted and never shown.'

const ServerRow = ({ server, now }: { server: MediaServer; now: Date }) => (
  <li class="row">
    <About
      title={<a href={serverPath(server)}>{kind_names[server.kind]}</a>}
      below={
        <>
          <p class="quiet">{server.address}</p>
          <Fault server={server} now={now} />
        </>
      }
    >
      {server.exchanged_at ? <Ago words="Last exchange " at={server.exchanged_at} now={now} /> : 'No exchange yet'}
    </About>
  </li>
)

const Fault = ({ server: { fault, failing_since }, now }: { server: MediaServer; now: Date }) =>
  fault === null || failing_since === null ? null : (
    <p class="fault">
      {fault} It has failed <Since at={failing_since} now={now} />. Nothing is lost: both sides catch up as soon as it
      works.
    </p>
  )

type FieldsProps = { form: Form; key_hint: string; is_new?: boolean; has_people?: boolean }

const Fields = ({ form, key_hint, is_new = false, has_people = true }: FieldsProps) => (
  <>
    <Field
      form={form}
      label="Address"
      name="address"
      hint="Such as http://192.168.1.5:8096. The operator of Backlot opens an address in the house with ALLOWED_ADDRESSES."
      inputmode="url"
      autocomplete="off"
      required
      maxlength={4096}
    />
    <Field
      label="Key"
      name="key"
      type="password"
      error={form.errors.key}
      hint={key_hint}
      autocomplete="off"
      required={is_new}
      maxlength={200}
    />
    {has_people && (
      <Field
        form={form}
        label="Your name there (optional)"
        name="person"
        hint="For Jellyfin and Emby. Without it, the person with your username here, or the only one."
        autocomplete="off"
        maxlength={100}
      />
    )}
  </>
)

export const MediaServerPage = ({ page, server, form }: { page: PageContext; server: MediaServer; form: Form }) => (
  <SettingsFrame page={page} subject="downloads" title={kind_names[server.kind]}>
    <section class="setting-card">
      <form class="settings" method="post" action={serverPath(server)}>
        <FormError error={form.errors.body} />
        <Fields
          form={form}
          key_hint="Leave it empty to keep the saved one. A new address needs it again."
          has_people={server.kind !== 'plex'}
        />
        <div>
          <MainButton>Save</MainButton>
        </div>
      </form>
    </section>
    <section class="setting-card">
      <Fault server={server} now={page.now} />
      <div class="actions">
        <Post action={`${serverPath(server)}/test`} busy="Testing…">
          Test
        </Post>
        <Post action={`${serverPath(server)}/remove`} kind="danger">
          Remove
        </Post>
      </div>
    </section>
  </SettingsFrame>
)
