/**
 * Selecting several channels and acting on them: their checkboxes, and the bar at the bottom. `page/choosing.js` counts and selects ranges.
 */
import type { Holdings } from '../../schema/channels/channel.ts'
import type { Group } from '../../schema/channels/group.ts'
import { auto_download_path } from '../../schema/http/paths.ts'
import type { LibraryColumn } from '../../schema/search/saved-search.ts'
import { bytesWords, countWords } from '../../schema/values/words.ts'
import type { PageContext } from '../frames/context.ts'
import { Layout } from '../frames/layout.tsx'
import { onlyCopyWords, undoWords } from '../parts/deleting.tsx'
import { Avatar } from '../parts/thumbnails.tsx'
import { column_channels_id, nameId } from '../ui/element-ids.ts'
import { ActOrCancel, Button, Field, Hidden } from '../ui/forms.tsx'
import { Icon } from '../ui/icon.tsx'
import { choosing_form } from '../videos/choosing.tsx'
import { Choice } from './groups-page.tsx'

/** The label is as large as the row, so a press anywhere on the row selects. */
export const ChooseChannel = ({ channel_id }: { channel_id: string }) => (
  <label class="choose">
    <input
      type="checkbox"
      name="channel_id"
      value={channel_id}
      form={choosing_form}
      aria-labelledby={nameId(channel_id)}
    />
  </label>
)

/** `done`: the address of the page without checkboxes. */
export const ChannelsBar = ({ done, groups }: { done: string; groups: Group[] }) => (
  <form id={choosing_form} class="choosing-bar" method="post" action="/channels/chosen/group">
    <label class="checkbox scripted">
      <input type="checkbox" data-choose-all={choosing_form} />
      Select all shown
    </label>
    <span class="count" role="status" data-count-chosen={choosing_form}></span>
    {/* First: its first button is the one that Enter presses in a field or a checkbox, and it does no harm. */}
    <AddToGroup groups={groups} />
    <Button kind="quiet" formaction="/channels/chosen/watched">
      Mark as watched
    </Button>
    <details class="menu">
      <summary class="button quiet">
        <span>Auto-download</span>
        <Icon name="chevron" />
      </summary>
      <div class="panel">
        <Button class="item" name="on" value="true" formaction={auto_download_path}>
          Turn on
        </Button>
        <Button class="item" name="on" value="false" formaction={auto_download_path}>
          Turn off
        </Button>
      </div>
    </details>
    <Button kind="quiet" formaction="/channels/chosen/unfollow">
      Unfollow
    </Button>
    <a class="button quiet" href={done} data-next-focus="">
      Done
    </a>
  </form>
)

const AddToGroup = ({ groups }: { groups: Group[] }) => (
  <details class="menu">
    <summary class="button quiet">
      <span>Add to group</span>
      <Icon name="chevron" />
    </summary>
    <div class="panel">
      <div class="new-group">
        <Field label="New group" name="name" maxlength={60} />
        <Button>Create</Button>
      </div>
      {groups.map(({ group_id, name }) => (
        <Button class="item" name="group_id" value={group_id}>
          <bdi>{name}</bdi>
        </Button>
      ))}
    </div>
  </details>
)

type TicksProps = { column: LibraryColumn; done: string }

/** The channels of the column with a checkbox each, in place of their links. `done`: the address of the page beside. */
export const ColumnTicks = ({ column: { channels, groups }, done }: TicksProps) => (
  <form id={column_channels_id} class="column-ticks" method="post" action="/channels/chosen/group">
    <div class="acts">
      <AddToGroup groups={groups} />
      <a class="button quiet" href={done}>
        Cancel
      </a>
    </div>
    <ul>
      {channels.map((channel, nth) => (
        <Choice
          field="channel_id"
          value={channel.channel_id}
          label={channel.title}
          checked={false}
          picture={<Avatar channel={channel} />}
          first={nth === 0}
        />
      ))}
    </ul>
  </form>
)

type UnfollowProps = { page: PageContext; holdings: Holdings }

/** The question before several channels are unfollowed. */
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
          {channels.slice(0, max_channels_named).map(({ title }) => (
            <li>
              <bdi>{title}</bdi>
            </li>
          ))}
          {channels.length > max_channels_named && (
            <li class="quiet">and {channels.length - max_channels_named} more</li>
          )}
        </ul>
        <Hidden fields={{ confirmed: 'on', channel_id: channels.map(({ channel_id }) => channel_id) }} />
        <ActOrCancel kind="danger" busy="Unfollowing…" back="/channels">
          Unfollow {what}
        </ActOrCancel>
      </form>
    </Layout>
  )
}

const max_channels_named = 12

/** "This removes 340 videos from your list and deletes 4 files (27 MB)." */
function removesWords({ channels, files, bytes }: Holdings): string {
  const videos = channels.reduce((sum, { entry_count }) => sum + entry_count, 0)
  const deletes = files > 0 ? ` and deletes ${countWords(files, 'file')} (${bytesWords(bytes)})` : ''
  return `This removes ${countWords(videos, 'video')} from your list${deletes}.`
}
