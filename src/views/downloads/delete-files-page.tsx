/** The questions before files are deleted: those of several downloads, or of one channel. */
import type { Channel } from '../../schema/channels/channel.ts'
import type { ChosenForm } from '../../schema/downloads/download-api.ts'
import { type ChannelFiles, max_files_per_deletion } from '../../schema/downloads/space.ts'
import { bytesWords, countWords } from '../../schema/values/words.ts'
import type { PageContext } from '../frames/context.ts'
import { Layout } from '../frames/layout.tsx'
import { onlyCopyWords, staysWords, undoWords } from '../parts/deleting.tsx'
import { ActOrCancel, Button, Hidden } from '../ui/forms.tsx'

/** `only_copies`: how many of the videos their sites no longer have. */
type RemoveProps = {
  page: PageContext
  video_ids: string[]
  bytes: number
  only_copies: number
  from?: ChosenForm['from']
}

export const RemovePage = ({ page, video_ids, bytes, only_copies, from }: RemoveProps) => {
  const files = countWords(video_ids.length, 'file')
  return (
    <Layout page={page} title="Delete files">
      <form class="card narrow" method="post" action="/downloads/remove">
        <h1>
          Delete {files} ({bytesWords(bytes)})?
        </h1>
        <p>{keepsWords(video_ids.length, only_copies, page.bin_hours)}</p>
        <Hidden fields={{ confirmed: 'on', from, video_id: video_ids }} />
        <ActOrCancel kind="danger" busy="Deleting…" back={from === 'space' ? '/space' : '/downloads?show=done'}>
          Delete {files}
        </ActOrCancel>
      </form>
    </Layout>
  )
}

/** Says what stays of the files that are deleted. */
function keepsWords(files: number, only_copies: number, bin_hours: number): string {
  const stays = files === 1 ? 'The video stays in your list.' : 'The videos stay in your list.'
  const them = files === 1 ? 'it' : 'them'
  const again =
    undoWords(bin_hours, files === 1 ? 'the file' : 'the files') ??
    (only_copies === 0 ? `You can download ${them} again while the site still has ${them}.` : '')
  return `${stays} ${onlyCopyWords(files, only_copies)}${again}`
}

type ChannelProps = ChannelFiles & { page: PageContext; channel: Channel }

export const DeleteChannelFilesPage = ({ page, channel, files, bytes, pinned, only_copies }: ChannelProps) => (
  <Layout page={page} title="Delete files">
    <form class="card narrow" method="post" action={deleteFilesPath(channel)}>
      <h1>
        {files === 0 ? 'Nothing to delete of ' : `Delete ${countWords(files, 'file')} of `}
        <bdi>{channel.title}</bdi>
        {files > 0 && ` (${bytesWords(bytes)})?`}
      </h1>
      <p>
        {files > 0 && keepsWords(files, only_copies, page.bin_hours)} {staysWords({ pinned, only_copies: 0 })}
        {files > max_files_per_deletion && ` The ${max_files_per_deletion} largest are deleted first.`}
      </p>
      <div class="actions">
        {files > 0 && (
          <Button kind="danger" busy="Deleting…">
            Delete {countWords(Math.min(files, max_files_per_deletion), 'file')}
          </Button>
        )}
        <a class="button plain" href="/space">
          {files > 0 ? 'Cancel' : 'Back to Disk space'}
        </a>
      </div>
    </form>
  </Layout>
)

export const deleteFilesPath = ({ channel_id }: Pick<Channel, 'channel_id'>): string =>
  `/space/channels/${encodeURIComponent(channel_id)}/delete`
