/** The flashes at the top of a page, each with a button to undo what it reports where that is possible. */
import type { Flash, Undo } from '../../schema/http/flash.ts'
import {
  auto_download_path,
  channelPath,
  groupPath,
  history_path,
  listPath,
  playlistPath,
  requestPath,
  savedSearchPath,
  videoPath,
} from '../../schema/http/paths.ts'
import { titleId } from '../ui/element-ids.ts'
import { Post, type PostProps } from '../ui/forms.tsx'
import { Icon } from '../ui/icon.tsx'

/** `late`: the flashes arrive after the page has loaded. */
export const FlashMessages = ({ flash, late = false }: { flash: Flash[]; late?: boolean }) => (
  <>
    {flash.map(({ kind, text, undo, followed }) => (
      <div class={late ? `flash ${kind} late` : `flash ${kind}`} role={kind === 'problem' ? 'alert' : undefined}>
        <p>{text}</p>
        {followed && <Followed {...followed} />}
        {undo && <UndoButton undo={undo} />}
        <Close />
      </div>
    ))}
  </>
)

/** A script removes the flash when this button is pressed, and removes a flash without a form after a while. */
const Close = () => (
  <button type="button" class="button quiet close scripted" aria-label="Close message">
    <Icon name="close" />
  </button>
)

/** Links to choices that were not asked for before the channel was followed. */
const Followed = ({ channel_id, has_choice, already = false }: NonNullable<Flash['followed']>) => (
  <>
    {has_choice && (
      <a href={`${channelPath({ channel_id })}/feeds`}>{already ? 'Change' : 'Choose'} what is included</a>
    )}
    {!already && (
      <Post action={`${channelPath({ channel_id })}/backfill`} busy="Loading…">
        Load the rest
      </Post>
    )}
  </>
)

/** The flashes as part of an answer to htmx, next to whatever else it brings. */
export const FlashPartial = ({ flash }: { flash: Flash[] }) => (
  <hx-partial hx-target="#flash" hx-swap="innerHTML">
    <FlashMessages flash={flash} late />
  </hx-partial>
)

function UndoButton({ undo }: { undo: Undo }) {
  const { label = 'Undo', ...form } = formOf(undo)
  const next_focus = 'video_id' in undo ? `#${titleId(undo.video_id)} a` : ''
  return (
    <Post {...form} form_class={label === 'Undo' ? 'undo' : undefined} data-next-focus={next_focus}>
      {label}
    </Post>
  )
}

/** Without `in_page`, the page is loaded again. */
type UndoForm = Pick<PostProps, 'action' | 'fields' | 'in_page'> & {
  /** Another label than "Undo", where the state before does not come back as it was. */
  label?: string
}

const formOf = (undo: Undo): UndoForm => (forms[undo.do] as (undo: Undo) => UndoForm)(undo)

const forms: { [Act in Undo['do']]: (undo: Extract<Undo, { do: Act }>) => UndoForm } = {
  see: ({ video_id }) => ({ action: `${videoPath(video_id)}/seen`, in_page: true }),
  unsee: ({ video_id }) => ({ action: `${videoPath(video_id)}/unseen`, in_page: true }),
  unsee_all: ({ seen_at }) => ({ action: '/videos/unseen', fields: { seen_at } }),
  unmark_all: ({ list, marked_at }) => ({ action: `/videos/${list}/remove`, fields: { marked_at } }),
  later: undo => ({ action: listPath(undo, 'later', true), in_page: true }),
  not_later: undo => ({ action: listPath(undo, 'later', false), in_page: true }),
  // The card of the video is gone from its list, so the page is loaded again.
  dismiss: undo => ({ action: listPath(undo, 'dismissed', true) }),
  undismiss: undo => ({ action: listPath(undo, 'dismissed', false) }),
  offer: ({ video_id }) => ({ action: `${videoPath(video_id)}/offer` }),
  download: ({ video_id }) => ({ action: requestPath(video_id) }),
  download_again: ({ video_id }) => ({ action: requestPath(video_id), label: 'Download again' }),
  try_again: ({ video_id }) => ({ action: requestPath(video_id), label: 'Retry' }),
  pin: ({ video_id }) => ({ action: `${requestPath(video_id)}/pin` }),
  unpin: ({ video_id }) => ({ action: `${requestPath(video_id)}/unpin` }),
  restore: ({ video_id }) => ({ action: `${requestPath(video_id)}/restore`, in_page: true }),
  restore_video: ({ video_id }) => ({ action: `${requestPath(video_id)}/restore` }),
  restore_deleted: ({ deleted_at }) => ({ action: '/downloads/restore', fields: { deleted_at } }),
  take_back: ({ requested_at }) => ({ action: '/downloads/take-back', fields: { requested_at } }),
  queue_again: ({ cancelled_at }) => ({ action: '/downloads/queue-again', fields: { cancelled_at } }),
  unfollow: undo => ({ action: `${channelPath(undo)}/undo-follow` }),
  restore_channel: undo => ({ action: `${channelPath(undo)}/restore` }),
  restore_channels: ({ channel_ids }) => ({ action: '/channels/chosen/restore', fields: { channel_id: channel_ids } }),
  switch_auto_download: ({ channel_ids, on }) => ({
    action: auto_download_path,
    fields: { channel_id: channel_ids, on: String(on) },
    in_page: true,
  }),
  restore_group: undo => ({ action: `${groupPath(undo)}/restore` }),
  restore_search: undo => ({ action: `${savedSearchPath(undo)}/restore` }),
  restore_playlist: undo => ({ action: `${playlistPath(undo)}/restore` }),
  take_from_playlist: ({ added_at, ...playlist }) => ({
    action: `${playlistPath(playlist)}/take-back`,
    fields: { added_at },
    in_page: true,
  }),
  put_back: ({ removed_at, ...playlist }) => ({
    action: `${playlistPath(playlist)}/put-back`,
    fields: { removed_at },
    in_page: true,
  }),
  restore_history: ({ forgotten_at }) => ({ action: `${history_path}/restore`, fields: { forgotten_at } }),
}
