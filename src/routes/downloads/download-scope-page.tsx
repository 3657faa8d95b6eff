/** Downloading many videos at once: the figures of the menu, the question, and taking the request back. */
import { Hono } from 'hono'
import { requestScope, scopeOutlook, scopeQuestion, takeBack } from '../../domain/downloads/download-scopes.ts'
import { ScopeForm, ScopeOf, TakeBackForm } from '../../schema/downloads/download-api.ts'
import { countWords } from '../../schema/values/words.ts'
import type { Files } from '../../store/files.ts'
import { ScopeQuestionPage, Scopes, ScopesPage, scopePath } from '../../views/downloads/download-menu.tsx'
import { back, setFlash } from '../http/answers.tsx'
import { type Env, isFragment } from '../http/context.ts'
import { pageOf } from '../http/page.ts'
import { valid } from '../http/valid.ts'
import { queuedWords } from './downloads-chosen-page.tsx'

export const scopedDownloads = (files: Files, quota_bytes: number | null) =>
  new Hono<Env>()
    .get('/outlook', valid('query', ScopeOf), async c => {
      const of = c.req.valid('query')
      const outlook = await scopeOutlook(c.var.library, of)
      return c.html(
        isFragment(c) ? (
          <Scopes of={of} outlook={outlook} />
        ) : (
          <ScopesPage page={pageOf(c)} of={of} outlook={outlook} />
        ),
      )
    })

    .post('/scope', valid('form', ScopeForm), async c => {
      const { confirmed, ...scope } = c.req.valid('form')
      const question = confirmed ? undefined : await scopeQuestion(c.var.library, files, scope, quota_bytes)
      if (question) return c.html(<ScopeQuestionPage page={pageOf(c)} scope={scope} question={question} />)
      const requested_at = new Date()
      const results = await requestScope(c.var.library, scope, requested_at)
      const undo = { do: 'take_back', requested_at: requested_at.toISOString() } as const
      setFlash(c, { kind: 'done', text: queuedWords(results), ...(results.length > 0 && { undo }) })
      return c.redirect(scopePath(scope), 303)
    })

    .post('/take-back', valid('form', TakeBackForm), async c => {
      const cancelled = await takeBack(c.var.library, c.req.valid('form').requested_at)
      const text =
        cancelled === 0 ? 'These downloads have started already.' : `${countWords(cancelled, 'download')} cancelled.`
      setFlash(c, { kind: 'done', text })
      return back(c, '/downloads')
    })
