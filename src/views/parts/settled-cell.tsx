/** The download cell of a video that is on disk, or that is not downloaded and not in the queue. */
import type { Child } from 'hono/jsx'
import { type Download, isOnlyCopy } from '../../schema/download.ts'
import { isSound } from '../../schema/quality.ts'
import { cellId, titleId } from './cell-ids.ts'
import { Act, removePath, requestPath, State } from './download-act.tsx'
import { Button } from './forms.tsx'
import { Icon } from './icon.tsx'
import { rendered } from './rendered.ts'
import { bytesWords, keepWords } from './words.ts'

type SettledDownload = Pick<
  Download,
  'video_id' | 'download_status' | 'download_path' | 'file_size' | 'pinned' | 'availability'
>

/** Whether the cell changes only when the person or a rule does something, and so depends on the values of `SettledDownload` only. */
export function isSettled({ download_status, queued }: Pick<Download, 'download_status' | 'queued'>): boolean {
  switch (download_status) {
    case 'completed':
      return true
    case 'pending':
      return !queued
    case 'downloading':
    case 'failed':
      return false
  }
}

/** Its site no longer has the video, and there is no file, so a download could only fail. */
export const isLost = ({
  download_status,
  availability,
}: Pick<Download, 'download_status' | 'availability'>): boolean =>
  availability === 'removed' && download_status !== 'completed'

/** Only for a settled download. */
export const SettledCell = ({ download }: { download: SettledDownload }) => (
  <Frame download={download}>
    {download.download_status === 'completed' ? (
      <OnDisk download={download} />
    ) : isLost(download) ? (
      no_copy
    ) : (
      <NotDownloaded download={download} />
    )}
  </Frame>
)

type FrameProps = { download: Pick<Download, 'video_id' | 'download_status'>; children?: Child }

export const Frame = ({ download: { video_id, download_status }, children }: FrameProps) => (
  <div id={cellId(video_id)} class={`cell ${download_status}`}>
    {children}
  </div>
)

const NotDownloaded = ({ download: { video_id, availability } }: { download: SettledDownload }) => (
  <>
    {not_downloaded}
    <Act video_id={video_id} path={requestPath(video_id)}>
      {availability === 'members_only' ? 'Download when it opens' : 'Download'}
    </Act>
  </>
)

const not_downloaded = rendered(
  <p class="words">
    <State hidden>Not downloaded</State>
  </p>,
)

const no_copy = rendered(
  <p class="words no-copy">
    <span role="status">No copy</span>
  </p>,
)

const OnDisk = ({ download: { video_id, file_size, download_path, pinned, availability } }: OnDiskProps) => (
  <>
    <p class="words">
      <State>On disk</State>
      {file_size !== null && <span> · {bytesWords(file_size)}</span>}
      {pinned && <span> · kept forever</span>}
    </p>
    <div class="actions">
      <a class="button plain" href={`/watch/${encodeURIComponent(video_id)}`} aria-describedby={titleId(video_id)}>
        {isSound({ download_path }) ? 'Listen' : 'Watch'}
      </a>
      <details class="menu">
        <summary class="button plain" aria-label="More actions" aria-describedby={titleId(video_id)}>
          <Icon name="more" />
        </summary>
        <div class="panel">
          <a class="item" href={`/download/${encodeURIComponent(video_id)}`}>
            Save file
          </a>
          <Act video_id={video_id} path={`${requestPath(video_id)}/${pinned ? 'unpin' : 'pin'}`} class="item">
            {keepWords(pinned)}
          </Act>
          {isOnlyCopy({ availability }) ? (
            <DeleteOnlyCopy video_id={video_id} />
          ) : (
            <Act video_id={video_id} path={removePath(video_id)} class="item danger">
              Delete file
            </Act>
          )}
        </div>
      </details>
    </div>
  </>
)
type OnDiskProps = { download: SettledDownload }

/** The file cannot be downloaded again, so this leads to the question before it is deleted. */
const DeleteOnlyCopy = ({ video_id }: { video_id: string }) => (
  <form method="post" action="/downloads/remove">
    <input type="hidden" name="video_id" value={video_id} />
    <Button class="item danger" aria-describedby={titleId(video_id)}>
      Delete file
    </Button>
  </form>
)
