/** The person's playlists, and one playlist with its videos in their order. */

import { nowPath, pathWith, playlistPath, playlists_path, podcastPath } from '../../schema/http/paths.ts'
import type { LibraryColumn } from '../../schema/search/saved-search.ts'
import { smallPicture } from '../../schema/values/picture.ts'
import { countWords } from '../../schema/values/words.ts'
import type { ListedVideo } from '../../schema/videos/video.ts'
import type { ListedPlaylist, Playlist, ShownPlaylist } from '../../schema/watching/playlist.ts'
import { movingIds, Polling } from '../downloads/polling.tsx'
import type { PageContext } from '../frames/context.ts'
import { Layout } from '../frames/layout.tsx'
import { titleId } from '../ui/element-ids.ts'
import { Button, MainButton, NameField, Post } from '../ui/forms.tsx'
import { Icon } from '../ui/icon.tsx'
import { Older, videos_id } from '../ui/lists.tsx'
import { ItemLink, MoreMenu } from '../ui/menus.tsx'
import { PublishedAgo } from '../ui/times.tsx'
import { ChoosingBar, choosing_form } from '../videos/choosing.tsx'
import { Moves, OwnRow, TakeOut } from './own-row.tsx'

/** `name`: as it was typed; `errors`: sentences by field. */
type Form = { page: PageContext; column: LibraryColumn | undefined; name: string; errors: Record<string, string> }

export const PlaylistsPage = ({ page, column, playlists, name, errors }: Form & { playlists: ListedPlaylist[] }) => (
  <Layout page={page} title="Playlists" column={column && { library: column, here: playlists_path }}>
    <header class="own-head">
      <h1>Playlists</h1>
      {playlists.length > 0 && (
        <details class="menu" open={errors.name !== undefined}>
          <summary class="button plain">New playlist</summary>
          <form class="panel" method="post" action={playlists_path}>
            <NameField value={name} error={errors.name} placeholder="Weekend" />
            <Button busy="Creating…">Create</Button>
          </form>
        </details>
      )}
    </header>
    {playlists.length === 0 ? (
      <form class="settings" method="post" action={playlists_path}>
        <p>A playlist is your own list of videos, in your own order. Add videos to it from their menu.</p>
        <NameField label="Name of your first playlist" value={name} error={errors.name} placeholder="Weekend" />
        <MainButton busy="Creating…">Create playlist</MainButton>
      </form>
    ) : (
      <ul class="playlists">
        {playlists.map(playlist => (
          <PlaylistCard playlist={playlist} />
        ))}
      </ul>
    )}
  </Layout>
)

const PlaylistCard = ({ playlist }: { playlist: ListedPlaylist }) => (
  <li class="playlist">
    <a href={playlistPath(playlist)}>
      <span class="thumbnail" aria-hidden="true">
        <Icon name="list" />
        {playlist.picture_url && (
          <img src={smallPicture(playlist.picture_url)} alt="" loading="lazy" decoding="async" />
        )}
      </span>
      <span class="title">
        <bdi>{playlist.name}</bdi>
      </span>
      <span class="quiet">{playlist.videos === 0 ? 'No videos' : countWords(playlist.videos, 'video')}</span>
    </a>
  </li>
)

/** `plays`: the first video on disk; absent: none is. `select`: rows have checkboxes. */
type PlaylistProps = Form & { shown: ShownPlaylist; plays: string | undefined; select?: '1' | undefined }

export const PlaylistPage = ({ page, column, shown, plays, name, errors, select }: PlaylistProps) => {
  const { playlist, videos, first } = shown
  return (
    <Layout
      page={page}
      title={playlist.name}
      list={listOf(playlist)}
      scripts={['page/playlist.js']}
      column={column && { library: column, here: playlists_path }}
    >
      <header class="own-head">
        <h1>
          <bdi>{playlist.name}</bdi>
        </h1>
        <p class="quiet">
          <a href={playlists_path}>Playlists</a> · {countWords(playlist.videos, 'video')}
        </p>
        <div class="actions">
          {plays && (
            <a class="button main" href={nowPath({ video_id: plays }, { list: listOf(playlist) })}>
              Play
            </a>
          )}
          {!select && <PlaylistMenu playlist={playlist} name={name} error={errors.name} />}
        </div>
      </header>
      {select && <ChoosingBar done={playlistPath(playlist)} take_out={`${playlistPath(playlist)}/remove`} />}
      {videos.entries.length === 0 ? (
        <p class="empty">No videos yet. Open the menu of a video and press “Add to playlist…”.</p>
      ) : (
        <ol
          id={videos_id}
          class="rows of-videos in-order"
          start={first}
          data-places={`${playlistPath(playlist)}/place`}
        >
          {videos.entries.map(video => (
            <OwnRow
              video={video}
              now={page.now}
              heading="h2"
              line={<PublishedAgo video={video} now={page.now} />}
              choose_for={select && choosing_form}
            >
              {!select && <Arrange playlist={playlist} video={video} />}
            </OwnRow>
          ))}
        </ol>
      )}
      <p id="moved" class="spoken" role="status"></p>
      <Older path={playlistPath(playlist)} parameters={{ select }} cursor={videos.next_cursor} label="More videos" />
      <Polling video_ids={movingIds(videos.entries)} />
    </Layout>
  )
}

const listOf = ({ playlist_id }: Playlist) => `playlist:${playlist_id}`

const PlaylistMenu = ({ playlist, name, error }: { playlist: Playlist; name: string; error: string | undefined }) => (
  <MoreMenu label="Actions for this playlist" kind="plain" open={error !== undefined}>
    {playlist.videos > 0 && (
      <ItemLink href={pathWith(playlistPath(playlist), { select: '1' })} data-next-focus="">
        Select videos
      </ItemLink>
    )}
    <ItemLink href={podcastPath({ playlist_id: playlist.playlist_id })}>Podcast</ItemLink>
    <form class="rename" method="post" action={playlistPath(playlist)}>
      <NameField value={name} error={error} placeholder="Weekend" />
      <Button>Rename</Button>
    </form>
    <Post action={`${playlistPath(playlist)}/delete`} class="item danger">
      Delete playlist
    </Post>
  </MoreMenu>
)

/**
 * Its handle opens what moves a video or takes it out; `page/playlist.js` makes it drag the row, and move it by the arrow keys. A finger
 * finds the same in the menu of the video.
 */
const Arrange = ({ playlist: { playlist_id }, video: { video_id } }: { playlist: Playlist; video: ListedVideo }) => (
  <details class="menu arrange">
    <summary class="button quiet" aria-label="Move" aria-describedby={titleId(video_id)}>
      <Icon name="grip" />
    </summary>
    <div class="panel">
      <Moves playlist_id={playlist_id} video_id={video_id} />
      <TakeOut playlist_id={playlist_id} video_id={video_id} />
    </div>
  </details>
)
