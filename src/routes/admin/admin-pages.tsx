/** The pages of the administration: people, invitations and the log. To everyone who is no administrator they do not exist. */
import { Hono } from 'hono'
import { LogQuery } from '../../schema/admin/admin.ts'
import type { Files } from '../../store/files.ts'
import { LogPage } from '../../views/admin/log-page.tsx'
import type { Env } from '../http/context.ts'
import { pageOf } from '../http/page.ts'
import { valid } from '../http/valid.ts'
import { invitationPages } from './invitations-page.tsx'
import { peoplePages } from './people-page.tsx'

export const adminPages = (files: Files, service_quota_gb: number) =>
  new Hono<Env>()
    .route('/', peoplePages(files, service_quota_gb))
    .route('/', invitationPages)
    .get('/admin/log', valid('query', LogQuery), async c => {
      const log = await c.var.desk.log.page(c.req.valid('query').cursor)
      return c.render(<LogPage page={pageOf(c)} {...log} />)
    })
