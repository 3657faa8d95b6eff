/** Search over everything a person follows: the field, examples of queries, and results as the person types. */
import type { Channel } from '../../schema/channel.ts'
import { awaitsPicture } from '../../schema/picture.ts'
import type { SearchHit, SearchResult } from '../../schema/search.ts'
import { Avatar } from '../parts/avatar.tsx'
import { titleId } from '../parts/cell-ids.ts'
import type { PageContext } from '../parts/context.ts'
import { DownloadCell } from '../parts/download-cell.tsx'
import { LineFacts } from '../parts/facts.tsx'
import { Button } from '../parts/forms.tsx'
import { Layout } from '../parts/layout.tsx'
import { MarkedText } from '../parts/marked.tsx'
import { Older, videos_id } from '../parts/older.tsx'
import { movingIds, Polling } from '../parts/polling.tsx'
import { SearchAsTyped } from '../parts/search-field.tsx'
import { shownOf, watchedPercent } from '../parts/shown-video.ts'
import { Thumbnail } from '../parts/thumbnail.tsx'
import { When } from '../parts/times.tsx'
import { ChannelLink } from '../parts/video-title.tsx'
import { channelPath, countWords, durationWords, pathWith, watchPath } from '../parts/words.ts'

type SearchProps = { page: PageContext; q: string; result: SearchResult }

export const SearchPage = ({ page, q, result }: SearchProps) => (
  <Layout page={page} title={q ? `“${q}”` : 'Search'}>
    <header class="heading">
      <h1>Search</h1>
      {/* Outside the part that is swapped, so that screen readers announce its changes. */}
      <p class="quiet" role="status" id="found">
        {foundWords(q, result)}
      </p>
    </header>
    <SearchAsTyped path="/search" q={q} label="Search everything you follow" target="results" say="found" first>
      <Button kind="main">Search</Button>
    </SearchAsTyped>
    <div id="results">
      {q === '' ? <HowTo /> : <Results page={page} q={q} result={result} />}
      <Polling video_ids={movingIds(result.entries)} />
    </div>
  </Layout>
)

function foundWords(q: string, { entries, channels, next_cursor }: SearchResult): string {
  if (q === '') return 'Searches titles, descriptions and what is said in everything you follow.'
  if (entries.length === 0 && channels.length === 0) return `No results for “${q}”.`
  const more = next_cursor === null ? '' : '+'
  if (channels.length === 0) return `${entries.length}${more} ${entries.length === 1 && !more ? 'result' : 'results'}`
  return `${entries.length}${more} ${entries.length === 1 && !more ? 'video' : 'videos'}, ${countWords(channels.length, 'channel')}`
}

const Results = ({ page, q, result: { entries, channels, next_cursor } }: SearchProps) => (
  <>
    {channels.length > 0 && <FoundChannels channels={channels} />}
    {entries.length > 0 && (
      <section class="group">
        <h2>Videos</h2>
        <ul class="rows" id={videos_id}>
          {entries.map(video => (
            <FoundVideo video={video} now={page.now} />
          ))}
        </ul>
      </section>
    )}
    {entries.length === 0 && channels.length === 0 && <NothingFound />}
    <Older path="/search" parameters={{ q }} cursor={next_cursor} label="More videos" />
  </>
)

const FoundChannels = ({ channels }: { channels: Channel[] }) => (
  <section class="group">
    <h2>Channels</h2>
    <ul class="found-channels">
      {channels.map(channel => (
        <li>
          <a class="found-channel" href={channelPath(channel)}>
            <Avatar channel={channel} is_awaited={awaitsPicture(channel)} />
            <span class="name">{channel.title}</span>
          </a>
        </li>
      ))}
    </ul>
  </section>
)

const FoundVideo = ({ video, now }: { video: SearchHit; now: Date }) => (
  <li class="row">
    <Thumbnail
      video={video}
      is_awaited={awaitsPicture(video)}
      watched_percent={watchedPercent(video)}
      is_seen={video.seen_at !== null}
    />
    <div class="about">
      <h3 class="title" id={titleId(video.video_id)}>
        <a href={watchPath(video)}>
          {video.highlights.title ? <MarkedText pieces={video.highlights.title} /> : video.title}
        </a>
      </h3>
      <p class="quiet line">
        <LineFacts video={video} />
        <ChannelLink video={video} /> · <When video={shownOf(video, now)} />
      </p>
      {video.highlights.description && (
        <p class="quiet fragment">
          <MarkedText pieces={video.highlights.description} />
        </p>
      )}
      <Moments video={video} />
    </div>
    <DownloadCell download={video} now={now} />
  </li>
)

/** Where the words are said. Each place leads to the video, which starts there. */
const Moments = ({ video }: { video: SearchHit }) =>
  video.moments.length === 0 ? null : (
    <ul class="moments" aria-label="Where it is said">
      {video.moments.map(({ start_seconds, highlighted }) => (
        <li>
          <a class="moment" href={`${watchPath(video)}?t=${start_seconds}`}>
            <span class="at">at {durationWords(start_seconds)}</span>
            <span class="line-text" dir="auto">
              <MarkedText pieces={highlighted} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  )

const NothingFound = () => (
  <p class="empty">
    Try fewer or different words, or <a href="/channels">follow another channel</a>.
  </p>
)

const HowTo = () => (
  <dl class="how-to">
    {ways.map(({ typed, finds }) => (
      <>
        <dt>
          <a class="way" href={pathWith('/search', { q: typed })}>
            <code>{typed}</code>
          </a>
        </dt>
        <dd>{finds}</dd>
      </>
    ))}
  </dl>
)

const ways = [
  { typed: 'sourdough bread', finds: 'Both words, in any order. The last word can be incomplete.' },
  { typed: '"slow kitchen"', finds: 'This exact phrase, also where it is said.' },
  { typed: 'bread -trailer', finds: 'The first word, but not the second.' },
  { typed: 'bread or cake', finds: 'Either word.' },
]
