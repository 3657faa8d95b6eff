/** The orders of search results. */
import { z } from 'zod'

/** By relevance: matches in the title first. Without words to search for, the two are one. */
export const SearchSort = z.enum(['relevance', 'newest'])
export type SearchSort = z.infer<typeof SearchSort>
