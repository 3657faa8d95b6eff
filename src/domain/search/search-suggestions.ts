/** Suggests how a search can go on, with the names of the user's channels and groups. */
import type { Library } from '../../db/library.ts'
import { folded } from '../../db/words/folded.ts'
import { nameBegunIn, type SearchSuggestion, suggestionsFor } from '../../schema/search/search-suggestions.ts'

const most_names = 8

export async function suggestSearches(library: Library, typed: string, now: Date): Promise<SearchSuggestion[]> {
  const begun = nameBegunIn(typed)
  return suggestionsFor(typed, begun ? await namesWith(library, begun) : [], now)
}

type Begun = NonNullable<ReturnType<typeof nameBegunIn>>

async function namesWith({ groups, search }: Library, { key, name }: Begun): Promise<string[]> {
  if (key === 'channel') return search.channelNames(name, most_names)
  const all = (await groups.names()).map(group => group.name)
  const part = comparable(name)
  return all.filter(given => comparable(given).includes(part)).slice(0, most_names)
}

const comparable = (name: string) => folded(name).toLowerCase()
