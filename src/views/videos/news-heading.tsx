/** What New shows, in words: all channels, one group, or a list that the person made; and what to do where it is empty. */
import type { Group, NamedGroup } from '../../schema/channels/group.ts'
import type { ShownFilter } from '../../schema/videos/new-page.ts'
import type { News } from '../../schema/videos/video.ts'
import { listPlace } from '../ui/library-column.tsx'
import { groupPath } from '../ui/paths.ts'
import { Since } from '../ui/times.tsx'
import { countWords, relativeWords } from '../ui/words.ts'
import { isNew } from './day-grid.tsx'
import { listWords } from './list-marks.tsx'
import { isLimited, unlimitedPath } from './new-filters.tsx'

/** Without counts where there is no column. */
export type ShownGroup = NamedGroup & Partial<Group>

type Place = { filter: ShownFilter; group: ShownGroup | undefined }

export function placeName({ filter: { later, dismissed }, group }: Place): string {
  if (later) return listWords('later', true)
  if (dismissed) return listWords('dismissed', true)
  return group?.name ?? 'New'
}

/** The line below the name. */
export function PlaceLine({ filter, group, news, now }: Place & { news: News; now: Date }) {
  if (filter.later || filter.dismissed) return <a href="/">Back to New</a>
  if (!group) return news.new_since ? <WhatIsNew news={news} now={now} /> : <>From {channelsWords(news.followed)}</>
  return (
    <>
      {group.channels !== undefined && `${channelsWords(group.channels)} · `}
      {news.new_since && (
        <>
          <WhatIsNew news={news} now={now} /> ·{' '}
        </>
      )}
      <a href={groupPath(group)}>Edit group</a> · <a href={listPlace({})}>Show all channels</a>
    </>
  )
}

const channelsWords = (count: number) => countWords(count, 'channel')

/** "14 new since your last visit, 3 hours ago". Only those of this page are counted. */
function WhatIsNew({ news: { videos, new_since }, now }: { news: News; now: Date }) {
  const count = videos.entries.filter(video => isNew(video, new_since)).length
  const has_more = count === videos.entries.length && videos.next_cursor !== null
  return (
    <>
      {count === 0 ? 'Nothing' : `${count}${has_more ? '+' : ''}`} new{' '}
      {new_since && <Since at={new_since} now={now}>{`since your last visit, ${relativeWords(new_since, now)}`}</Since>}
    </>
  )
}

export const Nothing = ({ filter, group }: Place) =>
  group?.channels === 0 ? (
    <p class="empty">
      This group has no channels yet. <a href={groupPath(group)}>Add channels</a>
    </p>
  ) : (
    <p class="empty">
      {nothingWords(filter)} {isLimited(filter) && <a href={unlimitedPath(filter)}>Show all</a>}
    </p>
  )

function nothingWords({ month, select, group, ...filter }: ShownFilter): string {
  const limits = Object.entries(filter).filter(([, limit]) => limit !== undefined)
  const [[field, limit] = []] = limits
  if (limits.length > 1) return 'No video matches.'
  switch (field) {
    case 'later':
      return 'Nothing on Watch later yet. Open the menu of a video to add it.'
    case 'dismissed':
      return 'Nothing is hidden. "Not for me" in the menu of a video hides it from New.'
    case 'on_disk':
      return 'Nothing on disk yet. Downloads will appear here.'
    case 'seen':
      return limit === 'true' ? 'Nothing watched yet.' : "You're all caught up. New videos will appear here."
    case undefined:
      return 'No videos yet. New videos will appear here.'
    default:
      return 'No video matches.'
  }
}
