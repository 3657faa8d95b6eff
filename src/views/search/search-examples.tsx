/** What can be typed into the search field: examples that can be pressed, and what each finds. */
import { pathWith } from '../ui/paths.ts'

export const SearchExamples = () => (
  <div class="how-to">
    <Ways title="Words" ways={words} />
    <Ways title="Filters" ways={filters} />
  </div>
)

type Way = { typed: string; finds: string }

const Ways = ({ title, ways }: { title: string; ways: Way[] }) => (
  <section class="group">
    <h2>{title}</h2>
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
  </section>
)

const words: Way[] = [
  { typed: 'sourdough bread', finds: 'Both words, in any order. The last word can be incomplete.' },
  { typed: '"slow kitchen"', finds: 'This exact phrase, also where it is said.' },
  { typed: 'bread -trailer', finds: 'The first word, but not the second.' },
  { typed: 'bread or cake', finds: 'Either word.' },
]

const filters: Way[] = [
  { typed: 'on:disk is:unwatched', finds: 'Filters alone, or together with words. All of them must fit.' },
  { typed: 'is:started', finds: 'Also watched, later, dismissed, live, short, queued, downloading and failed.' },
  {
    typed: 'channel:kitchen',
    finds: 'Part of the name of a channel; group: for a group. A name with spaces is in quotes.',
  },
  { typed: 'after:2024 before:2025', finds: 'Published in 2024. A month is 2024-03, a day 2024-03-31.' },
  { typed: 'after:30d', finds: 'Published in the last 30 days; 2w, 3m and 1y are weeks, months and a year.' },
  { typed: 'longer:20m shorter:1h30m', finds: 'Between 20 and 90 minutes long.' },
  { typed: '-is:short', finds: 'A minus leaves out what fits the filter.' },
]
