/** The page of deleted files and unfollowed channels that can be restored, with the time that is left for each. */
import type { BinItem, BinShown } from '../../schema/bin/bin.ts'
import { bin_path, channelPath, requestPath, videoPath } from '../../schema/http/paths.ts'
import { bytesWords, countWords, hoursWords, spanWords } from '../../schema/values/words.ts'
import type { PageContext } from '../frames/context.ts'
import { Layout } from '../frames/layout.tsx'
import { Avatar, Thumbnail } from '../parts/thumbnails.tsx'
import { Post } from '../ui/forms.tsx'
import { About, Older, Rows } from '../ui/lists.tsx'
import { Ask, MoreMenu } from '../ui/menus.tsx'

export const BinPage = ({ page, shown }: { page: PageContext; shown: BinShown }) => (
  <Layout page={page} title="Recently deleted">
    <div class="bin">
      <header class="own-head">
        <h1>Recently deleted</h1>
        {shown.entries.length > 0 && <ListMenu shown={shown} />}
      </header>
      {shown.entries.length === 0 ? (
        <p class="empty">
          {page.bin_hours === 0
            ? 'Deleted files are not kept here.'
            : `Nothing here. You can restore deleted files and unfollowed channels for ${hoursWords(page.bin_hours)}.`}
        </p>
      ) : (
        <>
          <p class="quiet lead">
            {shown.files > 0 && `${countWords(shown.files, 'file')}, ${bytesWords(shown.bytes)}. `}If the disk is full,
            the oldest files here are deleted earlier.
          </p>
          <Rows id="deleted" of={shown.entries} row={item => <Row item={item} now={page.now} />} />
          <Older path={bin_path} parameters={{}} cursor={shown.next_cursor} list="deleted" label="Show more" />
        </>
      )}
    </div>
  </Layout>
)

const ListMenu = ({ shown: { files, bytes } }: { shown: BinShown }) => (
  <MoreMenu label="Actions for all that was deleted">
    <Ask label="Delete all now…" action={`${bin_path}/empty`} does="Delete for good" busy="Deleting…">
      Delete everything here for good{files > 0 && `, ${countWords(files, 'file')} (${bytesWords(bytes)})`}? This cannot
      be undone.
    </Ask>
  </MoreMenu>
)

const Row = ({ item, now }: { item: BinItem; now: Date }) => {
  const { kind, title, picture_url, channel_id, restorable_until } = item
  const { restore, purge } = pathsOf(item)
  const id = `deleted-${kind}-${encodeURIComponent(item.video_id ?? channel_id)}`
  return (
    <li class="row">
      {kind === 'channel' ? (
        <Avatar channel={{ channel_id, title, picture_url }} />
      ) : (
        <Thumbnail video={{ channel_title: title, picture_url }} />
      )}
      <About heading="h2" id={id} title={<bdi>{title}</bdi>}>
        {whatOf(item)} · {spanWords(now, restorable_until)} left
      </About>
      <Restore action={restore} of={id} />
      <MoreMenu label="More actions" aria-describedby={id}>
        <Restore action={restore} of={id} is_item />
        <Ask label="Delete now…" action={purge} does="Delete for good" busy="Deleting…" aria-describedby={id}>
          Delete this for good? This cannot be undone.
        </Ask>
      </MoreMenu>
    </li>
  )
}

type RestoreProps = { action: string; of: string; is_item?: boolean }

/** A button of its row, and on a phone an item of the menu. */
const Restore = ({ action, of, is_item = false }: RestoreProps) => (
  <Post
    action={action}
    form_class={is_item ? 'on-phone' : 'roomy'}
    {...(is_item && { class: 'item' })}
    busy="Restoring…"
    aria-describedby={of}
  >
    Restore
  </Post>
)

function pathsOf({ video_id, channel_id }: BinItem) {
  if (video_id === null)
    return {
      restore: `${channelPath({ channel_id })}/restore`,
      purge: `${bin_path}${channelPath({ channel_id })}/delete`,
    }
  return { restore: `${requestPath(video_id)}/restore`, purge: `${bin_path}${videoPath(video_id)}/delete` }
}

/** "214 MB"; of a channel "Unfollowed · 38 videos, 3.1 GB". */
function whatOf({ kind, videos, files, bytes }: BinItem): string {
  if (kind === 'file') return bytesWords(bytes)
  return `Unfollowed · ${countWords(videos, 'video')}${files > 0 ? `, ${bytesWords(bytes)}` : ''}`
}
