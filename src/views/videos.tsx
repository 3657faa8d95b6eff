/** The newest videos, and one of them to watch. */
import type { Page, Video } from '../schema/video.ts'
import { AddChannel } from './add-channel.tsx'
import type { PageContext } from './context.ts'
import { Description } from './description.tsx'
import { DownloadCell, titleId } from './download-cell.tsx'
import { Button } from './forms.tsx'
import { Layout } from './layout.tsx'
import { Older, videos_id } from './older.tsx'
import { Player } from './player.tsx'
import { movingIds, Polling } from './polling.tsx'
import { VideoGrid, When } from './video-card.tsx'
import { channelPath, countWords, webUrl } from './words.ts'

type HomeProps = {
  page: PageContext
  videos: Page<Video>
  q: string
  /** How many channels are followed. */
  followed: number
}

export const HomePage = ({ page, videos, q, followed }: HomeProps) => (
  <Layout page={page} title={q ? `“${q}”` : 'New'} q={q}>
    <header class="heading">
      <h1>{q ? `Videos with “${q}”` : 'New for you'}</h1>
      {followed > 0 && (
        <p class="quiet">
          {q ? <a href="/">Show everything</a> : `From ${countWords(followed, 'channel')}, newest first`}
        </p>
      )}
    </header>
    {followed === 0 ? (
      <AddChannel first values={{ url: '' }} errors={{}} />
    ) : videos.entries.length === 0 ? (
      <NothingHere q={q} />
    ) : (
      <VideoGrid id={videos_id} videos={videos.entries} now={page.now} />
    )}
    <Older path="/" parameters={{ q }} cursor={videos.next_cursor} />
    <Polling video_ids={movingIds(videos.entries)} />
  </Layout>
)

const NothingHere = ({ q }: { q: string }) => (
  <p class="empty">
    {q
      ? 'Nothing you follow has these words in its title or description. Try fewer or other words.'
      : 'Nothing has appeared in the channels you follow yet. New videos show up here by themselves.'}
  </p>
)

type WatchProps = {
  page: PageContext
  video: Video
  /** Others of its channel. */
  more: Video[]
}

export const WatchPage = ({ page, video, more }: WatchProps) => (
  <Layout page={page} title={video.title}>
    <div class="watch">
      <article>
        <Player video={video} />
        <h1 id={titleId(video.video_id)}>{video.title}</h1>
        <div class="facts">
          <p class="quiet">
            <a class="channel" href={channelPath(video)}>
              {video.channel_title}
            </a>{' '}
            · <When video={video} now={page.now} />
          </p>
          <DownloadCell download={video} now={page.now} />
          <FileActions video={video} />
        </div>
        {video.description && <Description text={video.description} />}
      </article>
      {more.length > 0 && (
        <aside class="more" aria-labelledby="more">
          <h2 id="more">More from {video.channel_title}</h2>
          <VideoGrid videos={more} now={page.now} />
        </aside>
      )}
    </div>
    <Polling video_ids={movingIds([video, ...more])} />
  </Layout>
)

const FileActions = ({ video }: { video: Video }) => {
  const id = encodeURIComponent(video.video_id)
  const original = webUrl(video.video_url)
  return (
    <div class="file-actions">
      {video.download_status === 'completed' && (
        <>
          <a class="button plain" href={`/download/${id}`}>
            Save file
          </a>
          <form method="post" action={`/downloads/${id}/${video.pinned ? 'unpin' : 'pin'}`}>
            <Button>{video.pinned ? 'Unpin file' : 'Pin file'}</Button>
          </form>
          <details class="menu">
            <summary class="button plain">Delete file</summary>
            <form class="panel" method="post" action={`/downloads/${id}/remove`}>
              <p>The video stays in your history. You can download it again while the site still has it.</p>
              <Button kind="danger">Delete file</Button>
            </form>
          </details>
        </>
      )}
      {original && (
        <a class="button plain" href={original} rel="noreferrer">
          Original page
        </a>
      )}
    </div>
  )
}
