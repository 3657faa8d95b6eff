/** Creating an account, and signing in. */
import type { PageContext } from '../parts/context.ts'
import { Button, Checkbox, Field, FormError } from '../parts/forms.tsx'
import { Layout } from '../parts/layout.tsx'
import { NewPassword } from '../parts/new-password.tsx'

type Faults = {
  /** Error sentences by field. */
  errors: Record<string, string>
  /** An error of the whole form. */
  error?: string | undefined
}

type RegisterProps = Faults & { page: PageContext; values: { username: string } }

export const RegisterPage = ({ page, values, errors, error }: RegisterProps) => (
  <Layout page={page} title="Create account">
    <div class="narrow">
      <form class="card" method="post" action="/register">
        <h1>Create account</h1>
        <FormError error={error} />
        <Field
          label="Username"
          name="username"
          value={values.username}
          error={errors.username}
          hint="3 to 32 letters, digits, dots, dashes or underscores."
          autocomplete="username"
          required
          autofocus={Object.keys(errors).length === 0}
          maxlength={32}
        />
        <NewPassword name="Password" errors={errors} />
        <Button kind="main" busy="Creating…">
          Create account
        </Button>
      </form>
      <p class="aside">
        Already have an account? <a href="/login">Sign in</a>
      </p>
    </div>
  </Layout>
)

type LoginProps = Faults & { page: PageContext; values: { username: string; remember: boolean; next: string } }

export const LoginPage = ({ page, values, errors, error }: LoginProps) => (
  <Layout page={page} title="Sign in">
    <div class="narrow">
      <form class="card" method="post" action="/login">
        <h1>Sign in</h1>
        <FormError error={error} />
        <input type="hidden" name="next" value={values.next} />
        <Field
          label="Username"
          name="username"
          value={values.username}
          error={errors.username}
          autocomplete="username"
          required
          autofocus={values.username === ''}
        />
        <Field
          label="Password"
          name="password"
          type="password"
          error={errors.password}
          autocomplete="current-password"
          required
          autofocus={values.username !== ''}
        />
        <Checkbox label="Keep me signed in for 30 days" name="remember" checked={values.remember} />
        <Button kind="main" busy="Signing in…">
          Sign in
        </Button>
      </form>
      {page.registration_open && (
        <p class="aside">
          New here? <a href="/register">Create account</a>
        </p>
      )}
    </div>
  </Layout>
)
