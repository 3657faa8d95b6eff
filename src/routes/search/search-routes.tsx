/** Search in everything a person follows, and their saved searches. */
import { type Context, Hono } from 'hono'
import type { z } from 'zod'
import {
  changeSavedSearch,
  deleteSavedSearch,
  getSavedSearch,
  restoreSavedSearch,
  saveSearch,
} from '../../domain/search/saved-searches.ts'
import { search, suggestSearches } from '../../domain/search/search.ts'
import { DomainError } from '../../errors.ts'
import { currentTime } from '../../runtime/clock.ts'
import { searches_path, searchPath } from '../../schema/http/paths.ts'
import {
  RenameSearchForm,
  SavedSearch,
  SavedSearches,
  SavedSearchRequest,
  SearchSort,
} from '../../schema/search/saved-search.ts'
import { SearchQuery, SearchResult, SuggestionsQuery } from '../../schema/search/search.ts'
import { isolated } from '../../schema/values/words.ts'
import type { RefusedName } from '../../views/search/save-search.tsx'
import { SearchPage } from '../../views/search/search-page.tsx'
import { SearchSuggestions } from '../../views/search/search-words.tsx'
import { acknowledge, goTo, restored, undoable } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { created, done, ok, operation, validJson, validQuery } from '../http/operation.ts'
import { columnFor, pageOf } from '../http/page.ts'
import { errorsAt, type FormFields, formPage, orRefusal, textIn, valid } from '../http/valid.ts'

export const searchApi = new Hono<Env>()
  .get(
    '/search',
    operation(
      'Search for videos by title, description and what is said, limited by filters, and for channels by title',
      ok(SearchResult, 'One page. A filter that is wrong is left out, and answered with a hint'),
    ),
    validQuery(SearchQuery),
    async c => c.json(await search(c.var.library, c.req.valid('query'))),
  )

  .get('/searches', operation('List your saved searches', ok(SavedSearches, 'Ordered by name')), async c =>
    c.json({ searches: await c.var.library.searches.list() }),
  )

  .post(
    '/searches',
    operation('Save a search', created(SavedSearch, 'The saved search'), { errors: [409] }),
    validJson(SavedSearchRequest),
    async c => c.json(await saveSearch(c.var.library, c.req.valid('json')), 201),
  )

  .put(
    '/searches/:saved_search_id',
    operation('Rename a saved search, or change what it searches for', ok(SavedSearch, 'The saved search'), {
      errors: [409],
    }),
    validJson(SavedSearchRequest),
    async c => c.json(await changeSavedSearch(c.var.library, c.req.param('saved_search_id'), c.req.valid('json'))),
  )

  .delete('/searches/:saved_search_id', operation('Remove a saved search', done('Removed')), c =>
    acknowledge(c, deleteSavedSearch(c.var.library, c.req.param('saved_search_id'))),
  )

export const searchPages = new Hono<Env>()
  .get('/search', valid('query', SearchQuery), c => searchPage(c, c.req.valid('query')))
  .get('/search/suggestions', valid('query', SuggestionsQuery), async c => {
    const { q } = c.req.valid('query')
    return c.render(<SearchSuggestions suggestions={await suggestSearches(c.var.library, q, currentTime())} />)
  })

  .post(searches_path, valid('form', SavedSearchRequest, searchAgain), async c => {
    const form = c.req.valid('form')
    const search = await orRefusal(saveSearch(c.var.library, form), ['conflict', 'invalid'])
    if (search instanceof DomainError) return searchAgain(c, search, form)
    return goTo(c, searchPath(search), `Saved the search ${isolated(search.name)}.`)
  })

  .post('/searches/:saved_search_id', valid('form', RenameSearchForm, renameAgain), async c => {
    const form = c.req.valid('form')
    const changing = changeSavedSearch(c.var.library, c.req.param('saved_search_id'), form)
    const search = await orRefusal(changing, ['conflict'])
    if (search instanceof DomainError) return renameAgain(c, search, form)
    return goTo(c, searchPath(search), `Renamed the search to ${isolated(search.name)}.`)
  })

  .post('/searches/:saved_search_id/delete', async c => {
    const { saved_search_id, name, ...search } = await deleteSavedSearch(c.var.library, c.req.param('saved_search_id'))
    const said = undoable(`Removed the search ${isolated(name)}.`, { do: 'restore_search', saved_search_id })
    return goTo(c, searchPath(search), said)
  })

  .post('/searches/:saved_search_id/restore', c =>
    restored(c, 'search', restoreSavedSearch(c.var.library, c.req.param('saved_search_id')), '/search'),
  )

/** Why a search could not be saved under this name. */
type UnsavedSearch = Pick<RefusedName, 'saved_search_id' | 'name'> & { refusal: DomainError }

/** The results, and a form that saves the search. */
async function searchPage(
  c: Context<Env>,
  query: z.infer<typeof SearchQuery>,
  refused?: UnsavedSearch,
): Promise<Response> {
  const { library } = c.var
  const [result, searches, groups, column] = await Promise.all([
    search(library, query),
    library.searches.list(),
    library.groups.names(),
    columnFor(c, true),
  ])
  const { refusal, ...form } = refused ?? { name: '' }
  const error = errorsAt('name', refusal)?.name
  const saving = { searches, refused: refusal && { ...form, error } }
  // A form that is shown again has another address.
  const page = { ...pageOf(c), path: '/search' }
  return formPage(
    c,
    <SearchPage
      page={page}
      q={query.q}
      sort={query.sort}
      result={result}
      saving={saving}
      groups={groups}
      column={column}
    />,
    refusal,
  )
}

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
