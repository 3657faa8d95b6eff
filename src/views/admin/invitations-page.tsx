/** The invitations that can still be used, with the forms that create and revoke them. */
import type { Invitation, MadeInvitation } from '../../schema/admin/admin.ts'
import { invitations_path } from '../../schema/http/paths.ts'
import { dateWords } from '../../schema/values/words.ts'
import { AdministrationFrame } from '../frames/administration.tsx'
import type { PageContext } from '../frames/context.ts'
import { Field, type FormState, MainButton, NumberField, Post } from '../ui/forms.tsx'
import { About, Rows } from '../ui/lists.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { Ago } from '../ui/times.tsx'

export type InvitationValues = { days: string; note: string }

type Props = FormState<InvitationValues> & {
  page: PageContext
  invitations: Invitation[]
  /** The invitation that this request created. Its link is shown only now. */
  created?: MadeInvitation | undefined
}

export const InvitationsPage = ({ page, invitations, created, ...form }: Props) => (
  <AdministrationFrame
    page={page}
    title="Invitations"
    line="With the link of an invitation, one person can create an account, also while registration is closed."
  >
    <div class="setting-cards">
      {created && (
        <ShownOnce title="Your new invitation" label="Link" text={created.url}>
          Send it to one person. It works once, until {dateWords(created.expires_at)}, and won't be shown again.
        </ShownOnce>
      )}
      <Rows
        of={invitations}
        row={one => (
          <InvitationRow page={page} invitation={one} is_new={one.invitation_id === created?.invitation_id} />
        )}
      />
      <section class="setting-card">
        <NewInvitation {...form} />
      </section>
    </div>
  </AdministrationFrame>
)

type RowProps = { page: PageContext; invitation: Invitation; is_new: boolean }

const InvitationRow = ({ page, invitation, is_new }: RowProps) => {
  const { invitation_id, note, made_by, created_at, expires_at } = invitation
  const name = note === '' ? 'Invitation' : note
  return (
    <li class="row">
      <About title={<bdi>{name}</bdi>} badge={is_new && 'New'}>
        {made_by === null ? 'Created on the command line' : `Created by ${made_by}`}{' '}
        <Ago at={created_at} now={page.now} /> · expires on{' '}
        <time datetime={expires_at.toISOString()}>{dateWords(expires_at)}</time>
      </About>
      <Post action={`${invitations_path}/${invitation_id}/revoke`} aria-label={`Revoke ${name}`}>
        Revoke
      </Post>
    </li>
  )
}

const NewInvitation = (form: FormState<InvitationValues>) => (
  <form class="settings" method="post" action={invitations_path}>
    <h3>Create an invitation</h3>
    <Field
      form={form}
      label="Note"
      name="note"
      hint="Who it is for, for example. The newcomer does not see it."
      autocomplete="off"
      maxlength={200}
    />
    <NumberField form={form} label="Days until it expires" name="days" />
    <MainButton busy="Creating…">Create invitation</MainButton>
  </form>
)
