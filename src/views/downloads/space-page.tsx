/** Disk space: how much is used, what deleting watched videos frees, what each channel takes, and the largest files. */
import {
  type ChannelSpace,
  max_files_per_deletion,
  type SpaceShown,
  type WatchedDays,
  type WatchedSpace,
  watched_days,
} from '../../schema/downloads/space.ts'
import { channelPath, pathWith, playPath } from '../../schema/http/paths.ts'
import { bytesWords, countWords, numberWords } from '../../schema/values/words.ts'
import type { ListedVideo, Video } from '../../schema/videos/video.ts'
import type { PageContext } from '../frames/context.ts'
import { Layout } from '../frames/layout.tsx'
import { RecentlyDeleted, staysWords, undoWords } from '../parts/deleting.tsx'
import { Avatar, Thumbnail } from '../parts/thumbnails.tsx'
import { Button, Hidden, MainButton } from '../ui/forms.tsx'
import { Icon } from '../ui/icon.tsx'
import { Ask, ItemLink, MoreMenu } from '../ui/menus.tsx'
import { Ago } from '../ui/times.tsx'
import { deleteFilesPath } from './delete-files-page.tsx'
import { ChooseDownload } from './download-buttons.tsx'

type SpaceProps = {
  page: PageContext
  space: SpaceShown
  days: WatchedDays
  /** Every channel is shown. */
  all: boolean
  largest: Video[]
  long_watched: ListedVideo[]
}

export const SpacePage = ({ page, space, days, all, largest, long_watched }: SpaceProps) => (
  <Layout page={page} title="Disk space">
    <header class="heading">
      <h1>Disk space</h1>
      <p class="quiet">{usedWords(space)}</p>
      {space.quota_bytes !== null && (
        <progress
          class="quota"
          max={space.quota_bytes}
          value={Math.min(space.on_disk_bytes, space.quota_bytes)}
          aria-label="Quota used"
        />
      )}
    </header>
    {space.files === 0 ? (
      <p class="empty">
        The videos that you download take space here. Go to <a href="/">New</a>
      </p>
    ) : (
      <div class="space">
        <section class="group" aria-labelledby="watched">
          <h2 id="watched" class="spoken">
            Watched videos
          </h2>
          <Watched watched={space.watched[days]} days={days} />
          <DeleteWatched watched={space.watched[days]} days={days} bin_hours={page.bin_hours} />
          <FileRows videos={long_watched} now={page.now} />
        </section>
        <section class="group" aria-labelledby="channels-name">
          <h2 id="channels-name">By channel</h2>
          <ChannelBars channels={space.channels} most={all ? space.channels.length : max_channels_shown} />
        </section>
        <section class="group" aria-labelledby="largest">
          <h2 id="largest">Largest files</h2>
          <form class="actions" id={largest_form} method="post" action="/downloads/remove">
            <input type="hidden" name="from" value="space" />
            <label class="checkbox scripted">
              <input type="checkbox" data-choose-all={largest_form} />
              Select all shown
            </label>
            <Button>Delete selected</Button>
            <span class="count" role="status" data-count-chosen={largest_form}></span>
          </form>
          <FileRows videos={largest} now={page.now} choose_for={largest_form} />
        </section>
      </div>
    )}
    <RecentlyDeleted bin_hours={page.bin_hours} />
  </Layout>
)

/** "Free 310 MB: watched over [30 days] ago", or "Watched over [30 days] ago: nothing to delete". */
const Watched = ({ watched: { files, bytes }, days }: Pick<DeleteWatchedProps, 'watched' | 'days'>) => (
  <div class="watched">
    {files === 0 ? 'Watched over ' : `Free ${bytesWords(bytes)}: watched over `}
    <OtherDays days={days} /> ago{files === 0 && ': nothing to delete'}
  </div>
)

const OtherDays = ({ days }: { days: WatchedDays }) => (
  <details class="menu">
    <summary>
      {days} days <Icon name="chevron" />
    </summary>
    <div class="panel">
      {watched_days.map(each => (
        <ItemLink
          href={pathWith('/space', { days: each === 30 ? undefined : String(each) })}
          aria-current={each === days ? 'true' : undefined}
        >
          {each} days
        </ItemLink>
      ))}
    </div>
  </details>
)

const largest_form = 'largest-files'

/** "9.6 GB of 50 GB used by 38 files · 120 GB free". */
function usedWords({ files, on_disk_bytes, quota_bytes, free_bytes }: SpaceShown): string {
  const of = quota_bytes === null ? '' : ` of ${bytesWords(quota_bytes)}`
  const free = free_bytes === null ? '' : ` · ${bytesWords(free_bytes)} free`
  if (files === 0) return `Nothing on disk yet${free}`
  return `${bytesWords(on_disk_bytes)}${of} used by ${countWords(files, 'file')}${free}`
}

/** Keeps the page below 100 kB. */
const max_channels_shown = 40

/** `most`: how many are shown. */
const ChannelBars = ({ channels, most }: { channels: ChannelSpace[]; most: number }) => {
  const largest = Math.max(1, channels[0]?.bytes ?? 0)
  const others = channels.slice(most)
  return (
    <>
      <ul class="rows bars">
        {channels.slice(0, most).map(channel => (
          <ChannelBar channel={channel} largest={largest} />
        ))}
      </ul>
      {others.length > 0 && (
        <p class="quiet">
          {countWords(others.length, 'more channel')}, {bytesWords(others.reduce((sum, { bytes }) => sum + bytes, 0))}.{' '}
          <a href="/space?all=1">Show all</a>
        </p>
      )}
    </>
  )
}

const ChannelBar = ({ channel, largest }: { channel: ChannelSpace; largest: number }) => (
  <li class="row">
    <Avatar channel={channel} />
    <div class="about">
      <h3 class="title">
        <a href={pathWith(channelPath(channel), { status: 'completed', sort: 'largest' })}>
          <bdi>{channel.title}</bdi>
        </a>
      </h3>
      <progress max={largest} value={channel.bytes} aria-hidden="true" />
    </div>
    <p class="quiet amount">
      {bytesWords(channel.bytes)}
      <br />
      {countWords(channel.files, 'file')}
    </p>
    <MoreMenu label={`Actions for ${channel.title}`}>
      <a class="item danger" href={deleteFilesPath(channel)}>
        Delete files
      </a>
    </MoreMenu>
  </li>
)

type DeleteWatchedProps = { watched: WatchedSpace; days: WatchedDays; bin_hours: number }

/** The button that deletes the files of watched videos, with what it frees and what stays. */
export const DeleteWatched = (props: DeleteWatchedProps) => {
  const { watched, days, bin_hours } = props
  if (watched.files === 0) return <p class="quiet">{staysWords(watched)}</p>
  if (bin_hours === 0) return <DeleteForGood {...props} />
  return (
    <form class="actions" method="post" action={delete_watched_path}>
      <Hidden fields={{ older_than_days: String(days) }} />
      <MainButton busy="Deleting…">{deleteWords(watched)}</MainButton>
      <p class="quiet">
        {undoWords(bin_hours, watched.files === 1 ? 'the file' : 'the files')} {staysWords(watched)}
      </p>
    </form>
  )
}

/** Nothing undoes it, so it asks first. */
const DeleteForGood = ({ watched, days }: DeleteWatchedProps) => (
  <Ask
    label={`${deleteWords(watched)}…`}
    class="button plain"
    action={delete_watched_path}
    fields={{ older_than_days: String(days) }}
    does="Delete for good"
    busy="Deleting…"
  >
    {deleteWords(watched)}? {watched.files === 1 ? 'It' : 'They'} cannot be restored. {staysWords(watched)}
  </Ask>
)

const delete_watched_path = '/space/delete-watched'

/** The button does not promise more than one request deletes. */
const deleteWords = ({ files, bytes }: WatchedSpace) =>
  files <= max_files_per_deletion
    ? `Delete ${countWords(files, 'watched video')}, ${bytesWords(bytes)}`
    : `Delete ${numberWords(max_files_per_deletion)} of ${numberWords(files)} watched videos`

type FileRowsProps = {
  videos: ListedVideo[]
  now: Date
  /** The id of the form that the checkboxes belong to; absent: there are none. */
  choose_for?: string
}

/** Files on disk as short rows: the picture, the title, the size. A video may be in two such lists of a page, so a row has no ids. */
const FileRows = ({ videos, now, choose_for }: FileRowsProps) =>
  videos.length === 0 ? null : (
    <ul class="rows files">
      {videos.map(video => (
        <li class="row">
          {choose_for && <ChooseDownload video={video} form={choose_for} />}
          <Thumbnail video={video} is_seen={video.seen_at !== null} />
          <div class="about">
            <h3 class="title">
              <a href={playPath(video)} dir="auto">
                {video.title}
              </a>
            </h3>
            <p class="quiet line">
              <bdi>{video.channel_title}</bdi>
              <Ago words=" · watched " at={video.seen_at} now={now} />
              {video.pinned && ' · never deleted'}
            </p>
          </div>
          <p class="quiet amount">{bytesWords(video.file_size ?? 0)}</p>
        </li>
      ))}
    </ul>
  )
