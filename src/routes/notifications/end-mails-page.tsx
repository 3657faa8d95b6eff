/**
 * The page behind the link in every mail: it ends the mails to one mailbox. It needs no sign-in, because the reader of a mail may have no
 * account, and reads no session. A mail program sends the POST without opening the page (RFC 8058), from wherever the program runs: the
 * token is the right, so the origin does not matter.
 */
import { type Context, Hono } from 'hono'
import type { MailEnds } from '../../db/notifications/targets.ts'
import { endMails } from '../../domain/notifications/targets.ts'
import { EndMailsPage } from '../../views/notifications/end-mails-page.tsx'
import type { Env } from '../http/context.ts'
import type { CountSignedOut } from '../http/request-limits.ts'
import { before } from '../http/steps.ts'

type Limits = { limitByAddress: (c: Context<Env>) => void; countSignedOut: CountSignedOut }

export const endMailsPages = (ends: MailEnds, { limitByAddress, countSignedOut }: Limits) =>
  new Hono<Env>()
    .use(
      '/mails/*',
      before(limitByAddress, c => countSignedOut(c.get('client'))),
    )

    // A GET ends nothing, because programs that check mails open their links. It looks nothing up, so it tells no one which links work.
    .get('/mails/:token', c => c.render(<EndMailsPage versions={c.get('versions')} token={c.req.param('token')} />))

    // An unknown token gets the same answer.
    .post('/mails/:token', async c => {
      await endMails(ends, c.req.param('token'))
      return c.render(<EndMailsPage versions={c.get('versions')} token={undefined} />)
    })
