/** The actions on a video on its own page: saving its file, and a menu with the rest. */
import type { FileOutlook } from '../../schema/bin/bin.ts'
import { elsewherePath, listPath, requestPath, videoPath } from '../../schema/http/paths.ts'
import { bytesWords, spanWords } from '../../schema/values/words.ts'
import type { Video } from '../../schema/videos/video.ts'
import { onlyCopyWords, undoWords } from '../parts/deleting.tsx'
import { cellId } from '../ui/element-ids.ts'
import { Button, Post } from '../ui/forms.tsx'
import { Ask, ItemLink, MoreMenu, OpenOnSite } from '../ui/menus.tsx'
import { Act, AddToPlaylist, keepWords, removePath, SteerItems } from './download-buttons.tsx'

type FileProps = {
  video: Video
  bin_hours: number
  file: FileOutlook
  now: Date
}

export const FileActions = (props: FileProps) => {
  const { video, file, now } = props
  const is_here = video.download_status === 'completed'
  return (
    <div id="file" class="file-actions">
      {!is_here && file.restorable_until && <Restore video={video} until={file.restorable_until} now={now} />}
      <More {...props} />
    </div>
  )
}

/** Part of the answer to an action. On other pages it has no target, and htmx ignores it. */
export const FileActionsPartial = (props: FileProps) => (
  <hx-partial hx-target="#file" hx-swap="outerMorph">
    <FileActions {...props} />
  </hx-partial>
)

const Restore = ({ video: { video_id }, until, now }: { video: Video; until: Date; now: Date }) => {
  const path = `${requestPath(video_id)}/restore`
  return (
    <form method="post" action={path} hx-post={path} hx-target={`#${cellId(video_id)}`} hx-swap="outerMorph">
      <Button busy="Restoring…">Restore deleted file</Button>
      <span class="quiet"> {spanWords(now, until)} left</span>
    </form>
  )
}

const More = ({ video, bin_hours, file }: FileProps) => {
  const { video_id, pinned } = video
  const is_here = video.download_status === 'completed'
  return (
    <MoreMenu label="More actions" title="More actions">
      <SteerItems video={video} />
      {is_here && <ItemLink href={`/download/${encodeURIComponent(video_id)}`}>Save to this device</ItemLink>}
      <AddToPlaylist video_id={video_id} />
      <HideItem video={video} />
      {is_here ? <ItemLink href={elsewherePath(video)}>Open elsewhere</ItemLink> : <OpenOnSite url={video.video_url} />}
      {is_here && (
        <>
          <Act video_id={video_id} path={`${requestPath(video_id)}/${pinned ? 'unpin' : 'pin'}`} class="act">
            {keepWords(pinned)}
          </Act>
          <Delete video={video} bin_hours={bin_hours} file={file} />
        </>
      )}
      {file.can_forget && <Forget video={video} bin_hours={bin_hours} file={file} />}
    </MoreMenu>
  )
}

type HideProps = { video: Pick<Video, 'video_id' | 'dismissed_at'> }

/** The answer to the button is `MarksPartials`, which replace this form by its id. */
export const HideItem = ({ video: { video_id, dismissed_at } }: HideProps) => {
  const path = listPath({ video_id }, 'dismissed', dismissed_at === null)
  return (
    <Post id={hideItemId(video_id)} action={path} form_class="act" in_page kind="quiet">
      {dismissed_at === null ? 'Hide' : 'Show again'}
    </Post>
  )
}

export const hideItemId = (video_id: string) => `hide-${cellId(video_id)}`

type AskProps = Pick<FileProps, 'video' | 'bin_hours' | 'file'>

const Delete = ({ video: { video_id, file_size }, bin_hours, file: { is_only_copy } }: AskProps) => (
  <Ask label="Delete file" action={removePath(video_id)} does="Delete file" busy="Deleting…">
    Delete this file{file_size !== null && ` (${bytesWords(file_size)})`}? {onlyCopyWords(1, is_only_copy ? 1 : 0)}
    {undoWords(bin_hours) ?? (is_only_copy ? '' : 'You can download it again while the site still has it.')}
  </Ask>
)

const Forget = ({ video: { video_id, file_size }, bin_hours, file: { is_only_copy } }: AskProps) => (
  <Ask label="Remove from library" action={`${videoPath(video_id)}/forget`} does="Remove" busy="Removing…">
    Remove this video from your library?
    {file_size !== null && ` Its file (${bytesWords(file_size)}) is deleted too.`}{' '}
    {onlyCopyWords(1, is_only_copy ? 1 : 0)}
    {undoWords(bin_hours) ?? (is_only_copy ? '' : 'You can add it again by its link while the site still has it.')}
  </Ask>
)
