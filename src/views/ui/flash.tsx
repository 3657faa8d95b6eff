/** The messages at the top of a page, each with a button to undo what it reports where that is possible. */
import type { Flash, Undo } from '../../schema/http/flash.ts'
import { titleId } from './element-ids.ts'
import { Button } from './forms.tsx'
import { Icon } from './icon.tsx'
import {
  auto_download_path,
  channelPath,
  groupPath,
  history_path,
  listPath,
  playlistPath,
  savedSearchPath,
} from './paths.ts'

/** `late`: the messages arrive after the page has loaded. */
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

/** A script removes the message when this button is pressed, and removes a message without a form after a while. */
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
      <form method="post" action={`${channelPath({ channel_id })}/backfill`}>
        <Button busy="Loading…">Load the rest</Button>
      </form>
    )}
  </>
)

/** The messages as part of an answer to htmx, next to whatever else it brings. */
export const FlashPartial = ({ flash }: { flash: Flash[] }) => (
  <hx-partial hx-target="#flash" hx-swap="innerHTML">
    <FlashMessages flash={flash} late />
  </hx-partial>
)

function UndoButton({ undo }: { undo: Undo }) {
  const { action, fields = {}, is_in_page, label = 'Undo' } = formOf(undo)
  return (
    <form
      class={label === 'Undo' ? 'undo' : undefined}
      method="post"
      action={action}
      hx-post={is_in_page ? action : undefined}
      hx-swap={is_in_page ? 'none' : undefined}
    >
      {Object.entries(fields).map(([name, given]) =>
        [given].flat().map(value => <input type="hidden" name={name} value={value} />),
      )}
      <Button data-next-focus={'video_id' in undo ? `#${titleId(undo.video_id)} a` : ''}>{label}</Button>
    </form>
  )
}

type UndoForm = {
  action: string
  fields?: Record<string, string | string[]>
  /** The answer changes parts of the page, so that a video keeps playing; otherwise the page is loaded again. */
  is_in_page?: boolean
  /** Another label than "Undo", where the state before does not come back as it was. */
  label?: string
}

function formOf(undo: Undo): UndoForm {
  switch (undo.do) {
    case 'see':
    case 'unsee':
    case 'unsee_all':
    case 'unmark_all':
    case 'later':
    case 'not_later':
    case 'dismiss':
    case 'undismiss':
    case 'offer':
      return formOfMark(undo)
    case 'download':
      return { action: `/downloads/${encodeURIComponent(undo.video_id)}` }
    case 'download_again':
      return { action: `/downloads/${encodeURIComponent(undo.video_id)}`, label: 'Download again' }
    case 'restore':
      return { action: `/downloads/${encodeURIComponent(undo.video_id)}/restore`, is_in_page: true }
    case 'restore_video':
      return { action: `/downloads/${encodeURIComponent(undo.video_id)}/restore` }
    case 'restore_deleted':
      return { action: '/downloads/restore', fields: { deleted_at: undo.deleted_at } }
    case 'restore_channel':
      return { action: `/channels/${encodeURIComponent(undo.channel_id)}/restore` }
    case 'restore_channels':
      return { action: '/channels/chosen/restore', fields: { channel_id: undo.channel_ids } }
    case 'switch_auto_download':
      return {
        action: auto_download_path,
        fields: { channel_id: undo.channel_ids, on: String(undo.on) },
        is_in_page: true,
      }
    case 'restore_group':
    case 'restore_search':
    case 'restore_playlist':
    case 'take_from_playlist':
    case 'put_back':
    case 'restore_history':
      return formOfOwnThing(undo)
    case 'unfollow':
      return { action: `/channels/${encodeURIComponent(undo.channel_id)}/undo-follow` }
    case 'take_back':
      return { action: '/downloads/take-back', fields: { requested_at: undo.requested_at } }
    case 'queue_again':
      return { action: '/downloads/queue-again', fields: { cancelled_at: undo.cancelled_at } }
    case 'try_again':
      return { action: `/downloads/${encodeURIComponent(undo.video_id)}`, label: 'Retry' }
    case 'pin':
    case 'unpin':
      return { action: `/downloads/${encodeURIComponent(undo.video_id)}/${undo.do}` }
  }
}

/** What a person named, and their history. */
type OfOwnThing = Extract<
  Undo,
  {
    do: 'restore_group' | 'restore_search' | 'restore_playlist' | 'take_from_playlist' | 'put_back' | 'restore_history'
  }
>

function formOfOwnThing(undo: OfOwnThing): UndoForm {
  switch (undo.do) {
    case 'restore_group':
      return { action: `${groupPath(undo)}/restore` }
    case 'restore_search':
      return { action: `${savedSearchPath(undo)}/restore` }
    case 'restore_playlist':
      return { action: `${playlistPath(undo)}/restore` }
    case 'take_from_playlist':
      return { action: `${playlistPath(undo)}/take-back`, fields: { added_at: undo.added_at }, is_in_page: true }
    case 'put_back':
      return { action: `${playlistPath(undo)}/put-back`, fields: { removed_at: undo.removed_at }, is_in_page: true }
    case 'restore_history':
      return { action: `${history_path}/restore`, fields: { forgotten_at: undo.forgotten_at } }
  }
}

type OfMark = Extract<
  Undo,
  { do: 'see' | 'unsee' | 'unsee_all' | 'unmark_all' | 'later' | 'not_later' | 'dismiss' | 'undismiss' | 'offer' }
>

function formOfMark(undo: OfMark): UndoForm {
  switch (undo.do) {
    case 'see':
      return { action: `/videos/${encodeURIComponent(undo.video_id)}/seen`, is_in_page: true }
    case 'unsee':
      return { action: `/videos/${encodeURIComponent(undo.video_id)}/unseen`, is_in_page: true }
    case 'unsee_all':
      return { action: '/videos/unseen', fields: { seen_at: undo.seen_at } }
    case 'unmark_all':
      return { action: `/videos/${undo.list}/remove`, fields: { marked_at: undo.marked_at } }
    case 'later':
      return { action: listPath(undo, 'later', true), is_in_page: true }
    case 'not_later':
      return { action: listPath(undo, 'later', false), is_in_page: true }
    case 'dismiss':
      // The card of the video is gone from its list, so the page is loaded again.
      return { action: listPath(undo, 'dismissed', true) }
    case 'undismiss':
      return { action: listPath(undo, 'dismissed', false) }
    case 'offer':
      return { action: `/videos/${encodeURIComponent(undo.video_id)}/offer` }
  }
}
