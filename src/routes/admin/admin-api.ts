/** The desk of an administrator as JSON: people, invitations and the log. To everyone else it does not exist. */
import { Hono } from 'hono'
import type { Sql } from '../../db/postgres/client.ts'
import { deleteInvitation, invitationUrl, resetUrl } from '../../domain/admin/invitations-and-resets.ts'
import { changePerson, deletePerson, makeReset } from '../../domain/admin/people.ts'
import type { SignIns } from '../../runtime/sign-ins.ts'
import {
  Acts,
  InvitationRequest,
  Invitations,
  LogQuery,
  MadeInvitation,
  MadeLink,
  People,
  Person,
  PersonChange,
} from '../../schema/admin/admin.ts'
import type { Files } from '../../store/files.ts'
import { acknowledge } from '../http/answers.tsx'
import { type Env, siteOf } from '../http/context.ts'
import { created, done, ok, operation, validJson, validQuery } from '../http/operation.ts'
import { requireAdministrator } from './require-administrator.ts'

export type AdminDeps = { sql: Sql; sign_ins: SignIns; files: Files }

const for_administrators = 'For administrators; a token needs the scope `admin`.'

export const adminApi = ({ sql, sign_ins, files }: AdminDeps) =>
  new Hono<Env>()
    .use('/admin/*', requireAdministrator(sql, sign_ins))
    .route('/admin', peopleApi(files))
    .route('/admin', invitationsApi)
    .route('/admin', logApi)

const peopleApi = (files: Files) =>
  new Hono<Env>()
    .get(
      '/people',
      operation('List all people with their role, visits, quota and the size of their files', ok(People, 'By name'), {
        description: `${for_administrators} What people follow, watch and search is not shown.`,
      }),
      async c => c.json({ people: await c.var.desk.people.list() }),
    )

    .patch(
      '/people/:username',
      operation('Change the role or the quota of a person, lock or unlock them', ok(Person, 'The person now'), {
        description: `${for_administrators} A lock ends sessions, tokens, links and running downloads. Unlocking brings back what was queued. 409: no administrator who can sign in would be left.`,
        errors: [409],
      }),
      validJson(PersonChange),
      async c => c.json(await changePerson(c.var.desk, c.req.param('username'), c.req.valid('json'))),
    )

    .delete(
      '/people/:username',
      operation('Delete the account of a person with all its files', done('Nothing can be restored'), {
        description: `${for_administrators} 409: no administrator who can sign in would be left.`,
        errors: [409],
      }),
      c => acknowledge(c, deletePerson(c.var.desk, files, c.req.param('username'))),
    )

    .post(
      '/people/:username/reset-password',
      operation('Make a link to choose a new password', created(MadeLink, 'It works once, for an hour'), {
        description: `${for_administrators} An earlier link of the same person stops working. 409: the person is locked.`,
        errors: [409],
      }),
      async c => {
        const { token, expires_at } = await makeReset(c.var.desk, c.req.param('username'))
        return c.json({ url: resetUrl(siteOf(c), token), expires_at }, 201)
      },
    )

const invitationsApi = new Hono<Env>()
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

const logApi = new Hono<Env>().get(
  '/log',
  operation('List what administrators did', ok(Acts, 'One page, the latest act first'), {
    description: `${for_administrators} Includes the command line.`,
  }),
  validQuery(LogQuery),
  async c => c.json(await c.var.desk.log.page(c.req.valid('query').cursor)),
)
