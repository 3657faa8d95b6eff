/** The months in which there are videos, for the jump to one of them where no script opens the menu. */
import type { MonthOfVideos, VideoSort } from '../../schema/videos/video-order.ts'
import type { PageContext } from '../ui/context.ts'
import { Layout } from '../ui/layout.tsx'
import { Months } from './months.tsx'

type Props = { page: PageContext; path: string; sort: VideoSort; months: MonthOfVideos[] }

export const MonthsPage = ({ page, path, sort, months }: Props) => (
  <Layout page={page} title="Months">
    <header class="heading">
      <h1>Months</h1>
    </header>
    <Months path={path} sort={sort} months={months} />
  </Layout>
)
