/**
 * A person's passkeys with the forms that add, rename and remove one, and the button on the sign-in page. `page/passkeys.js` asks the
 * browser.
 */
import type { Passkey } from '../../schema/account/passkey.ts'
import type { PageContext } from '../frames/context.ts'
import { SettingCard } from '../frames/settings-frame.tsx'
import { Button, KnownName, MainButton, NameField } from '../ui/forms.tsx'
import { About, Rows } from '../ui/lists.tsx'
import { AskButton } from '../ui/menus.tsx'
import { Ago, LastUse } from '../ui/times.tsx'
import { CurrentPasswordField } from './password-fields.tsx'

type Props = { page: PageContext; passkeys: Passkey[]; has_password: boolean }

export const PasskeysCard = ({ page, passkeys, has_password }: Props) => (
  <SettingCard
    name="passkeys"
    hint="Sign in with your fingerprint, your face or a PIN, without typing a name or a password."
  >
    <Rows of={passkeys} row={passkey => <PasskeyRow page={page} passkey={passkey} />} />
    <p class="hint scriptless">Adding a passkey needs JavaScript.</p>
    <details class="more scripted">
      <summary>Add a passkey</summary>
      <form class="settings" method="post" action="/settings/passkeys" data-passkey="/settings/passkeys/options">
        <KnownName username={page.user?.username ?? ''} />
        <NameField id="passkey-name" hint="Where the passkey is kept, such as “phone” or “password manager”." />
        <CurrentPasswordField has_password={has_password} id="passkey-password" />
        <input type="hidden" name="credential" />
        <p class="fault" role="alert" hidden></p>
        <MainButton>Add passkey</MainButton>
      </form>
    </details>
  </SettingCard>
)

const PasskeyRow = ({ page, passkey }: { page: PageContext; passkey: Passkey }) => (
  <li class="row">
    <About title={passkey.name}>
      Added <Ago at={passkey.created_at} now={page.now} /> · <LastUse at={passkey.last_used_at} now={page.now} />
    </About>
    <details class="menu">
      <summary class="button plain" aria-label={`Rename ${passkey.name}`}>
        Rename
      </summary>
      <form class="panel" method="post" action={`/settings/passkeys/${passkey.passkey_id}/rename`}>
        <NameField id={`name-${passkey.passkey_id}`} value={passkey.name} />
        <MainButton>Rename</MainButton>
      </form>
    </details>
    <AskButton does="Remove" what={passkey.name} action={`/settings/passkeys/${passkey.passkey_id}/remove`}>
      Remove “{passkey.name}”? It no longer signs you in. Devices that are signed in stay signed in.
    </AskButton>
  </li>
)

/** Hidden until the script has found that the browser knows passkeys. */
export const PasskeySignIn = ({ next }: { next: string }) => (
  <form class="other-way" method="post" action="/login/passkey" data-passkey="/login/passkey/options" hidden>
    <input type="hidden" name="next" value={next} />
    <input type="hidden" name="remember" />
    <input type="hidden" name="credential" />
    <Button>Use a passkey</Button>
    <p class="fault" role="alert" hidden></p>
  </form>
)

export const passkey_scripts = ['page/passkeys.js']
