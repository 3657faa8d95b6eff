/** The question before the files of one channel are deleted. */
import type { Channel } from '../../schema/channels/channel.ts'
import { type ChannelFiles, most_deleted } from '../../schema/downloads/space.ts'
import type { PageContext } from '../ui/context.ts'
import { staysWords } from '../ui/delete-watched.tsx'
import { Button } from '../ui/forms.tsx'
import { Layout } from '../ui/layout.tsx'
import { bytesWords, countWords } from '../ui/words.ts'
import { keepsWords } from './downloads-chosen.tsx'

type Props = ChannelFiles & { page: PageContext; channel: Channel }

export const DeleteChannelFilesPage = ({ page, channel, files, bytes, pinned, only_copies }: Props) => (
  <Layout page={page} title="Delete files">
    <form class="card narrow" method="post" action={deleteFilesPath(channel)}>
      <h1>
        {files === 0 ? 'Nothing to delete of ' : `Delete ${countWords(files, 'file')} of `}
        <bdi>{channel.title}</bdi>
        {files > 0 && ` (${bytesWords(bytes)})?`}
      </h1>
      <p>
        {files > 0 && keepsWords(files, only_copies, page.bin_hours)} {staysWords({ pinned, only_copies: 0 })}
        {files > most_deleted && ` The ${most_deleted} largest are deleted first.`}
      </p>
      <div class="actions">
        {files > 0 && (
          <Button kind="danger" busy="Deleting…">
            Delete {countWords(Math.min(files, most_deleted), 'file')}
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
