/** The cookies that a person stores for sites. They go in, and are never given out. */
import { type Context, Hono } from 'hono'
import { forgetCookies, listCookies, type SecretKey, storeCookies } from '../../domain/downloads/site-cookies.ts'
import { DomainError } from '../../errors.ts'
import { currentTime } from '../../runtime/clock.ts'
import { CookieList, CookiesForm, SiteCookies } from '../../schema/downloads/site-cookies.ts'
import { isolated } from '../../schema/values/words.ts'
import { CookiesPage } from '../../views/settings/cookies-page.tsx'
import { acknowledge, goTo } from '../http/answers.tsx'
import { mediaTypeOf } from '../http/body-limits.ts'
import type { Env } from '../http/context.ts'
import { done, ok, operation } from '../http/operation.ts'
import { pageOf } from '../http/page.ts'
import { errorAbove, type FormFields, formPage, orRefusal, textIn, valid } from '../http/valid.ts'

const file_types = ['text/plain', 'application/octet-stream']

export const cookiesApi = (secret_key: SecretKey) =>
  new Hono<Env>()
    .get('/cookies', operation('List the sites for which you stored cookies', ok(CookieList, 'By host')), async c => {
      const all = await listCookies(c.var.library, secret_key)
      return c.json({ cookies: all.map(({ can_open, ...shown }) => shown) })
    })

    .put(
      '/cookies/:host',
      operation('Store your cookies for a site', ok(SiteCookies, 'They replace earlier ones for this host'), {
        description:
          'The body is a cookie file in the Netscape format, of at most 2 MB. Of it, the cookies for this host and for the hosts below it are kept, encrypted, and never given out. A download gets them only after the site has refused it without them, and its file is never shared with another person.',
        files: file_types,
        errors: [409, 422],
      }),
      async c => {
        if (!['', ...file_types].includes(mediaTypeOf(c)))
          throw new DomainError('unsupported_type', 'Send the cookie file itself, as text/plain.')
        const file = { host: c.req.param('host'), text: await c.req.text() }
        return c.json(await storeCookies(c.var.library, secret_key, file, currentTime()))
      },
    )

    .delete(
      '/cookies/:host',
      operation('Delete your cookies for a site', done('No download gets them from now on')),
      c => acknowledge(c, forgetCookies(c.var.library, c.req.param('host'))),
    )

const path = '/settings/cookies'

export function cookiesPages(secret_key: SecretKey) {
  const cookiesPage = async (c: Context<Env>, refusal?: DomainError, fields: FormFields = {}) => {
    const cookies = await listCookies(c.var.library, secret_key)
    const form = { host: textIn(fields.host).slice(0, 300), errors: refusal?.fields ?? {}, error: errorAbove(refusal) }
    const can_store = secret_key !== undefined
    return formPage(c, <CookiesPage page={pageOf(c)} cookies={cookies} can_store={can_store} {...form} />, refusal)
  }

  return new Hono<Env>()
    .get('/', c => cookiesPage(c))

    .post('/', valid('form', CookiesForm, cookiesPage), async c => {
      const { host, file, text } = c.req.valid('form')
      const sent = file instanceof File && file.size > 0 ? await file.text() : text
      const stored = await orRefusal(storeCookies(c.var.library, secret_key, { host, text: sent }, currentTime()))
      if (stored instanceof DomainError) return cookiesPage(c, stored, { host })
      return goTo(c, path, `Stored your cookies for ${isolated(stored.host)}.`)
    })

    .post('/:host/delete', async c => {
      await forgetCookies(c.var.library, c.req.param('host'))
      return goTo(c, path, 'Cookies deleted. No download gets them from now on.')
    })
}
