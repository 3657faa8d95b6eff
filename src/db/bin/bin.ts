/** One user's bin: deleted files, unfollowed channels and removed videos. It lists, restores and empties them. */
import type { UserId } from '../../schema/values/user.ts'
import type { LibraryLimits } from '../channels/channel-feeds.ts'
import type { Sql } from '../postgres/client.ts'
import { type OnlyCopies, onlyCopiesOf } from '../rows/only-copies.ts'
import { type BinChannels, binChannelsOf } from './bin-channels.ts'
import { type BinFiles, binFilesOf } from './bin-files.ts'
import { type BinPages, binPagesOf } from './bin-pages.ts'

export interface Bin extends BinPages, BinFiles, BinChannels {
  /** Files that are not in the bin yet, and could not be downloaded again. */
  readonly onlyCopies: OnlyCopies
}

export const binOf = (sql: Sql, user_id: UserId, limits: LibraryLimits): Bin => ({
  ...binPagesOf(sql, user_id),
  ...binFilesOf(sql, user_id),
  ...binChannelsOf(sql, user_id, limits),
  onlyCopies: onlyCopiesOf(sql, user_id),
})
