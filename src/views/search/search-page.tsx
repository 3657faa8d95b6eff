/** Search over everything a person follows: what was understood of it, filters, and results as the person types. */
import type { Channel } from '../../schema/channels/channel.ts'
import type { NamedGroup } from '../../schema/channels/group.ts'
import { channelPath, pathWith, searchPath, sortOf } from '../../schema/http/paths.ts'
import type { LibraryColumn, SearchSort } from '../../schema/search/saved-search.ts'
import type { MissingAddress, SearchResult } from '../../schema/search/search.ts'
import { countWords } from '../../schema/values/words.ts'
import { movingIds, Polling } from '../downloads/polling.tsx'
import type { PageContext } from '../frames/context.ts'
import { Layout } from '../frames/layout.tsx'
import { Avatar } from '../parts/thumbnails.tsx'
import { Older, videos_id } from '../ui/lists.tsx'
import { SearchFilters, SearchHints } from './filter-chips.tsx'
import { isRefused, SavedSearches, SaveSearch, type Saving } from './save-search.tsx'
import { Hit } from './search-hits.tsx'
import { SearchExamples } from './search-words.tsx'

type SearchedFor = { page: PageContext; q: string; sort: SearchSort; result: SearchResult }
type SearchProps = SearchedFor & { saving: Saving; groups: NamedGroup[]; column?: LibraryColumn | undefined }

export const SearchPage = ({ page, q, sort, result, saving, groups, column }: SearchProps) => {
  const { words, filters, hints } = result
  const is_empty = words === '' && filters.length === 0
  const shown = { q, sort }
  return (
    <Layout
      page={page}
      title={q ? `“${q}”` : 'Search'}
      column={column && { library: column, here: searchPath(shown) }}
      searched={shown}
    >
      <header class="heading of-search">
        <h1>Search</h1>
        {/* Outside the part that is swapped, so that screen readers announce its changes. */}
        <p class="quiet" role="status" id="found">
          {is_empty ? searches : foundWords(q, result)}
          {hints.length > 0 && (
            <span class="spoken"> {hints.map(({ typed, hint }) => `${typed}: ${hint}`).join(' ')}</span>
          )}
        </p>
      </header>
      <div id="results">
        <SearchFilters {...shown} result={result} channels={channelsIn(result, column)} groups={groups}>
          {!is_empty && !isRefused(saving) && <SaveSearch shown={shown} {...saving} />}
        </SearchFilters>
        {isRefused(saving) && (
          <div class="save-search">
            <SaveSearch shown={shown} {...saving} />
          </div>
        )}
        <SearchHints hints={hints} sort={sort} />
        <SavedSearches shown={shown} {...saving} />
        {is_empty ? <SearchExamples /> : <Results page={page} q={q} sort={sort} result={result} />}
        <Polling video_ids={movingIds(result.entries)} />
      </div>
    </Layout>
  )
}

const searches = 'Searches titles, descriptions and what is said in everything you follow.'

/** The names of the channels of the results, or of those with the newest videos. */
const channelsIn = ({ entries }: SearchResult, column: LibraryColumn | undefined): string[] => {
  const found = entries.map(({ channel_title }) => channel_title)
  const names = found.length > 0 ? found : (column?.channels ?? []).map(({ title }) => title)
  return [...new Set(names)].slice(0, max_channels_offered)
}

const max_channels_offered = 10

function foundWords(q: string, { entries, channels, next_cursor }: SearchResult): string {
  if (entries.length === 0 && channels.length === 0) return `No results for “${q}”.`
  if (entries.length === 0) return countWords(channels.length, 'channel')
  const more = next_cursor === null ? '' : '+'
  if (channels.length === 0) return `${entries.length}${more} ${entries.length === 1 && !more ? 'result' : 'results'}`
  return `${entries.length}${more} ${entries.length === 1 && !more ? 'video' : 'videos'}, ${countWords(channels.length, 'channel')}`
}

const Results = ({ page, q, sort, result }: SearchedFor) => {
  const { words, filters, entries, channels, missing, next_cursor } = result
  return (
    <>
      {missing && <MissingOffer {...missing} />}
      {channels.length > 0 && <FoundChannels channels={channels} />}
      {entries.length > 0 && (
        <section class="group">
          <h2 class={channels.length === 0 ? 'spoken' : undefined}>Videos</h2>
          <ul class="rows of-videos hits" id={videos_id}>
            {entries.map(video => (
              <Hit video={video} now={page.now} />
            ))}
          </ul>
        </section>
      )}
      {entries.length === 0 && channels.length === 0 && !missing && (
        <NothingFound words={words} filters={filters} sort={sort} />
      )}
      <Older path="/search" parameters={{ q, sort: sortOf(sort) }} cursor={next_cursor} label="More videos" />
    </>
  )
}

/** The page that it leads to looks at the address, and asks before anything is added. */
const MissingOffer = ({ url, kind }: MissingAddress) => (
  <p class="missing">
    Not in your library.{' '}
    <a class="button main" href={pathWith('/channels/new', { url })}>
      {offers[kind]}
    </a>
  </p>
)

const offers = {
  video: 'Add this video',
  channel: 'Follow this channel',
  unknown: 'Add this link',
} satisfies Record<MissingAddress['kind'], string>

const FoundChannels = ({ channels }: { channels: Channel[] }) => (
  <section class="group">
    <h2>Channels</h2>
    <ul class="found-channels">
      {channels.map(channel => (
        <li>
          <a class="found-channel" href={channelPath(channel)}>
            <Avatar channel={channel} />
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
