/** People, for administrators: the list of all, and the page of one with the forms that change them. */
import { type Context, Hono } from 'hono'
import { resetUrl } from '../../domain/admin/invitations-and-resets.ts'
import { changePerson, deletePerson, getPerson, makeReset } from '../../domain/admin/people.ts'
import { DomainError } from '../../errors.ts'
import { MadeLink, People, PeopleQuery, Person, PersonChange, QuotaForm, RoleForm } from '../../schema/admin/admin.ts'
import { admin_path, personPath } from '../../schema/http/paths.ts'
import type { Files } from '../../store/files.ts'
import { PeoplePage } from '../../views/admin/people-page.tsx'
import { PersonPage } from '../../views/admin/person-page.tsx'
import { acknowledge, goTo } from '../http/answers.tsx'
import { type Env, siteOf, userOf } from '../http/context.ts'
import { created, done, for_administrators, ok, operation, validJson } from '../http/operation.ts'
import { pageOf } from '../http/page.ts'
import { errorsAt, type FormFields, formPage, orRefusal, textIn, valid } from '../http/valid.ts'

export const peopleApi = (files: Files) =>
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

/** `service_quota_gb`: the quota of people who have none of their own; 0: no limit. */
export function peoplePages(files: Files, service_quota_gb: number) {
  const named = (c: Context<Env>) => c.req.param('username') ?? ''

  type Shown = { reset?: MadeLink; typed_quota?: string }
  const personPage = async (c: Context<Env>, field: string, refusal?: DomainError, shown: Shown = {}) => {
    const person = await getPerson(c.var.desk, named(c))
    const errors = errorsAt(field, refusal)
    return formPage(
      c,
      <PersonPage page={pageOf(c)} person={person} service_quota_gb={service_quota_gb} errors={errors} {...shown} />,
      refusal,
    )
  }

  /** `field`: the form at which a refusal is shown. */
  const change = async (c: Context<Env>, field: string, changes: PersonChange, done: (username: string) => string) => {
    const person = await orRefusal(changePerson(c.var.desk, named(c), changes), ['conflict'])
    if (person instanceof DomainError) return personPage(c, field, person)
    const is_out = person.role !== 'admin' && person.username === userOf(c).username
    return goTo(c, is_out ? '/' : personPath(person), done(person.username))
  }

  const againWithQuota = (c: Context<Env>, refusal: DomainError, { quota_gb }: FormFields) =>
    personPage(c, 'quota_gb', refusal, { typed_quota: textIn(quota_gb).slice(0, 50) })

  return new Hono<Env>()
    .get('/admin', valid('query', PeopleQuery), async c => {
      const { q, sort, cursor } = c.req.valid('query')
      const found = await c.var.desk.people.page({ q, sort, after: cursor })
      const shown = { ...found, q, sort }
      return c.render(<PeoplePage page={pageOf(c)} shown={shown} service_quota_gb={service_quota_gb} />)
    })

    .get('/admin/people/:username', c => personPage(c, ''))

    .post('/admin/people/:username/quota', valid('form', QuotaForm, againWithQuota), c =>
      change(c, 'quota_gb', c.req.valid('form'), () => 'Quota saved.'),
    )

    .post('/admin/people/:username/role', valid('form', RoleForm), c => {
      const { role } = c.req.valid('form')
      const now = role === 'admin' ? 'an administrator' : 'a member'
      return change(c, 'role', { role }, username => `${username} is ${now} now.`)
    })

    .post('/admin/people/:username/lock', c =>
      change(c, 'locked', { locked: true }, username => `${username} is locked.`),
    )

    .post('/admin/people/:username/unlock', c =>
      change(c, 'locked', { locked: false }, username => `${username} can sign in again.`),
    )

    .post('/admin/people/:username/reset-password', async c => {
      const made = await orRefusal(makeReset(c.var.desk, named(c)), ['conflict'])
      if (made instanceof DomainError) return personPage(c, 'locked', made)
      c.header('Cache-Control', 'no-store')
      const page = await personPage(c, '', undefined, { reset: { ...made, url: resetUrl(siteOf(c), made.token) } })
      return new Response(page.body, { status: 201, headers: page.headers })
    })

    .post('/admin/people/:username/delete', async c => {
      const deleted = await orRefusal(deletePerson(c.var.desk, files, named(c)), ['conflict'])
      if (deleted instanceof DomainError) return personPage(c, 'delete', deleted)
      return goTo(c, admin_path, `Deleted the account ${named(c)} and its files.`)
    })
}
