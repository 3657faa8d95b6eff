/** The newest videos of all channels: those since the person's last visit, then the earlier ones. */
import type { ListedVideo, News } from '../../schema/video.ts'
import { AddChannel } from '../parts/add-channel.tsx'
import { Chips } from '../parts/chips.tsx'
import type { PageContext } from '../parts/context.ts'
import { Button } from '../parts/forms.tsx'
import { Layout } from '../parts/layout.tsx'
import { Older, videos_id } from '../parts/older.tsx'
import { movingIds, Polling } from '../parts/polling.tsx'
import { Since } from '../parts/times.tsx'
import { Unfinished } from '../parts/unfinished.tsx'
import { VideoGrid } from '../parts/video-card.tsx'
import { countWords, pathWith, relativeWords } from '../parts/words.ts'

type Filter = { seen?: boolean | undefined; cursor?: string | undefined }
type HomeProps = { page: PageContext; news: News; filter: Filter }

export const HomePage = ({ page, news, filter: { seen, cursor } }: HomeProps) => (
  <Layout page={page} title="New">
    <header class="heading">
      <h1>New</h1>
      {news.followed > 0 && <p class="quiet">From {countWords(news.followed, 'channel')}</p>}
    </header>
    {news.followed === 0 && <AddChannel first values={{ url: '' }} errors={{}} />}
    {news.followed === 0 && isEmpty(news, seen) ? null : (
      <>
        <Unfinished videos={news.unfinished} />
        <Filters page={page} seen={seen} can_mark={news.videos.entries.some(({ seen_at }) => seen_at === null)} />
        {news.videos.entries.length === 0 ? (
          <p class="empty">{nothing(seen)}</p>
        ) : cursor !== undefined || seen === true ? (
          <Later videos={news.videos.entries} now={page.now} />
        ) : (
          <Groups page={page} news={news} />
        )}
      </>
    )}
    <Older path="/" parameters={{ seen: seen?.toString() }} cursor={news.videos.next_cursor} />
    <Polling video_ids={movingIds(news.videos.entries)} />
  </Layout>
)

/** Someone who follows nothing may have added single videos. */
const isEmpty = ({ videos }: News, seen: boolean | undefined) => videos.entries.length === 0 && seen === undefined

const Filters = ({ page, seen, can_mark }: { page: PageContext; seen: boolean | undefined; can_mark: boolean }) => (
  <div class="filters">
    <Chips
      label="Show"
      chips={kinds.map(kind => ({
        href: pathWith('/', { seen: kind.seen?.toString() }),
        label: kind.label,
        is_here: kind.seen === seen,
      }))}
    />
    {can_mark && (
      <form method="post" action="/videos/seen">
        {/* Videos that arrive while this page is open are not marked. */}
        <input type="hidden" name="until" value={page.now.toISOString()} />
        <Button busy="Marking…">Mark all as watched</Button>
      </form>
    )}
  </div>
)

const kinds: { seen?: boolean; label: string }[] = [
  { label: 'All' },
  { seen: false, label: 'Unwatched' },
  { seen: true, label: 'Watched' },
]

function nothing(seen: boolean | undefined): string {
  if (seen === true) return 'Nothing watched yet.'
  if (seen === false) return "You're all caught up. New videos will appear here."
  return 'No videos yet. New videos will appear here.'
}

/** One list, which the next page continues. */
const Later = ({ videos, now }: { videos: ListedVideo[]; now: Date }) => (
  <section class="news" aria-labelledby="former">
    <h2 id="former">Newest first</h2>
    <VideoGrid id={videos_id} videos={videos} now={now} heading="h3" above={0} />
  </section>
)

/** New videos get a list of their own. The next page continues the last of the lists. */
function Groups({ page: { now }, news: { videos, new_since } }: { page: PageContext; news: News }) {
  const isNew = ({ first_seen_at }: ListedVideo) => new_since !== null && first_seen_at > new_since
  const [fresh, former] = [videos.entries.filter(isNew), videos.entries.filter(video => !isNew(video))]
  return (
    <>
      {fresh.length > 0 && new_since && (
        <section class="news" aria-labelledby="fresh">
          <h2 id="fresh">
            New <LastVisit at={new_since} now={now} />
          </h2>
          <VideoGrid id={former.length === 0 ? videos_id : undefined} videos={fresh} now={now} heading="h3" above={0} />
        </section>
      )}
      {former.length > 0 && (
        <section class="news" aria-labelledby="former">
          <h2 id="former">
            <FormerHeading has_new={fresh.length > 0} new_since={new_since} now={now} />
          </h2>
          <VideoGrid id={videos_id} videos={former} now={now} heading="h3" above={fresh.length} />
        </section>
      )}
    </>
  )
}

const FormerHeading = ({ has_new, new_since, now }: { has_new: boolean; new_since: Date | null; now: Date }) => {
  if (has_new) return <>Earlier</>
  if (!new_since) return <>Newest first</>
  return (
    <>
      Nothing new <LastVisit at={new_since} now={now} />
    </>
  )
}

const LastVisit = ({ at, now }: { at: Date; now: Date }) => (
  <Since at={at} now={now}>
    {`since your last visit, ${relativeWords(at, now)}`}
  </Since>
)
