/** The history: what the person has watched, the last one first, under the days. */

import { history_path } from '../../schema/http/paths.ts'
import type { LibraryColumn } from '../../schema/search/saved-search.ts'
import type { Page } from '../../schema/videos/video.ts'
import type { WatchedVideo } from '../../schema/watching/watch-history.ts'
import { movingIds, Polling } from '../downloads/polling.tsx'
import type { PageContext } from '../frames/context.ts'
import { Layout } from '../frames/layout.tsx'
import { titleId } from '../ui/element-ids.ts'
import { Post } from '../ui/forms.tsx'
import { Icon } from '../ui/icon.tsx'
import { Older, SearchAsTyped, videos_id } from '../ui/lists.tsx'
import { MoreMenu } from '../ui/menus.tsx'
import { Ago } from '../ui/times.tsx'
import { dayOf, headingsOf } from '../videos/day-grid.tsx'
import { forget_path, OwnRow } from './own-row.tsx'

type Props = {
  page: PageContext
  column: LibraryColumn | undefined
  watched: Page<WatchedVideo>
  q: string
  time_zone: string
  /** On a further page: the day of the last video before. */
  day_above?: string | undefined
}

export const HistoryPage = ({ page, column, watched: { entries, next_cursor }, q, time_zone, day_above }: Props) => {
  const last = entries.at(-1)
  const day = last && dayOf(datedBy(last), page.now, time_zone)
  return (
    <Layout page={page} title="History" column={column && { library: column, here: history_path }}>
      <header class="own-head">
        <h1>History</h1>
        {(entries.length > 0 || q !== '') && (
          <>
            <SearchAsTyped path={history_path} q={q} label="Search your history" target="shown" />
            <MoreMenu label="Actions for the history">
              <Post action={`${history_path}/clear`} class="item">
                Clear history
              </Post>
            </MoreMenu>
          </>
        )}
      </header>
      <div id="shown">
        {entries.length === 0 ? (
          <p class="empty">{q ? 'No video matches.' : 'Nothing watched yet. Videos that you play will appear here.'}</p>
        ) : (
          <div id={videos_id}>
            {daysOf(entries, page.now, time_zone, day_above).map(({ heading, videos }) => (
              <section class="day-rows">
                {heading && <h2 class="day">{heading}</h2>}
                <ul class="rows of-videos">
                  {videos.map(video => (
                    <OwnRow
                      video={video}
                      now={page.now}
                      heading="h3"
                      line={<Ago at={video.watched_at} now={page.now} />}
                    >
                      <Forget video={video} />
                    </OwnRow>
                  ))}
                </ul>
              </section>
            ))}
          </div>
        )}
        <Older path={history_path} parameters={{ q, day }} cursor={next_cursor} />
      </div>
      <Polling video_ids={movingIds(entries)} />
    </Layout>
  )
}

/** With a script, the menu of the video has this. */
const Forget = ({ video: { video_id } }: { video: WatchedVideo }) => (
  <Post
    action={forget_path}
    form_class="take-out scriptless"
    fields={{ video_id }}
    kind="quiet"
    aria-label="Remove from history"
    aria-describedby={titleId(video_id)}
  >
    <Icon name="close" />
  </Post>
)

/** The day headings go by this date. */
const datedBy = ({ watched_at }: WatchedVideo) => ({ published_at: null, first_seen_at: watched_at })

type Day = { heading: string | undefined; videos: WatchedVideo[] }

/** Without a heading: the videos continue the day above. */
function daysOf(videos: WatchedVideo[], now: Date, time_zone: string, day_above: string | undefined): Day[] {
  const headings = headingsOf(videos.map(datedBy), now, time_zone, day_above)
  const days: Day[] = []
  for (const [nth, video] of videos.entries()) {
    const begins = nth === 0 ? dayOf(datedBy(video), now, time_zone) !== day_above : headings[nth] !== headings[nth - 1]
    if (nth === 0 || begins) days.push({ heading: begins ? headings[nth] : undefined, videos: [] })
    days.at(-1)?.videos.push(video)
  }
  return days
}
