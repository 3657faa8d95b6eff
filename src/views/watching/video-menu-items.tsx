/** The menu of a video: everything that can be done with it. */
import type { Child } from 'hono/jsx'
import { canBeReplaced, isOnlyCopy } from '../../schema/downloads/download.ts'
import { requestPath, videoPath } from '../../schema/http/paths.ts'
import { codecsLacked } from '../../schema/sources/plays-on.ts'
import type { Video } from '../../schema/videos/video.ts'
import {
  Act,
  AddToPlaylist,
  cancelPath,
  keepWords,
  PostItem,
  removePath,
  SteerItems,
  watchNowPath,
} from '../downloads/download-buttons.tsx'
import { isLost } from '../downloads/settled-cell.tsx'
import { GetCompatible } from '../downloads/unplayable.tsx'
import { ItemLink, OpenOnSite } from '../ui/menus.tsx'
import { listWords } from '../videos/mark-buttons.tsx'
import { ItemsOfList } from './own-row.tsx'
import { canArrive } from './player.tsx'

/** `path`: of the page with the menu, whose list may have items of its own. */
export const VideoMenuItems = ({ video, path = '' }: { video: Video; path?: string }) => (
  <>
    {isOffered(video) && (
      // Leads to the page of the video, which plays it while it is downloaded.
      <PostItem video_id={video.video_id} action={watchNowPath(video)}>
        Watch now
      </PostItem>
    )}
    <SteerItems video={video} />
    <DownloadItems video={video} />
    <ItemsOfList path={path} video_id={video.video_id} />
    <ViewingItem video={video} path={video.seen_at === null ? 'seen' : 'unseen'}>
      {video.seen_at === null ? 'Mark as watched' : 'Mark as unwatched'}
    </ViewingItem>
    <ViewingItem video={video} path={`later${video.later_at === null ? '' : '/remove'}`}>
      {listWords('later', video.later_at === null)}
    </ViewingItem>
    <AddToPlaylist video_id={video.video_id} />
    <ViewingItem video={video} path={`dismissed${video.dismissed_at === null ? '' : '/remove'}`}>
      {listWords('dismissed', video.dismissed_at === null)}
    </ViewingItem>
    <OpenOnSite url={video.video_url} />
  </>
)

function DownloadItems({ video }: { video: Video }) {
  const { video_id, download_status, queued } = video
  switch (download_status) {
    case 'completed':
      return <FileItems video={video} />
    case 'downloading':
      return <Cancel video_id={video_id} />
    case 'failed':
      return (
        <>
          <Request video={video}>Retry</Request>
          <Cancel video_id={video_id}>{queued ? 'Cancel download' : 'Dismiss'}</Cancel>
        </>
      )
    case 'pending':
      return queued ? <Cancel video_id={video_id} /> : <Request video={video}>Download</Request>
  }
}

const Cancel = ({ video_id, children = 'Cancel download' }: Pick<ItemProps, 'video_id' | 'children'>) => (
  <Item video_id={video_id} path={cancelPath(video_id)}>
    {children}
  </Item>
)

const Request = ({ video, children }: { video: Video; children?: Child }) =>
  isLost(video) ? null : (
    <Item video_id={video.video_id} path={requestPath(video.video_id)}>
      {children}
    </Item>
  )

const FileItems = ({ video }: { video: Video }) => {
  const { video_id, pinned, availability } = video
  return (
    <>
      <ItemLink href={`/download/${encodeURIComponent(video_id)}`}>Save to this device</ItemLink>
      <Item video_id={video_id} path={`${requestPath(video_id)}/${pinned ? 'unpin' : 'pin'}`}>
        {keepWords(pinned)}
      </Item>
      {codecsLacked(video.file).length > 0 && canBeReplaced(video) && <GetCompatible video_id={video_id} in_menu />}
      {isOnlyCopy({ availability }) ? (
        // The file cannot be downloaded again, so this leads to the question before it is deleted.
        <PostItem video_id={video_id} action="/downloads/remove" form_class="act danger" fields={{ video_id }}>
          Delete file
        </PostItem>
      ) : (
        <Item video_id={video_id} path={removePath(video_id)} is_danger>
          Delete file
        </Item>
      )}
    </>
  )
}

/** Whether it can be watched while it is downloaded. */
const isOffered = (video: Video): boolean =>
  (video.download_status === 'pending' || video.download_status === 'downloading') && canArrive(video)

type ItemProps = { video_id: string; path: string; is_danger?: boolean; children?: Child }

const Item = ({ video_id, path, is_danger = false, children }: ItemProps) => (
  <Act video_id={video_id} path={path} class={is_danger ? 'act danger' : 'act'}>
    {children}
  </Act>
)

/** The answer changes the marks of the video by their ids. */
const ViewingItem = ({ video: { video_id }, path, children }: { video: Video; path: string; children?: Child }) => (
  <PostItem video_id={video_id} action={`${videoPath(video_id)}/${path}`} in_page>
    {children}
  </PostItem>
)
