/** The desk of an administrator: people, invitations and the log. To everyone else it does not exist. */
import { Hono } from 'hono'
import type { Sql } from '../../db/postgres/client.ts'
import type { SignIns } from '../../runtime/sign-ins.ts'
import { Acts, LogQuery } from '../../schema/admin/admin.ts'
import type { Files } from '../../store/files.ts'
import { LogPage } from '../../views/admin/log-page.tsx'
import type { Env } from '../http/context.ts'
import { for_administrators, ok, operation, validQuery } from '../http/operation.ts'
import { pageOf } from '../http/page.ts'
import { valid } from '../http/valid.ts'
import { invitationPages, invitationsApi } from './invitations-routes.tsx'
import { peopleApi, peoplePages } from './people-routes.tsx'
import { requireAdministrator } from './require-administrator.ts'

export type AdminDeps = { sql: Sql; sign_ins: SignIns; files: Files }

export const adminApi = ({ sql, sign_ins, files }: AdminDeps) =>
  new Hono<Env>()
    .use('/admin/*', requireAdministrator(sql, sign_ins))
    .route('/admin', peopleApi(files))
    .route('/admin', invitationsApi)
    .route('/admin', logApi)

const logApi = new Hono<Env>().get(
  '/log',
  operation('List what administrators did', ok(Acts, 'One page, the latest act first'), {
    description: `${for_administrators} Includes the command line.`,
  }),
  validQuery(LogQuery),
  async c => c.json(await c.var.desk.log.page(c.req.valid('query').cursor)),
)

export const adminPages = (files: Files, service_quota_gb: number) =>
  new Hono<Env>()
    .route('/', peoplePages(files, service_quota_gb))
    .route('/', invitationPages)
    .get('/admin/log', valid('query', LogQuery), async c => {
      const log = await c.var.desk.log.page(c.req.valid('query').cursor)
      return c.render(<LogPage page={pageOf(c)} {...log} />)
    })
