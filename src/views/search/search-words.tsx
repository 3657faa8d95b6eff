/** What can be typed into the search field: a few examples, the words that are understood, and suggestions below the field. */

import { pathWith, watchPath } from '../../schema/http/paths.ts'
import type { SearchSuggestion } from '../../schema/search/search-suggestions.ts'

type Way = { typed: string; finds: string }

/** Examples that can be pressed, and what each finds. */
export const SearchExamples = () => (
  <div class="how-to">
    <section class="group">
      <h2>Examples</h2>
      <Ways ways={examples} />
    </section>
    <details>
      <summary>Search words</summary>
      <Ways ways={words} />
    </details>
  </div>
)

const Ways = ({ ways }: { ways: Way[] }) => (
  <dl>
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

const examples: Way[] = [
  { typed: 'sourdough bread', finds: 'Both words, in any order.' },
  { typed: '"slow kitchen"', finds: 'This exact phrase, also where it is said.' },
  { typed: 'bread longer:20m', finds: 'A word and a filter.' },
]

const words: Way[] = [
  { typed: 'sourdough bre', finds: 'The last word can be incomplete.' },
  { typed: 'bread -trailer', finds: 'The first word, but not the second.' },
  { typed: 'bread or cake', finds: 'Either word.' },
  { typed: 'https://youtu.be/dQw4w9WgXcQ', finds: 'The video or the channel at this address.' },
  { typed: 'on:disk is:unwatched', finds: 'Filters alone, or together with words. All of them must fit.' },
  { typed: 'is:started', finds: 'Also watched, later, hidden, live, short, queued, downloading and failed.' },
  {
    typed: 'channel:kitchen',
    finds: 'Part of the name of a channel; group: for a group. A name with spaces is in quotes.',
  },
  { typed: 'after:2024 before:2025', finds: 'Published in 2024. A month is 2024-03, a day 2024-03-31.' },
  { typed: 'after:30d', finds: 'Published in the last 30 days; 2w, 3m and 1y are weeks, months and a year.' },
  { typed: 'longer:20m shorter:1h30m', finds: 'Between 20 and 90 minutes long.' },
  { typed: '-is:short', finds: 'A minus leaves out what fits the filter.' },
]

/** The options below a search field. The script `page/search-suggestions.js` shows them, and puts `data-search` into the field. */
export const SearchSuggestions = ({ suggestions }: { suggestions: SearchSuggestion[] }) => (
  <>
    {suggestions.map(({ search, typed, means, video_id }, at) => (
      <div
        role="option"
        tabIndex={-1}
        id={`suggestion-${at}`}
        data-search={search}
        data-leads-to={video_id && watchPath({ video_id })}
        aria-selected="false"
      >
        <span class="typed" dir="auto">
          {typed}
        </span>{' '}
        {means && <span class="quiet">{means}</span>}
      </div>
    ))}
  </>
)
