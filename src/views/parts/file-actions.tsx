/** The actions on a video on its own page, next to its download cell. */
import type { Video } from '../../schema/video.ts'
import { cellId } from './cell-ids.ts'
import { Button } from './forms.tsx'
import { KeysButton } from './keys.tsx'
import { bytesWords, keepWords, siteWords, webUrl } from './words.ts'

export const FileActions = ({ video }: { video: Video }) => {
  const original = webUrl(video.video_url)
  return (
    <div id="file" class="file-actions">
      {video.download_status === 'completed' && <OnDisk video={video} />}
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
export const FileActionsPartial = ({ video }: { video: Video }) => (
  <hx-partial hx-target="#file" hx-swap="outerMorph">
    <FileActions video={video} />
  </hx-partial>
)

const OnDisk = ({ video: { video_id, pinned, file_size, availability } }: { video: Video }) => {
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
            {availability === 'removed'
              ? 'The video is no longer on the site, so you cannot download it again.'
              : 'You can download it again while the site still has it.'}
          </p>
          <Button kind="danger" busy="Deleting…">
            Delete file
          </Button>
        </form>
      </details>
    </>
  )
}
