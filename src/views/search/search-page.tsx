/** Search over everything a person follows: the field, what was understood of it, and results as the person types. */
import type { Channel } from '../../schema/channels/channel.ts'
import type { LibraryColumn } from '../../schema/search/library-column.ts'
import type { SearchResult } from '../../schema/search/search.ts'
import type { SearchSort } from '../../schema/search/search-sort.ts'
import { awaitsPicture } from '../../schema/values/picture.ts'
import { movingIds, Polling } from '../downloads/polling.tsx'
import { Avatar } from '../ui/avatar.tsx'
import type { PageContext } from '../ui/context.ts'
import { Button } from '../ui/forms.tsx'
import { Layout } from '../ui/layout.tsx'
import { Older, videos_id } from '../ui/older.tsx'
import { channelPath, searchPath, sortOf } from '../ui/paths.ts'
import { SearchAsTyped } from '../ui/search-field.tsx'
import { countWords } from '../ui/words.ts'
import { SavedSearches, type Saving } from './saved-searches.tsx'
import { SearchExamples } from './search-examples.tsx'
import { SearchFilters, SearchHints, SearchOrder } from './search-filters.tsx'
import { FoundHit } from './search-hit.tsx'

type Found = { page: PageContext; q: string; sort: SearchSort; result: SearchResult }
type SearchProps = Found & { saving: Saving; column?: LibraryColumn | undefined }

export const SearchPage = ({ page, q, sort, result, saving, column }: SearchProps) => {
  const { words, filters, hints } = result
  const is_empty = words === '' && filters.length === 0
  return (
    <Layout
      page={page}
      title={q ? `“${q}”` : 'Search'}
      column={column && { shown: column, here: searchPath({ q, sort }) }}
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
        say="found"
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

const Results = ({ page, q, sort, result: { words, filters, entries, channels, next_cursor } }: Found) => (
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
