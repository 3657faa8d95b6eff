/**
 * The page behind the link in every mail: it ends the mails to one mailbox. It needs no sign-in, because the reader of a mail may have no
 * account, and no session changes what it does. A mail program sends the POST without opening the page (RFC 8058).
 */
import { Hono } from 'hono'
import type { MailEnds } from '../../db/notifications/targets.ts'
import { endMails } from '../../domain/notifications/targets.ts'
import { EndMailsPage } from '../../views/notifications/end-mails-page.tsx'
import type { Env } from '../http/context.ts'
import { pageOf } from '../http/page.ts'

export const endMailsPages = (ends: MailEnds) =>
  new Hono<Env>()
    // A GET ends nothing, because programs that check mails open their links. It looks nothing up, so it tells no one which links work.
    .get('/mails/:secret', c => c.html(<EndMailsPage page={pageOf(c)} secret={c.req.param('secret')} />))

    // The same answer for a secret that is unknown.
    .post('/mails/:secret', async c => {
      await endMails(ends, c.req.param('secret'))
      return c.html(<EndMailsPage page={pageOf(c)} secret={undefined} />)
    })
