/** The search page, and saving a search from it: also renaming, removing and restoring it. */
import { type Context, Hono } from 'hono'
import {
  changeSavedSearch,
  deleteSavedSearch,
  getSavedSearch,
  restoreSavedSearch,
  saveSearch,
} from '../../domain/search/saved-searches.ts'
import { DomainError } from '../../errors.ts'
import { RenameSearchForm, SaveSearchForm, SearchSort } from '../../schema/search/saved-search.ts'
import { SearchQuery } from '../../schema/search/search.ts'
import { isolated } from '../../schema/values/words.ts'
import { searches_path, searchPath } from '../../views/ui/paths.ts'
import { back, setFlash } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { type FormFields, orRefusal, valid } from '../http/valid.ts'
import { searchPage, searchPages } from './search-page.tsx'

export const savedSearchPages = new Hono<Env>()
  .route('/', searchPages)

  .post(searches_path, valid('form', SaveSearchForm, searchAgain), async c => {
    const form = c.req.valid('form')
    const search = await orRefusal(saveSearch(c.var.library, form), ['conflict', 'invalid'])
    if (search instanceof DomainError) return searchAgain(c, search, form)
    setFlash(c, { kind: 'done', text: `Saved the search ${isolated(search.name)}.` })
    return c.redirect(searchPath(search), 303)
  })

  .post('/searches/:saved_search_id', valid('form', RenameSearchForm, renameAgain), async c => {
    const form = c.req.valid('form')
    const changing = changeSavedSearch(c.var.library, c.req.param('saved_search_id'), form)
    const search = await orRefusal(changing, ['conflict'])
    if (search instanceof DomainError) return renameAgain(c, search, form)
    setFlash(c, { kind: 'done', text: `Renamed the search to ${isolated(search.name)}.` })
    return c.redirect(searchPath(search), 303)
  })

  .post('/searches/:saved_search_id/delete', async c => {
    const search = await deleteSavedSearch(c.var.library, c.req.param('saved_search_id'))
    const undo = { do: 'restore_search', saved_search_id: search.saved_search_id } as const
    setFlash(c, { kind: 'done', text: `Removed the search ${isolated(search.name)}.`, undo })
    return c.redirect(searchPath(search), 303)
  })

  .post('/searches/:saved_search_id/restore', async c => {
    const restoring = restoreSavedSearch(c.var.library, c.req.param('saved_search_id'))
    const restored = await orRefusal(restoring, ['conflict', 'invalid'])
    if (restored instanceof DomainError) setFlash(c, { kind: 'problem', text: restored.message })
    else setFlash(c, { kind: 'done', text: `Restored the search ${isolated(restored.name)}.` })
    return back(c, '/search')
  })

const textIn = (field: unknown): string => (typeof field === 'string' ? field : '')

/** The results of the search that could not be saved, with its form. */
function searchAgain(c: Context<Env>, refusal: DomainError, { name, q, sort }: FormFields): Promise<Response> {
  return searchPage(c, SearchQuery.parse({ q: textIn(q), sort: SearchSort.catch('relevance').parse(sort) }), {
    refusal,
    name: textIn(name),
  })
}

async function renameAgain(c: Context<Env>, refusal: DomainError, { name }: FormFields): Promise<Response> {
  const search = await getSavedSearch(c.var.library, c.req.param('saved_search_id') ?? '')
  const { saved_search_id } = search
  return searchPage(c, SearchQuery.parse(search), { refusal, saved_search_id, name: textIn(name) })
}
