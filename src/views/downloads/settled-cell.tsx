/** The download cell of a video that is on disk, or that is not downloaded and not in the queue. */
import type { Child } from 'hono/jsx'
import type { Download } from '../../schema/downloads/download.ts'
import { requestPath, videoPath, watchPath } from '../../schema/http/paths.ts'
import { streamWords } from '../../schema/sources/streams.ts'
import { bytesWords } from '../../schema/values/words.ts'
import { cellId, titleId } from '../ui/element-ids.ts'
import { Icon } from '../ui/icon.tsx'
import { ItemLink } from '../ui/menus.tsx'
import { Act, State } from './download-buttons.tsx'
import { Unplayable } from './unplayable.tsx'

type SettledDownload = Pick<Download, 'video_id' | 'download_status' | 'file_size' | 'file' | 'pinned' | 'availability'>

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
      <>
        <OnDisk download={download} />
        <Unplayable download={download} />
      </>
    ) : isLost(download) ? (
      <p class="words told-elsewhere no-copy">No copy</p>
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
    <p class="words told-elsewhere">
      <State hidden>Not downloaded</State>
    </p>
    <Act video_id={video_id} path={requestPath(video_id)} icon="disk" class="get">
      {availability === 'members_only' ? 'Download when it opens' : 'Download'}
    </Act>
  </>
)

const OnDisk = ({ download: { file_size, file, pinned } }: { download: SettledDownload }) => (
  <p class="words told-elsewhere">
    <State>On disk</State>
    {file && <span class="streams"> · {streamWords(file)}</span>}
    {file_size !== null && <span> · {bytesWords(file_size)}</span>}
    {pinned && <span> · never deleted</span>}
  </p>
)

/**
 * "⋯" of a video: everything that can be done with it, in words. `VideoMenuItems` is fetched each time the menu opens, when `page/menus.js`
 * triggers `opened`, so a page of many videos stays small and no menu is out of date. A morph of the cell leaves the menu as it is.
 * Without a script the menu leads to the page of the video, which has the same actions.
 */
const VideoMenu = ({ video_id }: { video_id: string }) => (
  <details
    class="menu more-acts"
    hx-get={menuPath(video_id)}
    hx-trigger="opened"
    hx-target="find .panel"
    hx-swap="innerHTML"
  >
    <summary class="button quiet" aria-label="More actions" aria-describedby={titleId(video_id)}>
      <Icon name="more" />
    </summary>
    <div class="panel" hx-morph-skip-children="">
      <ItemLink href={`${watchPath({ video_id })}#file`}>All actions</ItemLink>
    </div>
  </details>
)

const menuPath = (video_id: string) => `${videoPath(video_id)}/menu`
