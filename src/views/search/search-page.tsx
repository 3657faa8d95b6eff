/** Search over everything a person follows: the field, what was understood of it, and results as the person types. */
import type { Channel } from '../../schema/channels/channel.ts'
import type { LibraryColumn, SearchSort } from '../../schema/search/saved-search.ts'
import type { Highlighted, SearchHit, SearchResult } from '../../schema/search/search.ts'
import { awaitsPicture } from '../../schema/values/picture.ts'
import { countWords, durationWords } from '../../schema/values/words.ts'
import { DownloadCell } from '../downloads/download-cell.tsx'
import { movingIds, Polling } from '../downloads/polling.tsx'
import { ChannelLink, LineFacts } from '../ui/about-video.tsx'
import type { PageContext } from '../ui/context.ts'
import { titleId } from '../ui/element-ids.ts'
import { Button } from '../ui/forms.tsx'
import { Layout } from '../ui/layout.tsx'
import { Older, SearchAsTyped, videos_id } from '../ui/lists.tsx'
import { channelPath, playPath, searchPath, sortOf } from '../ui/paths.ts'
import { Avatar, Thumbnail, watchedPercent } from '../ui/pictures.tsx'
import { PublishedAgo } from '../ui/times.tsx'
import { SavedSearches, type Saving } from './saved-searches.tsx'
import { SearchExamples, SearchFilters, SearchHints, SearchOrder } from './search-filters.tsx'

type SearchedFor = { page: PageContext; q: string; sort: SearchSort; result: SearchResult }
type SearchProps = SearchedFor & { saving: Saving; column?: LibraryColumn | undefined }

export const SearchPage = ({ page, q, sort, result, saving, column }: SearchProps) => {
  const { words, filters, hints } = result
  const is_empty = words === '' && filters.length === 0
  return (
    <Layout
      page={page}
      title={q ? `“${q}”` : 'Search'}
      column={column && { library: column, here: searchPath({ q, sort }) }}
    >
      <header class="heading">
        <h1>Search</h1>
        {/* Outside the part that is swapped, so that screen readers announce its changes. */}
        <p class="quiet" role="status" id="found">
          {is_empty ? searches : foundWords(q, result)}
          {hints.length > 0 && (
            <span class="spoken"> {hints.map(({ typed, hint }) => `${typed}: ${hint}`).join(' ')}</span>
          )}
        </p>
      </header>
      <SearchAsTyped
        path="/search"
        q={q}
        label="Search everything you follow"
        target="results"
        say={['found']}
        also={{ sort: sortOf(sort) }}
        first
      >
        <Button kind="main">Search</Button>
      </SearchAsTyped>
      <div id="results">
        <SearchFilters filters={filters} sort={sort} />
        <SearchHints hints={hints} sort={sort} />
        <SavedSearches shown={{ q, sort }} finds_nothing={is_empty} {...saving} />
        {is_empty ? <SearchExamples /> : <Results page={page} q={q} sort={sort} result={result} />}
        <Polling video_ids={movingIds(result.entries)} />
      </div>
    </Layout>
  )
}

const searches = 'Searches titles, descriptions and what is said in everything you follow.'

function foundWords(q: string, { entries, channels, next_cursor }: SearchResult): string {
  if (entries.length === 0 && channels.length === 0) return `No results for “${q}”.`
  const more = next_cursor === null ? '' : '+'
  if (channels.length === 0) return `${entries.length}${more} ${entries.length === 1 && !more ? 'result' : 'results'}`
  return `${entries.length}${more} ${entries.length === 1 && !more ? 'video' : 'videos'}, ${countWords(channels.length, 'channel')}`
}

const Results = ({ page, q, sort, result: { words, filters, entries, channels, next_cursor } }: SearchedFor) => (
  <>
    {channels.length > 0 && <FoundChannels channels={channels} />}
    {entries.length > 0 && (
      <section class="group">
        <div class="search-heading">
          <h2>Videos</h2>
          {/* Without words, both orders are one. */}
          {words !== '' && <SearchOrder q={q} sort={sort} />}
        </div>
        <ul class="rows" id={videos_id}>
          {entries.map(video => (
            <FoundHit video={video} now={page.now} />
          ))}
        </ul>
      </section>
    )}
    {entries.length === 0 && channels.length === 0 && <NothingFound {...{ words, filters, sort }} />}
    <Older path="/search" parameters={{ q, sort: sortOf(sort) }} cursor={next_cursor} label="More videos" />
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

type NothingProps = Pick<SearchResult, 'words' | 'filters'> & Pick<SearchProps, 'sort'>

const NothingFound = ({ words, filters, sort }: NothingProps) => (
  <p class="empty">
    {filters.length === 0 ? (
      'Try fewer or different words'
    ) : words === '' ? (
      'Remove a filter'
    ) : (
      <a href={searchPath({ q: words, sort })}>Search without filters</a>
    )}
    , or <a href="/channels">follow another channel</a>.
  </p>
)

/** One video among the results, with what was found in it and where it is said. */
const FoundHit = ({ video, now }: { video: SearchHit; now: Date }) => (
  <li class="row">
    <Thumbnail
      video={video}
      is_awaited={awaitsPicture(video)}
      watched_percent={watchedPercent(video)}
      is_seen={video.seen_at !== null}
    />
    <div class="about">
      <h3 class="title" id={titleId(video.video_id)}>
        <a href={playPath(video)}>
          {video.highlights.title ? <MarkedText pieces={video.highlights.title} /> : video.title}
        </a>
      </h3>
      <p class="quiet line">
        <LineFacts video={video} />
        <ChannelLink video={video} /> · <PublishedAgo video={video} now={now} />
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
          <a class="moment" href={playPath(video, { t: start_seconds })}>
            <span class="at">at {durationWords(start_seconds)}</span>
            <span class="line-text" dir="auto">
              <MarkedText pieces={highlighted} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  )

/** A text with the words of the search highlighted. Its pieces are escaped as text. */
const MarkedText = ({ pieces }: { pieces: Highlighted }) => (
  <>{pieces.map(({ text, match }) => (match ? <mark>{text}</mark> : text))}</>
)
