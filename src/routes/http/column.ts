/** Reads what the column beside a page shows. A fragment has no column. */
import type { Context } from 'hono'
import type { LibraryColumn } from '../../schema/search/saved-search.ts'
import { type Env, isFragment } from './context.ts'

export const columnFor = async (c: Context<Env>): Promise<LibraryColumn | undefined> =>
  isFragment(c) ? undefined : c.var.library.groups.column()
