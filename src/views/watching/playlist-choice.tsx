/** The playlists that one or several videos can be added to, each with a tick when it has them: in the menu of a video, or as a page. */

import { choose_playlist_path, playlistPath, playlists_path } from '../../schema/http/paths.ts'
import type { LibraryColumn } from '../../schema/search/saved-search.ts'
import { max_name_letters } from '../../schema/values/fields.ts'
import { countWords } from '../../schema/values/words.ts'
import type { PlaylistChoice } from '../../schema/watching/playlist.ts'
import type { PageContext } from '../frames/context.ts'
import { Layout } from '../frames/layout.tsx'
import { Button, FormError, Hidden } from '../ui/forms.tsx'
import { Icon } from '../ui/icon.tsx'

/** `of_page`: the forms lead to the playlist. In a menu, the page below it stays. */
type Choices = { playlists: PlaylistChoice[]; video_ids: string[]; of_page?: boolean }
/** `error`: why the name of a new playlist was refused. */
type NewName = { name?: string; error?: string | undefined }

export const ChoosePlaylistPage = ({
  page,
  column,
  title,
  ...choices
}: Choices & NewName & { page: PageContext; column: LibraryColumn | undefined; title: string | undefined }) => (
  <Layout page={page} title="Add to playlist" column={column && { library: column, here: playlists_path }}>
    <header class="heading">
      <h1>Add to playlist</h1>
      <p class="quiet" dir="auto">
        {title ?? countWords(choices.video_ids.length, 'video')}
      </p>
    </header>
    <div class="choose-playlist">
      <PlaylistChoices {...choices} of_page />
    </div>
  </Layout>
)

/** The items, in the menu of a video in place of its own. The first one gets the focus. */
export const PlaylistChoices = ({ playlists, video_ids, of_page = false, name = '', error }: Choices & NewName) => (
  <>
    {playlists.map((playlist, nth) => (
      <Choice playlist={playlist} video_ids={video_ids} of_page={of_page} first={nth === 0} />
    ))}
    <form class="new-playlist" {...posting(`${choose_playlist_path}/new`, of_page)}>
      <Hidden fields={{ video_id: video_ids }} />
      <input
        type="text"
        name="name"
        value={name}
        aria-label="Name of a new playlist"
        placeholder="New playlist"
        autocomplete="off"
        required
        maxlength={max_name_letters}
        autofocus={playlists.length === 0 || error !== undefined}
      />
      <Button>Create</Button>
      <FormError error={error} />
    </form>
  </>
)

const posting = (action: string, of_page: boolean) => ({
  method: 'post' as const,
  action,
  ...(!of_page && { 'hx-post': action, 'hx-swap': 'none' }),
})

type ChoiceProps = { playlist: PlaylistChoice; video_ids: string[]; of_page: boolean; first: boolean }

/** A playlist that has all of the videos gives them up when it is pressed. */
const Choice = ({ playlist, video_ids, of_page, first }: ChoiceProps) => {
  const has_all = playlist.has === video_ids.length
  return (
    <form class="act" {...posting(`${playlistPath(playlist)}/${has_all ? 'remove' : 'add'}`, of_page)}>
      <Hidden fields={{ video_id: video_ids }} />
      <Button kind="quiet" aria-pressed={has_all ? 'true' : 'false'} autofocus={first}>
        <Icon name={has_all ? 'check' : 'add'} />
        <bdi>{playlist.name}</bdi>
      </Button>
    </form>
  )
}
