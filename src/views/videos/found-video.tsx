/** The video found at an address, with the buttons that add it; or what is there instead of one video. */
import type { DomainError, ErrorCode } from '../../errors.ts'
import { channelPath, playPath } from '../../schema/http/paths.ts'
import type { FoundList } from '../../schema/sources/discovery.ts'
import type { LookedVideo } from '../../schema/sources/listing.ts'
import { siteWords } from '../../schema/values/address.ts'
import { durationWords } from '../../schema/values/words.ts'
import type { Video } from '../../schema/videos/video.ts'
import { Thumbnail } from '../parts/thumbnails.tsx'
import { Button, MainButton } from '../ui/forms.tsx'
import { Ago, Planned } from '../ui/times.tsx'

/** `known`: the library has it already. `refusal`: why it cannot be added. */
export type FoundVideo = { known: Video } | { video: LookedVideo } | { list: FoundList } | { refusal: DomainError }

type Props = { found: FoundVideo; url: string; now: Date; can_follow: boolean }

/** `url`: what the person entered. `can_follow`: the page offers something to follow. */
export const FoundVideoCard = ({ found, url, now, can_follow }: Props) => {
  if ('refusal' in found) return <RefusedVideo refusal={found.refusal} />
  if ('list' in found) return <SeveralVideos list={found.list} can_follow={can_follow} />
  return 'known' in found ? (
    <KnownVideo video={found.known} now={now} />
  ) : (
    <NewVideo video={found.video} url={url} now={now} />
  )
}

const NewVideo = ({ video, url, now }: { video: LookedVideo; url: string; now: Date }) => {
  const title = video.title ?? siteWords(video.video_url)
  const channel_title = video.channel.title ?? siteWords(video.video_url)
  return (
    <section class="card found-video">
      <Thumbnail video={{ channel_title }} />
      <div class="about">
        <h1>
          <bdi>{title}</bdi>
        </h1>
        <p class="quiet">
          <bdi>{channel_title}</bdi>
          {video.duration_seconds ? ` · ${durationWords(video.duration_seconds)}` : ''}
          {video.published_at && video.published_at <= now && <Ago words=" · " at={video.published_at} now={now} />}
        </p>
        <Obstacle video={video} now={now} />
        <form class="actions" method="post" action="/videos">
          <input type="hidden" name="url" value={url} />
          <MainButton busy="Adding…" name="download" value="on">
            Download this video
          </MainButton>
          <Button busy="Adding…">Add without downloading</Button>
        </form>
      </div>
    </section>
  )
}

/** Why the video cannot be downloaded now. */
const Obstacle = ({ video: { live_status, availability, starts_at }, now }: { video: LookedVideo; now: Date }) => {
  if (live_status === 'live') return <p>This is live now. It can be downloaded when it ends.</p>
  if (live_status === 'upcoming')
    return (
      <p>
        Not out yet
        {starts_at && (
          <>
            , starts <Planned at={starts_at} now={now} />
          </>
        )}
        . It can be downloaded when it is out.
      </p>
    )
  if (availability === 'members_only') return <p>For members of the channel only. It can be downloaded if it opens.</p>
  if (availability === 'age_restricted') return <p>Age-restricted: its site may ask for a sign-in.</p>
  return null
}

const KnownVideo = ({ video, now }: { video: Video; now: Date }) => (
  <section class="card found-video">
    <Thumbnail video={video} size="card" leads />
    <div class="about">
      <h1>
        <a href={playPath(video)} dir="auto">
          {video.title}
        </a>
      </h1>
      <p class="quiet">
        <a href={channelPath(video)}>
          <bdi>{video.channel_title}</bdi>
        </a>
        <Ago words=" · " at={video.published_at} now={now} />
      </p>
      <p>You have this video already.</p>
      <p class="actions">
        <a class="button main" href={playPath(video)}>
          Open it
        </a>
      </p>
    </div>
  </section>
)

const RefusedVideo = ({ refusal: { code, message } }: { refusal: DomainError }) => (
  <header class="heading">
    <h1>{refusedTitle(code)}</h1>
    <p>{message}</p>
  </header>
)

/** It may help to try again, unless the reason is the video itself. */
export const refusedTitle = (code: ErrorCode): string =>
  code === 'invalid' ? 'This video cannot be added' : 'This video could not be looked up'

const SeveralVideos = ({ list, can_follow }: { list: FoundList; can_follow: boolean }) => (
  <header class="heading">
    <h1>
      <bdi>{list.title ?? 'Several videos'}</bdi>
    </h1>
    <p>
      {list.sentence}{' '}
      {can_follow
        ? 'Follow it below, or paste the link of one of its videos.'
        : 'It has no feed that could be followed. Paste the link of one of its videos to add that one.'}
    </p>
  </header>
)
