/** The person's groups of channels, one group with its channels, and the groups of one channel. */
import type { Child } from 'hono/jsx'
import type { Channel } from '../../schema/channels/channel.ts'
import type { Group } from '../../schema/channels/group.ts'
import {
  channelPath,
  groupPath,
  groups_path,
  newPath,
  notifications_path,
  podcastPath,
} from '../../schema/http/paths.ts'
import type { LibraryColumn } from '../../schema/search/saved-search.ts'
import { countWords, numberWords } from '../../schema/values/words.ts'
import type { PageContext } from '../frames/context.ts'
import { Heading, Layout } from '../frames/layout.tsx'
import { SavedForm, Switch, saved_on_change } from '../frames/settings-frame.tsx'
import { Avatar } from '../parts/thumbnails.tsx'
import { Button, MainButton, NameField, Post } from '../ui/forms.tsx'
import { Icon } from '../ui/icon.tsx'
import { About, Rows } from '../ui/lists.tsx'

/** `errors`: sentences by field; `name`: as it was typed. */
type Form = { page: PageContext; column: LibraryColumn; name: string; errors: Record<string, string> }

export const GroupsPage = ({ page, column, name, errors }: Form) => (
  <Layout page={page} title="Groups" column={{ library: column, here: groups_path }}>
    <Heading title="Groups">{what_for}</Heading>
    <form class="settings group-name" method="post" action={groups_path}>
      <NameField
        label="New group"
        value={name}
        error={errors.name}
        placeholder={column.groups.length === 0 ? 'Cooking' : ''}
        autofocus
      />
      <MainButton busy="Creating…">Create group</MainButton>
    </form>
    {column.groups.length === 0 && <Suggestions />}
    <Rows class="groups" of={column.groups} row={group => <GroupRow group={group} />} />
  </Layout>
)

/** One press creates a first group, which then asks for its channels. */
const Suggestions = () => (
  <form class="buttons" method="post" action={groups_path}>
    <span class="quiet">Or begin with</span>
    {['Evenings', 'Learning', 'Music'].map(name => (
      <Button name="name" value={name}>
        {name}
      </Button>
    ))}
  </form>
)

const what_for =
  'Put channels that belong together into a group, such as Cooking or News, to see only their videos on New. A channel can be in several groups.'

const GroupRow = ({ group }: { group: Group }) => (
  <li class="row">
    <About
      heading="h2"
      title={
        <a href={newPath(group.group_id)}>
          <bdi>{group.name}</bdi>
        </a>
      }
    >
      {countWords(group.channels, 'channel')} · {numberWords(group.unwatched)} unwatched
    </About>
    <a class="button plain" href={groupPath(group)} aria-label={`Edit ${group.name}`}>
      Edit
    </a>
    <DeleteGroup group={group} />
  </li>
)

const DeleteGroup = ({ group }: { group: Group }) => (
  <Post action={`${groupPath(group)}/delete`} kind="quiet" aria-label={`Delete ${group.name}`}>
    <Icon name="trash" />
  </Post>
)

type GroupProps = Form & { group: Group; channels: Channel[]; chosen: ReadonlySet<string> }

export const GroupPage = ({ page, column, group, name, errors, channels, chosen }: GroupProps) => (
  <Layout page={page} title={group.name} column={{ library: column, here: newPath(group.group_id) }}>
    <Heading title={<bdi>{group.name}</bdi>}>
      <a href={groups_path}>Groups</a> · <a href={newPath(group.group_id)}>Open group</a> ·{' '}
      <a href={podcastPath({ group_id: group.group_id })}>Podcast</a>
    </Heading>
    <form class="settings" method="post" action={groupPath(group)}>
      <NameField value={name} error={errors.name} />
      {/* A tick is saved at once. Without a script it waits for the button, as a new name always does. */}
      <div
        hx-post={groupPath(group)}
        hx-vals={JSON.stringify({ name: group.name })}
        hx-target="#saved"
        {...saved_on_change}
      >
        <Choices legend="Channels" empty="You follow no channels yet.">
          {chosenFirst(channels, chosen).map(channel => (
            <Choice
              field="channel_id"
              value={channel.channel_id}
              label={channel.title}
              checked={chosen.has(channel.channel_id)}
              picture={<Avatar channel={channel} />}
            />
          ))}
        </Choices>
      </div>
      <p class="saved" id="saved" role="status"></p>
      <MainButton>Save</MainButton>
    </form>
    <div class="settings">
      <SavedForm action={`${groupPath(group)}/bell`}>
        <Switch
          name="bell"
          label="Notify me of new videos"
          hint={
            <>
              You choose how in <a href={notifications_path}>your settings</a>.
            </>
          }
          checked={group.bell}
        />
      </SavedForm>
    </div>
    <Post action={`${groupPath(group)}/delete`} form_class="settings" kind="danger">
      Delete group
    </Post>
  </Layout>
)

/** The channels of the group are in sight, however long the list is. */
const chosenFirst = (channels: Channel[], chosen: ReadonlySet<string>) => [
  ...channels.filter(({ channel_id }) => chosen.has(channel_id)),
  ...channels.filter(({ channel_id }) => !chosen.has(channel_id)),
]

type ChannelProps = Form & { channel: Channel; chosen: ReadonlySet<string> }

export const ChannelGroupsPage = ({ page, column, channel, chosen, name, errors }: ChannelProps) => (
  <Layout page={page} title={`Groups of ${channel.title}`} column={{ library: column, here: channelPath(channel) }}>
    <Heading title="Groups">
      <a href={channelPath(channel)}>
        <bdi>{channel.title}</bdi>
      </a>
    </Heading>
    <form class="settings" method="post" action={`${channelPath(channel)}/groups`}>
      <Choices legend="This channel is in" empty={what_for}>
        {column.groups.map(group => (
          <Choice field="group_id" value={group.group_id} label={group.name} checked={chosen.has(group.group_id)} />
        ))}
      </Choices>
      <NameField label="New group" value={name} error={errors.name} required={false} />
      <div class="buttons">
        <MainButton>Save</MainButton>
        <a href={groups_path}>All groups</a>
      </div>
    </form>
  </Layout>
)

type ChoicesProps = { legend: string; empty: string; children: Child[] }

const Choices = ({ legend, empty, children }: ChoicesProps) => (
  <fieldset>
    <legend>{legend}</legend>
    {children.length === 0 ? <p class="hint">{empty}</p> : <ul class="choices">{children}</ul>}
  </fieldset>
)

/** `first`: it gets the focus. */
type ChoiceProps = { field: string; value: string; label: string; checked: boolean; picture?: Child; first?: boolean }

export const Choice = ({ field, value, label, checked, picture, first = false }: ChoiceProps) => (
  <li>
    <label class="checkbox">
      <input type="checkbox" name={field} value={value} checked={checked} autofocus={first} />
      {picture}
      <bdi>{label}</bdi>
    </label>
  </li>
)
