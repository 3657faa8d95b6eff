/** One person as administrators see them: counts and bytes, and what can be changed. Never titles, channels or searches. */
import type { MadeLink, Person } from '../../schema/admin/admin.ts'
import { personPath } from '../../schema/http/paths.ts'
import { countWords, numberWords } from '../../schema/values/words.ts'
import { AdministrationFrame, Facts } from '../frames/administration.tsx'
import type { PageContext } from '../frames/context.ts'
import { Card } from '../frames/settings-frame.tsx'
import { lossWords } from '../parts/deleting.tsx'
import { Button, Field, FormError, Post } from '../ui/forms.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { Ago } from '../ui/times.tsx'
import { isSelf, PersonState, spaceWords } from './people-page.tsx'

type Props = {
  page: PageContext
  person: Person
  /** The quota of people who have none of their own; 0: no limit. */
  service_quota_gb: number
  /** The link that this request made. */
  reset?: MadeLink | undefined
  /** What was typed as the quota, when it is not valid. */
  typed_quota?: string | undefined
  /** Error sentences by form: `quota_gb`, `role`, `locked`, `delete`. */
  errors?: Record<string, string>
}

export const PersonPage = (props: Props) => {
  const { page, person, reset, errors = {} } = props
  return (
    <AdministrationFrame page={page} title={person.username} line={<PersonState page={page} person={person} />}>
      {/* Above the cards: on a phone, a sentence within one could be off the screen. */}
      <FormError error={errors.role ?? errors.locked ?? errors.delete} />
      {reset && <MadeReset username={person.username} reset={reset} />}
      <AboutPerson {...props} />
      <div class="setting-cards">
        <QuotaCard {...props} />
        <RoleCard {...props} />
        {isSelf(page, person) ? (
          <Card
            title="Delete account"
            hint={
              <>
                You can delete your own account in <a href="/settings/account">Settings</a>.
              </>
            }
          />
        ) : (
          <>
            <PasswordCard {...props} />
            <LockCard {...props} />
            <DeleteCard {...props} />
          </>
        )}
      </div>
    </AdministrationFrame>
  )
}

const MadeReset = ({ username, reset }: { username: string; reset: MadeLink }) => (
  <ShownOnce title={`A link for ${username}`} label="Link" text={reset.url}>
    Send it to {username}. It works once, for an hour, and won't be shown again.
  </ShownOnce>
)

const AboutPerson = ({ page, person, service_quota_gb }: Props) => (
  <Facts
    facts={[
      ['Joined', <Ago at={person.created_at} now={page.now} />],
      ['Channels', numberWords(person.channels)],
      ['Videos', numberWords(person.videos)],
      ['On disk', spaceWords(person, service_quota_gb)],
      ['Signed in', person.sessions === 0 ? 'Nowhere' : `On ${countWords(person.sessions, 'device')}`],
    ]}
  />
)

const QuotaCard = ({ person, service_quota_gb, typed_quota, errors }: Props) => (
  <section class="setting-card">
    <form class="quota-form" method="post" action={`${personPath(person)}/quota`}>
      <Field
        label="Quota in GB"
        name="quota_gb"
        value={typed_quota ?? String(person.quota_gb ?? '')}
        error={errors?.quota_gb}
        hint={`Empty: the service's (${service_quota_gb === 0 ? 'no limit' : `${service_quota_gb} GB`}). 0: no limit.`}
        inputmode="decimal"
        autocomplete="off"
        maxlength={12}
      />
      <Button>Save</Button>
    </form>
  </section>
)

const RoleCard = ({ page, person }: Props) => {
  const is_admin = person.role === 'admin'
  return (
    <Card
      title="Role"
      hint={`${is_admin ? 'Administrator' : 'Member'}. Administrators manage people and the service.${is_admin && isSelf(page, person) ? ' Without the role, you no longer see these pages.' : ''}`}
      aside={
        <Post action={`${personPath(person)}/role`} name="role" value={is_admin ? 'member' : 'admin'}>
          Make {is_admin ? 'member' : 'administrator'}
        </Post>
      }
    />
  )
}

const PasswordCard = ({ person }: Props) =>
  person.locked_at === null ? (
    <Card
      title="Password"
      hint="A link lets them choose a new password. It works once, for an hour."
      aside={<Post action={`${personPath(person)}/reset-password`}>Create link</Post>}
    />
  ) : null

const LockCard = ({ person }: Props) => {
  const is_locked = person.locked_at !== null
  return (
    <Card
      title={is_locked ? 'Locked' : 'Lock'}
      hint={
        is_locked
          ? 'They cannot sign in, and nothing is downloaded for them.'
          : 'They are signed out everywhere, their API tokens are revoked, and their downloads wait. Nothing else is deleted.'
      }
      aside={
        <Post action={`${personPath(person)}/${is_locked ? 'unlock' : 'lock'}`}>{is_locked ? 'Unlock' : 'Lock'}</Post>
      }
    />
  )
}

const DeleteCard = ({ person }: Props) => (
  <Card
    title="Delete account"
    hint="This deletes everything they follow and every file they downloaded."
    aside={
      <details class="menu">
        <summary class="button danger">Delete account…</summary>
        <form class="panel" method="post" action={`${personPath(person)}/delete`}>
          <p>
            Delete {person.username}? {lossWords(person, 'theirs')} This can't be undone.
          </p>
          <Button kind="danger" busy="Deleting…">
            Delete account and files
          </Button>
        </form>
      </details>
    }
  />
)
