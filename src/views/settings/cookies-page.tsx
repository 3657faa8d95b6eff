/** The sites whose cookies a person stored, never the cookies themselves, with what it means to store some, and the form that does it. */
import { no_secret_key, type SiteCookies } from '../../schema/downloads/site-cookies.ts'
import type { PageContext } from '../frames/context.ts'
import { SettingsFrame } from '../frames/settings-frame.tsx'
import { Field, FormError, MainButton } from '../ui/forms.tsx'
import { About, Rows } from '../ui/lists.tsx'
import { AskButton } from '../ui/menus.tsx'
import { Ago } from '../ui/times.tsx'

/** `can_open`: `false` after SECRET_KEY has changed. */
type Stored = SiteCookies & { can_open: boolean }

type Props = {
  page: PageContext
  cookies: Stored[]
  /** Whether SECRET_KEY is set. */
  can_store: boolean
  host: string
  /** Error sentences by field. */
  errors: Record<string, string>
  /** A refusal that is about no field. */
  error: string | undefined
}

export const CookiesPage = ({ page, cookies, can_store, ...form }: Props) => (
  <SettingsFrame page={page} subject="downloads" title="Cookies">
    <section class="setting-card">
      <p class="hint">
        With your cookies, downloads get videos that a site shows only to people who are signed in there. A download
        sends them only after the site has refused the video without them, and only over an encrypted connection.
      </p>
      <Rows of={cookies} row={stored => <StoredRow page={page} stored={stored} can_store={can_store} />} />
      {!can_store && <p class="quiet">{no_secret_key}</p>}
    </section>
    {can_store && (
      <section class="setting-card">
        <Before />
        <StoreForm {...form} />
      </section>
    )}
  </SettingsFrame>
)

const StoredRow = ({ page, stored, can_store }: { page: PageContext; stored: Stored; can_store: boolean }) => (
  <li class="row">
    <About title={stored.host} below={<Fault page={page} stored={stored} can_store={can_store} />}>
      Stored <Ago at={stored.stored_at} now={page.now} />
      <Ago words=" · last worked " at={stored.worked_at} now={page.now} />
      {stored.expires_at && <Expiry at={stored.expires_at} now={page.now} />}
    </About>
    <AskButton does="Delete" what={`the cookies for ${stored.host}`} action={`/settings/cookies/${stored.host}/delete`}>
      Delete your cookies for {stored.host}? Downloads go on without them.
    </AskButton>
  </li>
)

const Expiry = ({ at, now }: { at: Date; now: Date }) => (
  <Ago words={at > now ? ' · expire ' : ' · expired '} at={at} now={now} />
)

function Fault({ page, stored, can_store }: { page: PageContext; stored: Stored; can_store: boolean }) {
  if (!can_store) return <p class="fault">Downloads don't use them, because this server has no SECRET_KEY.</p>
  if (!stored.can_open)
    return (
      <p class="fault">They can't be read any more, because the key of this server has changed. Store them again.</p>
    )
  if (!stored.refused_at) return null
  return (
    <p class="fault">
      Stopped working <Ago at={stored.refused_at} now={page.now} />. Sign in at the site again and store a new file.
    </p>
  )
}

/** What it means for the account at the site, and how to get the file. */
const Before = () => (
  <>
    <h3>Before you store cookies</h3>
    <p>The site sees that this server uses your account. Sites have blocked accounts for that: use a spare one.</p>
    <p>Files fetched with your cookies are yours alone. No other person on this server gets them.</p>
    <p>
      Cookies are stored encrypted, and no page or app can read them back. The person who runs this server could use
      them, so store them only where you trust that person.
    </p>
    <details>
      <summary>How to get the file</summary>
      <p>
        Open a private window of your browser and sign in at the site in it. Export the cookies for the site with an
        extension that writes <code>cookies.txt</code> in the Netscape format. Then close the private window without
        signing out: a browser that goes on with this sign-in renews the cookies, and the file stops working.
      </p>
    </details>
  </>
)

const StoreForm = ({ host, errors, error }: Pick<Props, 'host' | 'errors' | 'error'>) => (
  <form class="settings" method="post" action="/settings/cookies" enctype="multipart/form-data">
    <Field
      label="Site"
      name="host"
      form={{ values: { host }, errors }}
      hint="Such as youtube.com. The sites below it, such as music.youtube.com, get the cookies too."
      autocomplete="off"
      inputmode="url"
      required
      maxlength={300}
    />
    <div class="field">
      <label for="file">Cookie file</label>
      <input id="file" name="file" type="file" accept=".txt,text/plain" />
      <FormError error={errors.file ?? error} />
    </div>
    <details>
      <summary>Paste its text instead</summary>
      <div class="field">
        <label for="text">Text of the cookie file</label>
        <textarea id="text" name="text" rows={4} autocomplete="off" spellcheck={false}></textarea>
      </div>
    </details>
    <div>
      <MainButton busy="Storing…">Store cookies</MainButton>
    </div>
  </form>
)
