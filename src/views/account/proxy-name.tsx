/** The form that links the name by which a proxy knows the person to their account. */
import { Button, KnownName } from '../ui/forms.tsx'
import { CurrentPassword } from './current-password.tsx'

type Props = {
  username: string
  /** The name in the header of the proxy. */
  name: string
  has_password: boolean
  error: string | undefined
}

/** Folded until it is needed. */
export const LinkProxyName = ({ username, name, has_password, error }: Props) => (
  <details class="more" open={error !== undefined}>
    <summary>Link {name} (sign-in by your proxy)</summary>
    <form class="settings" method="post" action="/settings/proxy-name">
      <p class="hint">The proxy of this service then signs you in to this account, without a password.</p>
      <KnownName username={username} />
      <CurrentPassword has_password={has_password} id="proxy-password" error={error} />
      <Button kind="main" busy="Linking…">
        Link {name}
      </Button>
    </form>
  </details>
)
