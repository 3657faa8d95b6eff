/** The page behind a password reset link, where a person chooses a new password. */
import type { PageContext } from '../ui/context.ts'
import { Button, FormError, KnownName } from '../ui/forms.tsx'
import { Layout } from '../ui/layout.tsx'
import { NewPassword } from './new-password.tsx'

type Props = {
  page: PageContext
  /** The account whose password is reset. */
  username: string
  token: string
  /** Error sentences by field. */
  errors: Record<string, string>
  /** An error of the whole form. */
  error?: string | undefined
}

export const ResetPasswordPage = ({ page, username, token, errors, error }: Props) => (
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
        <NewPassword name="New password" errors={errors} />
        <Button kind="main" busy="Saving…">
          Save password
        </Button>
      </form>
    </div>
  </Layout>
)
