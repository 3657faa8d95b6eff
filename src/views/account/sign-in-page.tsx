/** Creating an account, signing in, and choosing a new password after a reset. */
import type { PageContext } from '../frames/context.ts'
import { Layout } from '../frames/layout.tsx'
import { Checkbox, Field, FormError, type FormState, KnownName, MainButton, PasswordField } from '../ui/forms.tsx'
import { PasskeySignIn, passkey_scripts } from './passkey-forms.tsx'
import { NewPasswordFields } from './password-fields.tsx'

/** `invitation`: the token of the link that led here. */
type RegisterProps = FormState<{ username: string; invitation?: string }> & {
  page: PageContext
  /** There is no account here yet. */
  is_first?: boolean
  /** The name of the OpenID provider, with which the first account can be created too. */
  provider?: string | undefined
  /** An error of the whole form. */
  error?: string | undefined
}

export const RegisterPage = ({ page, values, is_first = false, provider, errors, error }: RegisterProps) => (
  <Layout page={page} title="Create account">
    <div class="narrow">
      <AboutBacklot />
      <form class="card" method="post" action="/register">
        <h1>Create account</h1>
        {is_first && <p>This Backlot has no accounts yet. Yours is the first, so you become its administrator.</p>}
        <FormError error={error} />
        {values.invitation && <input type="hidden" name="invitation" value={values.invitation} />}
        <Field
          label="Username"
          name="username"
          form={{ values, errors }}
          hint="3 to 32 letters, digits, dots, dashes or underscores."
          autocomplete="username"
          required
          autofocus={Object.keys(errors).length === 0}
          maxlength={32}
        />
        <NewPasswordFields label="Password" errors={errors} />
        <MainButton busy="Creating…">Create account</MainButton>
      </form>
      {provider !== undefined && <ByProvider label={provider} next="/" />}
      {!is_first && (
        <p class="aside">
          Already have an account? <a href="/login">Sign in</a>
        </p>
      )}
    </div>
  </Layout>
)

const AboutBacklot = () => (
  <p class="aside">Follow video channels, keep a list of every video they post, and watch them here.</p>
)

type LoginProps = {
  page: PageContext
  /** `was_in`: the person was signed in until now. */
  values: { username: string; remember: boolean; next: string; was_in?: boolean }
  /** The name of the OpenID provider. Absent: there is none. */
  provider?: string | undefined
  /** Why the name that a proxy gave opens no account, and what to do. */
  unlinked?: string | undefined
  error?: string | undefined
}

export const LoginPage = ({ page, values, provider, unlinked, error }: LoginProps) => (
  <Layout page={page} title="Sign in" scripts={passkey_scripts}>
    <div class="narrow">
      <AboutBacklot />
      <form class="card" method="post" action="/login">
        <h1>Sign in</h1>
        {unlinked && <p role="status">{unlinked}</p>}
        {values.was_in && !unlinked && <p role="status">You were signed out. Sign in to continue.</p>}
        <FormError error={error} />
        <input type="hidden" name="next" value={values.next} />
        <Field
          label="Username"
          name="username"
          value={values.username}
          autocomplete="username"
          required
          autofocus={values.username === ''}
        />
        <PasswordField
          label="Password"
          name="password"
          autocomplete="current-password"
          autofocus={values.username !== ''}
        />
        <Checkbox label="Keep me signed in for 30 days" name="remember" checked={values.remember} />
        <MainButton busy="Signing in…">Sign in</MainButton>
      </form>
      <PasskeySignIn next={values.next} />
      {provider !== undefined && <ByProvider label={provider} next={values.next} />}
      <p class="aside">
        New here?{' '}
        {page.registration_open ? <a href="/register">Create account</a> : 'Ask your administrator for an invitation.'}
      </p>
    </div>
  </Layout>
)

const ByProvider = ({ label, next }: { label: string; next: string }) => (
  <p class="other-way">
    <a class="button plain" href={next === '/' ? '/login/oidc' : `/login/oidc?${new URLSearchParams({ next })}`}>
      Sign in with {label}
    </a>
  </p>
)

type ResetPasswordProps = Pick<RegisterProps, 'page' | 'errors' | 'error'> & {
  /** The account whose password is reset. */
  username: string
  token: string
}

/** The page behind a password reset link. */
export const ResetPasswordPage = ({ page, username, token, errors, error }: ResetPasswordProps) => (
  <Layout page={page} title="Choose a new password">
    <div class="narrow">
      <form class="card" method="post" action="/reset-password">
        <h1>Choose a new password</h1>
        <p>
          For the account <strong>{username}</strong>. This link works once, and the account is signed out on all
          devices.
        </p>
        <FormError error={error} />
        <input type="hidden" name="token" value={token} />
        <KnownName username={username} />
        <NewPasswordFields label="New password" errors={errors} />
        <MainButton busy="Saving…">Save password</MainButton>
      </form>
    </div>
  </Layout>
)
