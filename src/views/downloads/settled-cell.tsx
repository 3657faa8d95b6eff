/** The download cell of a video that is on disk, or that is not downloaded and not in the queue. */
import type { Child } from 'hono/jsx'
import type { Download } from '../../schema/downloads/download.ts'
import { isSound } from '../../schema/downloads/quality.ts'
import { cellId } from '../ui/cell-ids.ts'
import { rendered } from '../ui/rendered.ts'
import { bytesWords } from '../ui/words.ts'
import { Act, requestPath, State, Watch } from './download-act.tsx'
import { VideoMenu } from './video-menu.tsx'

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
    <VideoMenu video_id={video_id} />
  </div>
)

const NotDownloaded = ({ download: { video_id, availability } }: { download: SettledDownload }) => (
  <>
    {not_downloaded}
    {availability !== 'members_only' && <Watch video_id={video_id} />}
    <Act video_id={video_id} path={requestPath(video_id)} icon="disk" class="get">
      {availability === 'members_only' ? 'Download when it opens' : 'Download'}
    </Act>
  </>
)

const not_downloaded = rendered(
  <p class="words">
    <State hidden>Not downloaded</State>
  </p>,
)

const no_copy = rendered(<p class="words no-copy">No copy</p>)

const OnDisk = ({ download: { video_id, file_size, download_path, pinned } }: { download: SettledDownload }) => (
  <>
    <p class="words">
      <State>On disk</State>
      {file_size !== null && <span> · {bytesWords(file_size)}</span>}
      {pinned && <span> · kept forever</span>}
    </p>
    <Watch video_id={video_id} has_file is_sound={isSound({ download_path })} />
  </>
)
