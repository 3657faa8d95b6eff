/** The password, where the account is signed in, and its end. */
import type { Holdings, Session } from '../../schema/account.ts'
import type { PageContext } from '../parts/context.ts'
import { Button, Field, KnownName } from '../parts/forms.tsx'
import { NewPassword } from '../parts/new-password.tsx'
import { Ago } from '../parts/times.tsx'
import { bytesWords, countWords } from '../parts/words.ts'
import { SettingsFrame } from './settings.tsx'

type Props = {
  page: PageContext
  sessions: Session[]
  /** Which of them shows this page. */
  here: string | undefined
  /** Sentences by field. */
  errors: Record<string, string>
}

export const AccountPage = ({ page, sessions, here, errors }: Props) => (
  <SettingsFrame page={page} title="Account">
    <PasswordSection username={page.user?.username ?? ''} errors={errors} />
    <section aria-labelledby="sessions">
      <h2 id="sessions">Where you are signed in</h2>
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
      <p>Everything you follow and every file you keep here goes with it.</p>
      <p class="actions">
        <a class="button danger" href="/settings/delete">
          Delete this account…
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
      <p>A new password signs you out everywhere else. API tokens stay; revoke those you no longer trust.</p>
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
      <Button kind="main" busy="Changing it…">
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
        {session.device ?? 'Unknown browser'}
        {is_here && <span class="badge">This one</span>}
      </p>
      <p class="quiet">
        {is_here ? (
          'In use now'
        ) : (
          <>
            Used <Ago at={session.used_at} now={page.now} />
          </>
        )}{' '}
        · signed in <Ago at={session.created_at} now={page.now} /> ·{' '}
        {session.remembered ? 'for 30 days' : 'until the browser closes'}
      </p>
    </div>
    <form method="post" action={`/settings/sessions/${session.session_id}/end`}>
      <Button aria-label={is_here ? 'Sign out here' : `Sign out ${session.device ?? 'unknown browser'}`}>
        Sign out
      </Button>
    </form>
  </li>
)

type DeleteProps = { page: PageContext; holdings: Holdings; errors: Record<string, string> }

export const DeletePage = ({ page, holdings, errors }: DeleteProps) => (
  <SettingsFrame page={page} title="Delete account">
    <section>
      <form class="settings" method="post" action="/settings/delete">
        <h2>Delete the account {page.user?.username}?</h2>
        <p>{goesWith(holdings)} This can not be taken back.</p>
        <p>
          You can{' '}
          <a href="/export.opml" download>
            take your channels along
          </a>{' '}
          first.
        </p>
        <KnownName username={page.user?.username ?? ''} />
        <Field
          label="Your password"
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
            Keep it
          </a>
        </div>
      </form>
    </section>
  </SettingsFrame>
)

const goesWith = ({ channels, videos, on_disk_bytes }: Holdings): string => {
  const files = on_disk_bytes === 0 ? 'no files' : `${bytesWords(on_disk_bytes)} of files`
  return `${countWords(channels, 'channel')}, ${countWords(videos, 'video')} and ${files} go with it; so do your sessions and API tokens. What runs or waits is stopped.`
}
