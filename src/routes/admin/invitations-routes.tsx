/** Invitations, for administrators. The link of an invitation is shown once, in the answer that creates it. */
import { type Context, Hono } from 'hono'
import { deleteInvitation, invitationUrl } from '../../domain/admin/invitations-and-resets.ts'
import { DomainError } from '../../errors.ts'
import { InvitationForm, InvitationRequest, Invitations, MadeInvitation } from '../../schema/admin/admin.ts'
import { invitations_path } from '../../schema/http/paths.ts'
import { InvitationsPage, type InvitationValues } from '../../views/admin/invitations-page.tsx'
import { acknowledge, goTo } from '../http/answers.tsx'
import { type Env, siteOf } from '../http/context.ts'
import { created, done, for_administrators, ok, operation, validJson } from '../http/operation.ts'
import { pageOf } from '../http/page.ts'
import { type FormFields, formPage, orRefusal, textIn, valid } from '../http/valid.ts'

export const invitationsApi = new Hono<Env>()
  .get(
    '/invitations',
    operation('List the invitations that still work', ok(Invitations, 'Without their links'), {
      description: for_administrators,
    }),
    async c => c.json({ invitations: await c.var.desk.invitations.list() }),
  )

  .post(
    '/invitations',
    operation('Invite a newcomer', created(MadeInvitation, 'The link is shown only here'), {
      description: `${for_administrators} With the link, one person can create an account, also where registration is closed.`,
    }),
    validJson(InvitationRequest),
    async c => {
      const { token, ...made } = await c.var.desk.invitations.make(c.req.valid('json'))
      return c.json({ ...made, url: invitationUrl(siteOf(c), token) }, 201)
    },
  )

  .delete(
    '/invitations/:invitation_id',
    operation('Delete an invitation', done('Its link no longer works'), { description: for_administrators }),
    c => acknowledge(c, deleteInvitation(c.var.desk, c.req.param('invitation_id'))),
  )

const invitationsPage = async (c: Context<Env>, refusal?: DomainError, fields: FormFields = {}) => {
  const invitations = await c.var.desk.invitations.list()
  const form = { values: valuesOf(fields), errors: refusal?.fields ?? {} }
  return formPage(c, <InvitationsPage page={pageOf(c)} invitations={invitations} {...form} />, refusal)
}

export const invitationPages = new Hono<Env>()
  .get('/admin/invitations', c => invitationsPage(c))

  .post('/admin/invitations', valid('form', InvitationForm, invitationsPage), async c => {
    const { token, ...made } = await c.var.desk.invitations.make(c.req.valid('form'))
    const invitations = await c.var.desk.invitations.list()
    const created = { ...made, url: invitationUrl(siteOf(c), token) }
    c.header('Cache-Control', 'no-store')
    const shown = { invitations, created, values: empty, errors: {} }
    return c.render(<InvitationsPage page={pageOf(c)} {...shown} />, 201)
  })

  .post('/admin/invitations/:invitation_id/revoke', async c => {
    const revoked = await orRefusal(deleteInvitation(c.var.desk, c.req.param('invitation_id')), ['not_found'])
    const said = revoked instanceof DomainError ? revoked : 'Invitation revoked. Its link no longer works.'
    return goTo(c, invitations_path, said)
  })

const empty: InvitationValues = { days: '7', note: '' }

/** The fields as they were typed, to be shown again. */
function valuesOf(fields: FormFields): InvitationValues {
  const text = (name: keyof InvitationValues) => textIn(fields[name], empty[name]).slice(0, 300)
  return { days: text('days'), note: text('note') }
}
