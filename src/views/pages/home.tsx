/** The newest videos over all channels: what is new since the last look, and what came before. */
import type { News, Video } from '../../schema/video.ts'
import { AddChannel } from '../parts/add-channel.tsx'
import { Chips } from '../parts/chips.tsx'
import type { PageContext } from '../parts/context.ts'
import { Button } from '../parts/forms.tsx'
import { Layout } from '../parts/layout.tsx'
import { Older, videos_id } from '../parts/older.tsx'
import { movingIds, Polling } from '../parts/polling.tsx'
import { Unfinished } from '../parts/unfinished.tsx'
import { VideoGrid } from '../parts/video-card.tsx'
import { countWords, momentWords, pathWith, relativeWords } from '../parts/words.ts'

type Filter = { seen?: boolean | undefined; cursor?: string | undefined }
type HomeProps = { page: PageContext; news: News; filter: Filter }

export const HomePage = ({ page, news, filter: { seen, cursor } }: HomeProps) => (
  <Layout page={page} title="New">
    <header class="heading">
      <h1>New for you</h1>
      {news.followed > 0 && <p class="quiet">From {countWords(news.followed, 'channel')}, newest first</p>}
    </header>
    {news.followed === 0 ? (
      <AddChannel first values={{ url: '' }} errors={{}} />
    ) : (
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
        {/* What appears while this page is read is not marked with it. */}
        <input type="hidden" name="until" value={page.now.toISOString()} />
        <Button busy="Marking">Mark all as seen</Button>
      </form>
    )}
  </div>
)

const kinds: { seen?: boolean; label: string }[] = [
  { label: 'All' },
  { seen: false, label: 'Unseen' },
  { seen: true, label: 'Seen' },
]

function nothing(seen: boolean | undefined): string {
  if (seen === true)
    return 'You have seen nothing yet. What you watch to its end stands here, and what you mark as seen.'
  if (seen === false) return 'You have seen everything. What appears next in your channels shows up here by itself.'
  return 'Nothing has appeared in the channels you follow yet. New videos show up here by themselves.'
}

/** One list, which the next page goes on with. */
const Later = ({ videos, now }: { videos: Video[]; now: Date }) => (
  <section class="news" aria-labelledby="former">
    <h2 id="former">Newest first</h2>
    <VideoGrid id={videos_id} videos={videos} now={now} heading="h3" leads />
  </section>
)

/** What is new stands apart; the last of the lists is the one that goes on. */
function Groups({ page: { now }, news: { videos, new_since } }: { page: PageContext; news: News }) {
  const isNew = ({ first_seen_at }: Video) => new_since !== null && first_seen_at > new_since
  const [fresh, former] = [videos.entries.filter(isNew), videos.entries.filter(video => !isNew(video))]
  return (
    <>
      {fresh.length > 0 && new_since && (
        <section class="news" aria-labelledby="fresh">
          <h2 id="fresh">
            New since <Since date={new_since} now={now} />
          </h2>
          <VideoGrid id={former.length === 0 ? videos_id : undefined} videos={fresh} now={now} heading="h3" leads />
        </section>
      )}
      {former.length > 0 && (
        <section class="news" aria-labelledby="former">
          <h2 id="former">
            {fresh.length > 0 ? (
              'Earlier'
            ) : new_since ? (
              <>
                Nothing new since <Since date={new_since} now={now} />
              </>
            ) : (
              'Newest first'
            )}
          </h2>
          <VideoGrid id={videos_id} videos={former} now={now} heading="h3" leads={fresh.length === 0} />
        </section>
      )}
    </>
  )
}

/** A browser, which knows its time zone, says "yesterday 21:10" instead. */
const Since = ({ date, now }: { date: Date; now: Date }) => (
  <time class="local" datetime={date.toISOString()} title={momentWords(date)}>
    you last looked, {relativeWords(date, now)}
  </time>
)
