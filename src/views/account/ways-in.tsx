/** The ways in which a person signs in, on the page of their account: the password, and linked identities. */
import type { LinkedIdentity } from '../../schema/account/identity.ts'
import type { PageContext } from '../frames/context.ts'
import { SettingCard } from '../frames/settings-frame.tsx'
import { KnownName, MainButton } from '../ui/forms.tsx'
import { About, Rows } from '../ui/lists.tsx'
import { AskButton } from '../ui/menus.tsx'
import { Ago } from '../ui/times.tsx'
import { CurrentPasswordField, NewPasswordFields } from './password-fields.tsx'

export type WaysInProps = {
  page: PageContext
  has_password: boolean
  identities: LinkedIdentity[]
  /** The name by which a proxy knows the person, if it is not linked to an account. */
  proxy_name?: string | undefined
  /** The name of the OpenID provider. Absent: there is none. */
  provider?: string | undefined
  /** Error sentences of the form of the password, by field, and of the one that links the proxy's name at `proxy_name`. */
  errors: Record<string, string>
  /** Error sentences of the form that links an identity, by field. */
  link_errors?: Record<string, string>
}

export const WaysIn = (props: WaysInProps) => (
  <SettingCard
    name="ways-in"
    hint={
      <>
        Signed in as <strong>{props.page.user?.username}</strong>.
      </>
    }
  >
    <PasswordForm {...props} />
    <LinkedIdentities {...props} />
    {props.proxy_name !== undefined && <LinkProxyName {...props} />}
  </SettingCard>
)

/** Folded until it is needed. */
const PasswordForm = ({ page, has_password, errors: { proxy_name: _, ...errors } }: WaysInProps) => (
  <details class="more" open={Object.keys(errors).length > 0}>
    <summary>{has_password ? 'Change password' : 'Set a password'}</summary>
    <form class="settings" method="post" action="/settings/password">
      <p class="hint">
        {has_password ? 'Changing your' : 'Setting a'} password signs you out everywhere else. API tokens and passkeys
        keep working; remove the ones you no longer trust.
      </p>
      <KnownName username={page.user?.username ?? ''} />
      <CurrentPasswordField has_password={has_password} error={errors.current_password} />
      <NewPasswordFields label="New password" errors={errors} />
      <MainButton busy={has_password ? 'Changing…' : 'Setting…'}>
        {has_password ? 'Change password' : 'Set password'}
      </MainButton>
    </form>
  </details>
)

const LinkedIdentities = ({ page, has_password, identities, provider, link_errors = {} }: WaysInProps) => (
  <>
    <Rows of={identities} row={identity => <IdentityRow page={page} identity={identity} provider={provider} />} />
    {provider !== undefined && (
      <details class="more" open={Object.keys(link_errors).length > 0}>
        <summary>Link {provider}</summary>
        <form class="settings" method="post" action="/settings/identities">
          <p class="hint">You sign in there once. From then on it also signs you in here.</p>
          <KnownName username={page.user?.username ?? ''} />
          <CurrentPasswordField has_password={has_password} id="link_password" error={link_errors.current_password} />
          <MainButton busy="Opening…">Link {provider}</MainButton>
        </form>
      </details>
    )}
  </>
)

/** Folded until it is needed. */
const LinkProxyName = ({ page, has_password, proxy_name, errors }: WaysInProps) => (
  <details class="more" open={errors.proxy_name !== undefined}>
    <summary>Link {proxy_name} (sign-in by your proxy)</summary>
    <form class="settings" method="post" action="/settings/proxy-name">
      <p class="hint">The proxy of this service then signs you in to this account, without a password.</p>
      <KnownName username={page.user?.username ?? ''} />
      <CurrentPasswordField has_password={has_password} id="proxy-password" error={errors.proxy_name} />
      <MainButton busy="Linking…">Link {proxy_name}</MainButton>
    </form>
  </details>
)

type RowProps = { page: PageContext; identity: LinkedIdentity; provider: string | undefined }

const IdentityRow = ({ page, identity: { issuer, subject, name, created_at, last_used_at }, provider }: RowProps) => (
  <li class="row">
    <About title={name || subject}>
      {placeOf(issuer, provider)} · linked <Ago at={created_at} now={page.now} />
      <Ago words=" · used " at={last_used_at} now={page.now} />
    </About>
    <AskButton does="Unlink" what={name || subject} action="/settings/identities/unlink" fields={{ issuer, subject }}>
      Unlink “{name || subject}”? It will no longer sign you in here.
    </AskButton>
  </li>
)

/** Where an identity comes from: the host of a provider, or a proxy in front of this service. */
const placeOf = (issuer: string, provider: string | undefined): string => {
  if (issuer.startsWith('header:')) return 'Proxy'
  const host = URL.parse(issuer)?.host ?? issuer
  return provider === undefined ? host : `${provider} (${host})`
}
