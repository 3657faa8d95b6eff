/** Choosing a new password by a link. */
import type { PageContext } from '../parts/context.ts'
import { Button, FormError, KnownName } from '../parts/forms.tsx'
import { Layout } from '../parts/layout.tsx'
import { NewPassword } from '../parts/new-password.tsx'

type Props = {
  page: PageContext
  /** Whose password it is. */
  username: string
  token: string
  /** Sentences by field. */
  errors: Record<string, string>
  /** What is wrong with the form as a whole. */
  error?: string | undefined
}

export const ResetPasswordPage = ({ page, username, token, errors, error }: Props) => (
  <Layout page={page} title="Choose a new password">
    <div class="narrow">
      <form class="card" method="post" action="/reset-password">
        <h1>Choose a new password</h1>
        <p>
          For the account <strong>{username}</strong>. It will be signed out everywhere, and this link works once.
        </p>
        <FormError error={error} />
        <input type="hidden" name="token" value={token} />
        <KnownName username={username} />
        <NewPassword name="New password" errors={errors} />
        <Button kind="main" busy="Saving it…">
          Save password
        </Button>
      </form>
    </div>
  </Layout>
)
