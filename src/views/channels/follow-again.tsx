/** The button that follows a channel of which a person has single videos. */
import type { Channel } from '../../schema/channels/channel.ts'
import { Button } from '../ui/forms.tsx'
import { webUrl } from '../ui/paths.ts'

/** Nothing, where the page of the channel is unknown. */
export const FollowAgain = ({ channel }: { channel: Channel }) => {
  const address = webUrl(channel.page_url)
  return address ? (
    <form method="post" action="/channels">
      <input type="hidden" name="url" value={address} />
      <Button kind="main" busy="Looking…">
        Follow
      </Button>
    </form>
  ) : null
}
