/** The page that stores and deletes the cookies of a person. What was sent is never shown again. */
import { type Context, Hono } from 'hono'
import { forgetCookies, listCookies, type SecretKey, storeCookies } from '../../domain/downloads/cookies.ts'
import { DomainError } from '../../errors.ts'
import { currentTime } from '../../runtime/clock.ts'
import { CookiesForm } from '../../schema/downloads/cookies.ts'
import { isolated } from '../../schema/values/words.ts'
import { CookiesPage } from '../../views/settings/cookies-page.tsx'
import { goTo } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { pageOf } from '../http/page.ts'
import { errorAbove, type FormFields, formPage, orRefusal, textIn, valid } from '../http/valid.ts'

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
