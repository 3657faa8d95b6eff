/** What the search page says about saved searches: how to save, rename or remove the one that is shown, or which there are. */
import type { Child } from 'hono/jsx'
import { savedSearchPath, searches_path, searchPath } from '../../schema/http/paths.ts'
import type { SavedSearch, SearchOf } from '../../schema/search/saved-search.ts'
import { max_name_letters } from '../../schema/values/fields.ts'
import { Button, NameField, Post } from '../ui/forms.tsx'
import { Icon } from '../ui/icon.tsx'

/** `searches`: all that are saved. */
export type Saving = { searches: SavedSearch[]; refused?: RefusedName | undefined }

type Props = Saving & { shown: SearchOf }

/** The name as it was typed, and why it was refused. `saved_search_id`: of the search to rename; absent: a new one. */
export type RefusedName = { saved_search_id?: string | undefined; name: string; error: string | undefined }

export const SavedSearches = ({ shown, searches, refused }: Props) =>
  shown.q === '' ? (
    <SearchList searches={searches} />
  ) : (
    <>
      {/* One search can be saved under several names. */}
      {savedAs(shown, searches).map(search => (
        <Saved search={search} refused={refused?.saved_search_id === search.saved_search_id ? refused : undefined} />
      ))}
    </>
  )

const savedAs = (shown: SearchOf, searches: SavedSearch[]) =>
  searches.filter(({ q, sort }) => q === shown.q && sort === shown.sort)

type Refused = { refused: RefusedName | undefined }

const Saved = ({ search, refused }: Refused & { search: SavedSearch }) => (
  <div class="save-search">
    <p class="quiet">
      <Icon name="bookmark" />
      <span>
        Saved as <bdi>{search.name}</bdi>
      </span>
    </p>
    <NameMenu
      id={`name-${search.saved_search_id}`}
      label={
        <>
          Rename <span class="spoken">{search.name}</span>
        </>
      }
      action={savedSearchPath(search)}
      name={refused?.name ?? search.name}
      error={refused?.error}
    />
    <Post action={`${savedSearchPath(search)}/delete`} kind="quiet">
      Remove <span class="spoken">{search.name}</span>
    </Post>
  </div>
)

/** An item of the menu of filters; after a refused name, a menu of its own that is open. */
export const SaveSearch = ({ shown, searches, refused }: Props) =>
  savedAs(shown, searches).length > 0 ? null : (
    <NameMenu
      kind={isRefused({ refused }) ? 'menu' : 'ask'}
      label="Save this search"
      action={searches_path}
      name={refused?.name ?? nameFor(shown.q)}
      error={refused?.error}
      search={shown}
    />
  )

/** Whether the name of a search that is not saved yet was refused. */
export const isRefused = ({ refused }: Pick<Saving, 'refused'>): boolean =>
  refused !== undefined && refused.saved_search_id === undefined

/** A name that the query gives, as long as a name may be. */
const nameFor = (q: string): string => [...q].slice(0, max_name_letters).join('')

type MenuProps = {
  /** `ask`: inside another menu. */
  kind?: 'menu' | 'ask'
  label: Child
  action: string
  id?: string
  name: string
  error: string | undefined
  search?: SearchOf
}

const NameMenu = ({ kind = 'menu', label, action, id, name, error, search }: MenuProps) => (
  <details class={kind} open={error !== undefined}>
    <summary class={kind === 'ask' ? 'item' : 'button quiet'}>{label}</summary>
    <form class={kind === 'ask' ? undefined : 'panel'} method="post" action={action}>
      {search && <input type="hidden" name="q" value={search.q} />}
      {search && <input type="hidden" name="sort" value={search.sort} />}
      <NameField id={id} value={name} error={error} />
      <Button>Save</Button>
    </form>
  </details>
)

/** Where the column is displayed, it has them. */
const SearchList = ({ searches }: { searches: SavedSearch[] }) =>
  searches.length === 0 ? null : (
    <section class="group saved-searches">
      <h2>Saved searches</h2>
      <ul>
        {searches.map(({ name, q, sort }) => (
          <li>
            <a href={searchPath({ q, sort })}>
              <Icon name="search" />
              <bdi class="name">{name}</bdi>
              {name !== q && <span class="quiet">{q}</span>}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
