/** The actions on a video on its own page, next to its download cell. */
import type { FileOutlook } from '../../schema/bin.ts'
import type { Video } from '../../schema/video.ts'
import { cellId } from './cell-ids.ts'
import { Button } from './forms.tsx'
import { KeysButton } from './keys.tsx'
import { onlyCopyWords, undoWords } from './only-copy.ts'
import { bytesWords, keepWords, siteWords, spanWords, webUrl } from './words.ts'

type FileProps = {
  video: Video
  bin_hours: number
  file: FileOutlook
  now: Date
}

export const FileActions = ({ video, bin_hours, file, now }: FileProps) => {
  const original = webUrl(video.video_url)
  return (
    <div id="file" class="file-actions">
      {video.download_status === 'completed' && <OnDisk video={video} bin_hours={bin_hours} file={file} />}
      {video.download_status !== 'completed' && file.restorable_until && (
        <Restore video={video} until={file.restorable_until} now={now} />
      )}
      {original && (
        <a class="button plain" href={original} rel="noreferrer">
          Open on {siteWords(original)}
        </a>
      )}
      {video.download_status === 'completed' && <KeysButton />}
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
  const path = `/downloads/${encodeURIComponent(video_id)}/restore`
  return (
    <form method="post" action={path} hx-post={path} hx-target={`#${cellId(video_id)}`} hx-swap="outerMorph">
      <Button busy="Restoring…">Restore deleted file</Button>
      <span class="quiet"> {spanWords(now, until)} left</span>
    </form>
  )
}

const OnDisk = ({
  video: { video_id, pinned, file_size },
  bin_hours,
  file: { is_only_copy },
}: Omit<FileProps, 'now'>) => {
  const id = encodeURIComponent(video_id)
  const pin = `/downloads/${id}/${pinned ? 'unpin' : 'pin'}`
  return (
    <>
      <a class="button plain" href={`/download/${id}`}>
        Save file
      </a>
      <form method="post" action={pin} hx-post={pin} hx-target={`#${cellId(video_id)}`} hx-swap="outerMorph">
        <Button>{keepWords(pinned)}</Button>
      </form>
      <details class="menu">
        <summary class="button plain">Delete file</summary>
        <form class="panel" method="post" action={`/downloads/${id}/remove`}>
          <p>
            Delete this file{file_size !== null && ` (${bytesWords(file_size)})`}?{' '}
            {onlyCopyWords(1, is_only_copy ? 1 : 0)}
            {undoWords(bin_hours) ?? (is_only_copy ? '' : 'You can download it again while the site still has it.')}
          </p>
          <Button kind="danger" busy="Deleting…">
            Delete file
          </Button>
        </form>
      </details>
    </>
  )
}
