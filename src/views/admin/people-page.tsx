/** All people of the service, searched and sorted: who they are, when they were last here, and how much space they use. */
import { type PeopleSort, type Person, people_sorts } from '../../schema/admin/admin.ts'
import { admin_path, pathWith, personPath } from '../../schema/http/paths.ts'
import { bytesWords } from '../../schema/values/words.ts'
import { AdministrationFrame } from '../frames/administration.tsx'
import type { PageContext } from '../frames/context.ts'
import { About, Older, OrderMenu, SearchAsTyped } from '../ui/lists.tsx'
import { Ago } from '../ui/times.tsx'

export type PeopleShown = { people: Person[]; q: string; sort: PeopleSort; next_cursor: string | null }

type Props = {
  page: PageContext
  shown: PeopleShown
  /** The quota of people who have none of their own; 0: no limit. */
  service_quota_gb: number
}

export const PeoplePage = ({ page, shown, service_quota_gb }: Props) => (
  <AdministrationFrame page={page} title="People">
    {hasChoices(shown) && <Choices shown={shown} />}
    <div id="shown">
      {shown.people.length === 0 ? (
        <p class="empty">
          No name contains “{shown.q}”. <a href={admin_path}>Show all</a>
        </p>
      ) : (
        <ul class="rows" id="people">
          {shown.people.map(person => (
            <PersonRow page={page} person={person} service_quota_gb={service_quota_gb} />
          ))}
        </ul>
      )}
      <Older
        path={admin_path}
        parameters={parametersOf(shown)}
        cursor={shown.next_cursor}
        list="people"
        label="More people"
      />
    </div>
  </AdministrationFrame>
)

/** One person is neither searched nor sorted. */
const hasChoices = ({ people, q, sort }: PeopleShown) => people.length > 1 || q !== '' || sort !== 'name'

const parametersOf = ({ q, sort }: Pick<PeopleShown, 'q' | 'sort'>) => ({
  q,
  sort: sort === 'name' ? undefined : sort,
})

const Choices = ({ shown }: { shown: PeopleShown }) => (
  <div class="filters">
    <OrderMenu
      order={shown.sort}
      orders={people_sorts}
      labels={labels}
      hrefOf={sort => pathWith(admin_path, parametersOf({ ...shown, sort }))}
    />
    <SearchAsTyped
      path={admin_path}
      q={shown.q}
      label="Find a person"
      placeholder="Find a person"
      target="shown"
      also={{ sort: parametersOf(shown).sort }}
    />
  </div>
)

const labels = {
  name: 'By name',
  last_visit: 'Last visit',
  bytes: 'Size',
  created: 'Newest account',
} satisfies Record<PeopleSort, string>

type RowProps = { page: PageContext; person: Person; service_quota_gb: number }

const PersonRow = ({ page, person, service_quota_gb }: RowProps) => (
  <li class="row">
    <About title={<a href={personPath(person)}>{person.username}</a>}>
      <PersonState page={page} person={person} />
    </About>
    <p class="size quiet">{spaceWords(person, service_quota_gb)}</p>
  </li>
)

/** "Administrator · last visit 3 days ago", or "You · Administrator". */
export const PersonState = ({ page, person }: Pick<RowProps, 'page' | 'person'>) => (
  <>
    {isSelf(page, person) && 'You · '}
    {person.role === 'admin' ? 'Administrator' : 'Member'}
    {person.locked_at && (
      <>
        {' · '}
        <span class="fault">
          locked <Ago at={person.locked_at} now={page.now} />
        </span>
      </>
    )}
    {!isSelf(page, person) && (
      <>
        {' · '}
        {person.last_seen_at ? <Ago words="last visit " at={person.last_seen_at} now={page.now} /> : 'never visited'}
      </>
    )}
  </>
)

export const isSelf = ({ user }: PageContext, { username }: Person): boolean => user?.username === username

/** "12 GB of 50 GB", "12 GB" where there is no limit. */
export function spaceWords({ on_disk_bytes, quota_gb }: Person, service_quota_gb: number): string {
  const limit_gb = quota_gb ?? service_quota_gb
  return limit_gb === 0 ? bytesWords(on_disk_bytes) : `${bytesWords(on_disk_bytes)} of ${bytesWords(limit_gb * 1e9)}`
}
