/** What the search page says about saved searches: how to save, rename or remove the one that is shown, or which there are. */
import type { Child } from 'hono/jsx'
import type { SavedSearch, SearchOf } from '../../schema/search/saved-search.ts'
import { max_name_letters } from '../../schema/values/fields.ts'
import { Button, Field } from '../ui/forms.tsx'
import { Icon } from '../ui/icon.tsx'
import { savedSearchPath, searches_path, searchPath } from '../ui/paths.ts'

/** `searches`: all that are saved. */
export type Saving = { searches: SavedSearch[]; refused?: RefusedName | undefined }

/** `finds_nothing`: nothing in it is understood. */
type Props = Saving & { shown: SearchOf; finds_nothing: boolean }

/** The name as it was typed, and why it was refused. `saved_search_id`: of the search to rename; absent: a new one. */
export type RefusedName = { saved_search_id?: string | undefined; name: string; error: string | undefined }

export const SavedSearches = ({ shown, searches, refused, finds_nothing }: Props) => {
  if (shown.q === '') return <SearchList searches={searches} />
  // One search can be saved under several names.
  const saved = searches.filter(({ q, sort }) => q === shown.q && sort === shown.sort)
  if (saved.length === 0) return finds_nothing ? null : <SaveSearch shown={shown} refused={refused} />
  return (
    <>
      {saved.map(search => (
        <Saved search={search} refused={refused?.saved_search_id === search.saved_search_id ? refused : undefined} />
      ))}
    </>
  )
}

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
    <form method="post" action={`${savedSearchPath(search)}/delete`}>
      <Button kind="quiet">
        Remove <span class="spoken">{search.name}</span>
      </Button>
    </form>
  </div>
)

const SaveSearch = ({ shown, refused }: Refused & { shown: SearchOf }) => (
  <div class="save-search">
    <NameMenu
      label="Save this search"
      action={searches_path}
      name={refused?.name ?? nameFor(shown.q)}
      error={refused?.error}
      search={shown}
    />
  </div>
)

/** A name that the query gives, as long as a name may be. */
const nameFor = (q: string): string => [...q].slice(0, max_name_letters).join('')

type MenuProps = {
  label: Child
  action: string
  id?: string
  name: string
  error: string | undefined
  search?: SearchOf
}

const NameMenu = ({ label, action, id, name, error, search }: MenuProps) => (
  <details class="menu" open={error !== undefined}>
    <summary class="button quiet">
      {search && <Icon name="bookmark" />}
      <span>{label}</span>
    </summary>
    <form class="panel" method="post" action={action}>
      {search && <input type="hidden" name="q" value={search.q} />}
      {search && <input type="hidden" name="sort" value={search.sort} />}
      <Field
        label="Name"
        name="name"
        id={id}
        value={name}
        error={error}
        autocomplete="off"
        required
        maxlength={max_name_letters}
      />
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
