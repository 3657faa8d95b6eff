/** What pages say about a deletion: what stays, whether a file can be downloaded again, and how long it can be restored. */
import type { Holdings } from '../../schema/account/account.ts'
import type { WatchedSpace } from '../../schema/downloads/space.ts'
import { bin_path } from '../../schema/http/paths.ts'
import { bytesWords, countWords, hoursWords } from '../../schema/values/words.ts'

export const RecentlyDeleted = ({ bin_hours }: { bin_hours: number }) =>
  bin_hours > 0 ? (
    <p class="quiet lead">
      <a href={bin_path}>Recently deleted</a>
    </p>
  ) : null

/** "This is the only copy. " `only`: how many of the files have no other copy. Empty if `only` is 0. */
export function onlyCopyWords(files: number, only: number): string {
  if (only === 0) return ''
  return files === 1 ? 'This is the only copy. ' : `This is the only copy of ${countWords(only, 'video')}. `
}

/** `undefined`: nothing can be restored. */
export const undoWords = (bin_hours: number, what = 'it'): string | undefined =>
  bin_hours === 0 ? undefined : `You can restore ${what} for ${hoursWords(bin_hours)}.`

/** "This deletes 3 channels, 40 videos and 9.6 GB of files.": with an account. */
export function lossWords({ channels, videos, on_disk_bytes }: Holdings, whose: 'yours' | 'theirs'): string {
  if (channels + videos + on_disk_bytes === 0) return `Nothing of ${whose} is stored here yet.`
  const files = on_disk_bytes === 0 ? 'no files' : `${bytesWords(on_disk_bytes)} of files`
  return `This deletes ${countWords(channels, 'channel')}, ${countWords(videos, 'video')} and ${files}.`
}

/** "2 videos marked “Never delete” and 1 video without another copy stay." */
export function staysWords({ pinned, only_copies }: Pick<WatchedSpace, 'pinned' | 'only_copies'>): string {
  if (pinned + only_copies === 0) return ''
  const parts = [
    pinned > 0 && `${countWords(pinned, 'video')} marked “Never delete”`,
    only_copies > 0 && `${countWords(only_copies, 'video')} without another copy`,
  ].filter(Boolean)
  return `${parts.join(' and ')} ${pinned + only_copies === 1 ? 'stays' : 'stay'}.`
}
