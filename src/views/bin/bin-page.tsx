/** The page of deleted files and unfollowed channels that can be restored, with the time that is left for each. */
import type { BinItem, BinShown } from '../../schema/bin/bin.ts'
import { bytesWords, countWords, hoursWords, spanWords } from '../../schema/values/words.ts'
import type { PageContext } from '../ui/context.ts'
import { Button } from '../ui/forms.tsx'
import { Icon } from '../ui/icon.tsx'
import { Layout } from '../ui/layout.tsx'
import { Older } from '../ui/lists.tsx'
import { bin_path, channelPath } from '../ui/paths.ts'
import { Ago } from '../ui/times.tsx'

export const BinPage = ({ page, shown }: { page: PageContext; shown: BinShown }) => (
  <Layout page={page} title="Recently deleted">
    <header class="heading">
      <h1>Recently deleted</h1>
      <p class="quiet">
        {shown.files > 0 && `${countWords(shown.files, 'file')}, ${bytesWords(shown.bytes)} · `}
        <a href="/downloads">Downloads</a> · <a href="/channels">Channels</a>
      </p>
      {shown.entries.length > 0 && <Empty shown={shown} />}
    </header>
    {shown.entries.length === 0 ? (
      <p class="empty">
        {page.bin_hours === 0
          ? 'Deleted files are not kept here.'
          : `Nothing here. You can restore deleted files and unfollowed channels for ${hoursWords(page.bin_hours)}.`}
      </p>
    ) : (
      <>
        <ul class="rows" id="deleted">
          {shown.entries.map(item => (
            <Row item={item} now={page.now} />
          ))}
        </ul>
        <Older path={bin_path} parameters={{}} cursor={shown.next_cursor} list="deleted" label="Show more" />
        <p class="quiet">If the disk is full, the oldest files here are deleted earlier.</p>
      </>
    )}
  </Layout>
)

const Empty = ({ shown: { files, bytes } }: { shown: BinShown }) => (
  <details class="menu">
    <summary class="button plain">Empty</summary>
    <form class="panel" method="post" action={`${bin_path}/empty`}>
      <p>
        Delete everything here for good{files > 0 && `, ${countWords(files, 'file')} (${bytesWords(bytes)})`}? This
        cannot be undone.
      </p>
      <Button kind="danger" busy="Deleting…">
        Delete for good
      </Button>
    </form>
  </details>
)

const Row = ({ item, now }: { item: BinItem; now: Date }) => {
  const { title, deleted_at, restorable_until } = item
  const { restore, purge } = pathsOf(item)
  const id = `deleted-${item.kind}-${encodeURIComponent(item.video_id ?? item.channel_id)}`
  return (
    <li class="row">
      <div class="about">
        <h2 class="title" id={id} dir="auto">
          {title}
        </h2>
        <p class="quiet">
          {whatOf(item)} · {item.kind === 'channel' ? 'unfollowed' : 'deleted'} <Ago at={deleted_at} now={now} /> ·{' '}
          {spanWords(now, restorable_until)} left
        </p>
      </div>
      <div class="actions">
        <form method="post" action={restore}>
          <Button busy="Restoring…" aria-describedby={id}>
            Restore
          </Button>
        </form>
        <details class="menu">
          <summary class="button plain" aria-label="Delete now" aria-describedby={id}>
            <Icon name="trash" />
          </summary>
          <form class="panel" method="post" action={purge}>
            <p>Delete this for good? This cannot be undone.</p>
            <Button kind="danger" busy="Deleting…" aria-describedby={id}>
              Delete now
            </Button>
          </form>
        </details>
      </div>
    </li>
  )
}

function pathsOf({ video_id, channel_id }: BinItem) {
  if (video_id === null)
    return {
      restore: `${channelPath({ channel_id })}/restore`,
      purge: `${bin_path}${channelPath({ channel_id })}/delete`,
    }
  const id = encodeURIComponent(video_id)
  return { restore: `/downloads/${id}/restore`, purge: `${bin_path}/videos/${id}/delete` }
}

/** "214 MB"; of a channel "38 videos, 12 files (3.1 GB)". */
function whatOf({ kind, videos, files, bytes }: BinItem): string {
  if (kind === 'file') return bytesWords(bytes)
  const of_files = files > 0 ? `, ${countWords(files, 'file')} (${bytesWords(bytes)})` : ''
  return `Channel with ${countWords(videos, 'video')}${of_files}`
}
