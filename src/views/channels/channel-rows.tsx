/** A list of channels with what is above it, and the sentences that say how many there are and how many fail. */
import type { ChannelList } from '../../schema/channels/channel.ts'
import type { Group } from '../../schema/channels/group.ts'
import { switches_id } from '../rules/auto-download-switch.tsx'
import { Older } from '../ui/older.tsx'
import { countWords, numberWords } from '../ui/words.ts'
import { ChannelChoices, channelsPath, parametersOf } from './channel-choices.tsx'
import { ChannelRow } from './channel-row.tsx'
import { ChannelsBar } from './choosing-channels.tsx'

/** `groups`: given when channels are being selected. */
type ListProps = { list: ChannelList; now: Date; groups?: Group[] | undefined }

export const ChannelRows = ({ list, now, groups }: ListProps) => (
  <>
    {list[list.of] > 1 && <ChannelChoices list={list} is_choosing={groups !== undefined} />}
    {groups && <ChannelsBar done={channelsPath(list, false)} groups={groups} />}
    <div id="shown">
      {list.channels.length === 0 ? (
        <p class="empty">
          No channel matches “{list.q}”.{' '}
          <a href={channelsPath({ of: list.of, q: '', order: 'title' }, false)}>Show all</a>
        </p>
      ) : (
        <>
          <Columns is_followed={list.of === 'followed'} />
          <ul class={list.order === 'size' ? 'rows by-size' : 'rows'} id="channels">
            {list.channels.map(channel => (
              <ChannelRow channel={channel} now={now} is_choosing={groups !== undefined} />
            ))}
          </ul>
        </>
      )}
      <Older
        path="/channels"
        parameters={parametersOf(list, groups !== undefined)}
        cursor={list.next_cursor}
        list="channels"
        label="More channels"
      />
    </div>
  </>
)

/** The heads of the columns. Hidden from screen readers, because each number and switch says what it is. */
const Columns = ({ is_followed }: { is_followed: boolean }) => (
  <div class="columns quiet" aria-hidden="true">
    <span class="unwatched">Unwatched</span>
    <span class="size">On disk</span>
    {is_followed && <span id={switches_id}>Auto-download</span>}
  </div>
)

/** "You follow 40 channels · 2 not updating · Import or export". */
export const Followed = ({ list: { followed, failing, order } }: { list: ChannelList }) => (
  <p class="quiet">
    {followed > 0 && `You follow ${countWords(followed, 'channel')} · `}
    {failing > 0 && (
      <>
        {order === 'failing' || followed === 1 ? (
          <span class="fault">{failingWords(failing)}</span>
        ) : (
          <a class="fault" href="/channels?order=failing">
            {failingWords(failing)}
          </a>
        )}{' '}
        ·{' '}
      </>
    )}
    <a href="/import">Import or export</a>
    {followed > 1 && (
      <>
        {' '}
        · <a href="/channels/rules">Auto-download for several</a> · <a href="/groups">Groups</a>
      </>
    )}
  </p>
)

const failingWords = (failing: number) => `${numberWords(failing)} not updating`

/** "Single videos from 4 channels you don't follow": a link; nothing if there are none. */
export const SingleVideos = ({ list: { unfollowed } }: { list: ChannelList }) =>
  unfollowed > 0 ? (
    <p class="quiet">
      <a href="/channels?followed=false">Single videos from {countWords(unfollowed, 'channel')} you don't follow</a>
    </p>
  ) : null
