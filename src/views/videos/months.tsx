/** The jump to a month or a year of a list. The months are fetched when the menu opens; without a script they have a page of their own. */

import { pathWith } from '../../schema/http/paths.ts'
import { monthWords, numberWords } from '../../schema/values/words.ts'
import type { MonthOfVideos, VideoSort } from '../../schema/videos/video-api.ts'
import type { PageContext } from '../frames/context.ts'
import { Heading, Layout } from '../frames/layout.tsx'
import { Icon } from '../ui/icon.tsx'
import { ItemLink } from '../ui/menus.tsx'

/** `path`: of the list, "/" for New. Months are listed at `<path>/months`. */
type MonthsProps = { path: string; sort?: VideoSort | undefined }

/** In a menu: the months open below the item. */
export const MonthFold = ({ path, sort }: MonthsProps) => (
  <details
    class="ask"
    hx-get={monthsPath({ path, sort })}
    hx-trigger="toggle once"
    hx-target={`#${months_id}`}
    hx-select={`#${months_id}`}
    hx-swap="outerMorph"
  >
    <summary class="item">
      Month <Icon name="chevron" />
    </summary>
    <div class="months" id={months_id}>
      <ItemLink href={monthsPath({ path, sort })}>All months</ItemLink>
    </div>
  </details>
)

const months_id = 'months'
const monthsPath = ({ path, sort }: MonthsProps) =>
  pathWith(`${path === '/' ? '' : path}/months`, { sort: sort === 'oldest' ? sort : undefined })

/** The years that have videos, each with its months. */
export const Months = ({ path, sort, months }: MonthsProps & { months: MonthOfVideos[] }) => {
  const to = (month: string) => pathWith(path, { month, sort: sort === 'oldest' ? sort : undefined })
  return (
    <div class="months" id={months_id}>
      {yearsOf(months).map(({ year, count, months }) => (
        <section>
          <ItemLink href={to(year)}>
            {year} <Amount count={count} />
          </ItemLink>
          <p>
            {months.map(({ month, count }) => (
              <a href={to(month)}>
                {monthName(month).slice(0, 3)} <span class="spoken">{year}: </span>
                <Amount count={count} />
              </a>
            ))}
          </p>
        </section>
      ))}
      {months.length === 0 && <p>No videos yet.</p>}
    </div>
  )
}

const Amount = ({ count }: { count: number }) => (
  <>
    <span class="amount">{numberWords(count)}</span> <span class="spoken">{count === 1 ? 'video' : 'videos'}</span>
  </>
)

/** "March 2025", or "2025". */
export const monthName = (month: string): string =>
  month.length === 4 ? month : monthWords(new Date(`${month}-01T00:00:00Z`))

type Year = { year: string; count: number; months: MonthOfVideos[] }

function yearsOf(months: MonthOfVideos[]): Year[] {
  const years = Map.groupBy(months, ({ month }) => month.slice(0, 4))
  return [...years].map(([year, months]) => ({
    year,
    count: months.reduce((sum, { count }) => sum + count, 0),
    months,
  }))
}

type MonthsPageProps = { page: PageContext; path: string; sort: VideoSort; months: MonthOfVideos[] }

/** The months on a page of their own, where no script opens the menu. */
export const MonthsPage = ({ page, path, sort, months }: MonthsPageProps) => (
  <Layout page={page} title="Months">
    <Heading title="Months" />
    <Months path={path} sort={sort} months={months} />
  </Layout>
)
