/** The question before several channels are unfollowed. */
import type { Holdings } from '../../schema/channels/channel.ts'
import type { PageContext } from '../ui/context.ts'
import { Button } from '../ui/forms.tsx'
import { Layout } from '../ui/layout.tsx'
import { onlyCopyWords, undoWords } from '../ui/only-copy.ts'
import { bytesWords, countWords } from '../ui/words.ts'

type UnfollowProps = { page: PageContext; holdings: Holdings }

export const UnfollowPage = ({ page, holdings }: UnfollowProps) => {
  const { channels, files, only_copies } = holdings
  const what = countWords(channels.length, 'channel')
  return (
    <Layout page={page} title="Unfollow channels">
      <form class="card narrow" method="post" action="/channels/chosen/unfollow">
        <h1>Unfollow {what}?</h1>
        <p>
          {removesWords(holdings)} {onlyCopyWords(files, only_copies)}
          {undoWords(page.bin_hours, 'all of it')}
        </p>
        <ul class="names">
          {channels.slice(0, most_named).map(({ title }) => (
            <li>
              <bdi>{title}</bdi>
            </li>
          ))}
          {channels.length > most_named && <li class="quiet">and {channels.length - most_named} more</li>}
        </ul>
        <input type="hidden" name="confirmed" value="on" />
        {channels.map(({ channel_id }) => (
          <input type="hidden" name="channel_id" value={channel_id} />
        ))}
        <div class="actions">
          <Button kind="danger" busy="Unfollowing…">
            Unfollow {what}
          </Button>
          <a class="button plain" href="/channels">
            Cancel
          </a>
        </div>
      </form>
    </Layout>
  )
}

const most_named = 12

/** "This removes 340 videos from your list and deletes 4 files (27 MB)." */
function removesWords({ channels, files, bytes }: Holdings): string {
  const videos = channels.reduce((sum, { entry_count }) => sum + entry_count, 0)
  const deletes = files > 0 ? ` and deletes ${countWords(files, 'file')} (${bytesWords(bytes)})` : ''
  return `This removes ${countWords(videos, 'video')} from your list${deletes}.`
}
