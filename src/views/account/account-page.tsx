/** The account settings: the password, the signed-in devices, and deleting the account. */
import type { Holdings, Session } from '../../schema/account/account.ts'
import { bytesWords, countWords } from '../../schema/values/words.ts'
import type { PageContext } from '../ui/context.ts'
import { Button, Field, KnownName } from '../ui/forms.tsx'
import { SettingsFrame } from '../ui/layout.tsx'
import { Ago } from '../ui/times.tsx'
import { NewPassword } from './sign-in-page.tsx'

type Props = {
  page: PageContext
  sessions: Session[]
  /** The id of the session that requested this page. */
  here: string | undefined
  /** Error sentences by field. */
  errors: Record<string, string>
}

export const AccountPage = ({ page, sessions, here, errors }: Props) => (
  <SettingsFrame page={page} title="Account">
    <PasswordSection username={page.user?.username ?? ''} errors={errors} />
    <section aria-labelledby="sessions">
      <h2 id="sessions">Signed-in devices</h2>
      <ul class="rows">
        {hereFirst(sessions, here).map(session => (
          <SessionRow page={page} session={session} is_here={session.session_id === here} />
        ))}
      </ul>
      <form class="actions" method="post" action="/settings/sessions/end">
        {sessions.length > 1 && (
          <Button name="others" value="on">
            Sign out everywhere else
          </Button>
        )}
        <Button busy="Signing out…">Sign out everywhere</Button>
      </form>
    </section>
    <section>
      <h2>Delete account</h2>
      <p>This deletes everything you follow and every file you downloaded.</p>
      <p class="actions">
        <a class="button danger" href="/settings/delete">
          Delete account…
        </a>
      </p>
    </section>
  </SettingsFrame>
)

const hereFirst = (sessions: Session[], here: string | undefined): Session[] =>
  sessions.toSorted((one, other) => Number(other.session_id === here) - Number(one.session_id === here))

const PasswordSection = ({ username, errors }: { username: string; errors: Record<string, string> }) => (
  <section>
    <form class="settings" method="post" action="/settings/password">
      <h2>Password</h2>
      <p>
        Changing your password signs you out everywhere else. API tokens keep working; revoke the ones you no longer
        trust.
      </p>
      <KnownName username={username} />
      <Field
        label="Current password"
        name="current_password"
        type="password"
        error={errors.current_password}
        autocomplete="current-password"
        required
      />
      <NewPassword name="New password" errors={errors} />
      <Button kind="main" busy="Changing…">
        Change password
      </Button>
    </form>
  </section>
)

type RowProps = { page: PageContext; session: Session; is_here: boolean }

const SessionRow = ({ page, session, is_here }: RowProps) => (
  <li class="row">
    <div class="about">
      <p class="title">
        {session.device ?? 'Unknown device'}
        {is_here && <span class="badge">This device</span>}
      </p>
      <p class="quiet">
        <Used session={session} is_here={is_here} page={page} /> · signed in{' '}
        <Ago at={session.created_at} now={page.now} /> ·{' '}
        {session.remembered ? 'for 30 days' : 'until the browser closes'}
      </p>
    </div>
    <form method="post" action={`/settings/sessions/${session.session_id}/end`}>
      <Button aria-label={is_here ? 'Sign out on this device' : `Sign out on ${session.device ?? 'unknown device'}`}>
        Sign out
      </Button>
    </form>
  </li>
)

const Used = ({ page, session, is_here }: RowProps) =>
  is_here ? (
    <>Active now</>
  ) : (
    <>
      Active <Ago at={session.used_at} now={page.now} />
    </>
  )

type DeleteProps = { page: PageContext; holdings: Holdings; errors: Record<string, string> }

export const DeletePage = ({ page, holdings, errors }: DeleteProps) => (
  <SettingsFrame page={page} title="Delete account">
    <section>
      <form class="settings" method="post" action="/settings/delete">
        <h2>Delete account {page.user?.username}?</h2>
        <p>{lossWords(holdings)} This can't be undone.</p>
        <p>
          You can{' '}
          <a href="/export.opml" download>
            export your channels
          </a>{' '}
          first.
        </p>
        <KnownName username={page.user?.username ?? ''} />
        <Field
          label="Password"
          name="password"
          type="password"
          error={errors.password}
          autocomplete="current-password"
          required
        />
        <div class="actions">
          <Button kind="danger" busy="Deleting…">
            Delete account and files
          </Button>
          <a class="button plain" href="/settings/account">
            Cancel
          </a>
        </div>
      </form>
    </section>
  </SettingsFrame>
)

const lossWords = ({ channels, videos, on_disk_bytes }: Holdings): string => {
  const files = on_disk_bytes === 0 ? 'no files' : `${bytesWords(on_disk_bytes)} of files`
  return `This deletes ${countWords(channels, 'channel')}, ${countWords(videos, 'video')} and ${files}. Running and queued downloads are cancelled, and your API tokens stop working.`
}
