/** The account settings: the ways to sign in, the signed-in devices, and deleting the account. */
import type { Holdings, Session } from '../../schema/account/account.ts'
import type { Passkey } from '../../schema/account/passkey.ts'
import type { PageContext } from '../frames/context.ts'
import { SettingCard, SettingsFrame } from '../frames/settings-frame.tsx'
import { lossWords } from '../parts/deleting.tsx'
import { ActOrCancel, Button, Field, KnownName, PasswordField, Post } from '../ui/forms.tsx'
import { About } from '../ui/lists.tsx'
import { Ago } from '../ui/times.tsx'
import { PasskeysCard, passkey_scripts } from './passkey-forms.tsx'
import { WaysIn, type WaysInProps } from './ways-in.tsx'

type Props = WaysInProps & {
  passkeys: Passkey[]
  sessions: Session[]
  /** The id of the session that requested this page. */
  here: string | undefined
}

export const AccountPage = ({ passkeys, sessions, here, ...ways }: Props) => {
  const { page, has_password } = ways
  return (
    <SettingsFrame page={page} subject="account" scripts={passkey_scripts}>
      <WaysIn {...ways} />
      <PasskeysCard page={page} passkeys={passkeys} has_password={has_password} />
      <SettingCard name="sessions" hint={page.by_proxy && 'The proxy of this service signs you in on this device.'}>
        <ul class="rows">
          {hereFirst(sessions, here).map(session => (
            <SessionRow page={page} session={session} is_here={session.session_id === here} />
          ))}
        </ul>
        {sessions.length > 1 && (
          <form class="actions" method="post" action="/settings/sessions/end">
            <Button name="others" value="on">
              Sign out everywhere else
            </Button>
            {!page.by_proxy && <Button busy="Signing out…">Sign out everywhere</Button>}
          </form>
        )}
      </SettingCard>
      <SettingCard
        name="delete"
        hint="This deletes everything you follow and every file you downloaded."
        aside={
          <a class="button danger" href="/settings/delete">
            Delete account…
          </a>
        }
      />
    </SettingsFrame>
  )
}

const hereFirst = (sessions: Session[], here: string | undefined): Session[] =>
  sessions.toSorted((one, other) => Number(other.session_id === here) - Number(one.session_id === here))

type RowProps = { page: PageContext; session: Session; is_here: boolean }

const SessionRow = ({ page, session, is_here }: RowProps) => (
  <li class="row">
    <About title={session.device ?? 'Unknown device'} badge={is_here && 'This device'}>
      {is_here ? 'Active now' : <Ago words="Active " at={session.used_at} now={page.now} />} · signed in{' '}
      <Ago at={session.created_at} now={page.now} /> · {session.remembered ? 'for 30 days' : 'until the browser closes'}
    </About>
    <Post
      action={`/settings/sessions/${session.session_id}/end`}
      aria-label={is_here ? 'Sign out on this device' : `Sign out on ${session.device ?? 'unknown device'}`}
    >
      Sign out
    </Post>
  </li>
)

type DeleteProps = Pick<Props, 'page' | 'has_password' | 'errors'> & { holdings: Holdings }

/** A person without a password types their username. */
export const DeletePage = ({ page, has_password, holdings, errors }: DeleteProps) => (
  <SettingsFrame page={page} subject="account" title="Delete account">
    <section class="setting-card">
      <form class="settings" method="post" action="/settings/delete">
        <h3>Delete account {page.user?.username}?</h3>
        <p>
          {lossWords(holdings, 'yours')} Running and queued downloads are cancelled, and your API tokens stop working.
          This can't be undone.
        </p>
        <p>
          You can{' '}
          <a href="/export.opml" download>
            export your channels
          </a>{' '}
          first.
        </p>
        {has_password ? (
          <>
            <KnownName username={page.user?.username ?? ''} />
            <PasswordField label="Password" name="password" error={errors.password} autocomplete="current-password" />
          </>
        ) : (
          <Field
            label="Your username"
            name="username"
            error={errors.username ?? errors.password}
            autocomplete="off"
            required
          />
        )}
        <ActOrCancel kind="danger" busy="Deleting…" back="/settings/account">
          Delete account and files
        </ActOrCancel>
      </form>
    </section>
  </SettingsFrame>
)
