/** Selecting several channels and acting on them: their checkboxes, and the bar at the bottom. `choosing.js` counts and selects ranges. */
import type { Group } from '../../schema/channels/group.ts'
import { nameId } from '../ui/cell-ids.ts'
import { Button, Field } from '../ui/forms.tsx'
import { Icon } from '../ui/icon.tsx'
import { auto_download_path } from '../ui/paths.ts'
import { choosing_form } from '../videos/choosing.tsx'

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
