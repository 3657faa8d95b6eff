/** The player of a video or sound file, downloaded or still arriving; before the download, the picture of the video. */
import type { Child } from 'hono/jsx'
import { isOnlyCopy } from '../../schema/downloads/download.ts'
import { isSound } from '../../schema/downloads/quality.ts'
import { nowPath, pathWith, videoPath, watchPath, webUrl } from '../../schema/http/paths.ts'
import { type Category, categoryWords, sponsorblock_page } from '../../schema/sources/segment.ts'
import { languageWords } from '../../schema/sources/subtitles.ts'
import { siteWords } from '../../schema/values/address.ts'
import { durationWords } from '../../schema/values/words.ts'
import type { Video } from '../../schema/videos/video.ts'
import { removePath, watchNowPath } from '../downloads/download-buttons.tsx'
import { isLost } from '../downloads/settled-cell.tsx'
import { Thumbnail } from '../parts/thumbnails.tsx'
import { titleId } from '../ui/element-ids.ts'
import { Button, Post } from '../ui/forms.tsx'
import { Icon } from '../ui/icon.tsx'
import { languageTag, type NextVideo, PlayerBar } from './player-bar.tsx'

/** The module of the watch page. It imports the others of `static/player`. */
export const player_script = 'player/watch-page.js'

/** Keeps its id: when the download finishes, `player/file.js` fetches this part and replaces the picture. */
type StageProps = PlayerProps & { children?: Child }
export const Stage = ({ video, start, skips = [], next, children }: StageProps) => (
  <div id="stage" class="stage">
    {isArriving(video, start) ? (
      <ArrivingPlayer video={video} start={start} skips={skips} next={next} />
    ) : (
      <Player video={video} start={start} skips={skips} next={next} />
    )}
    {children}
    <div class="notes">
      {skips.length > 0 && <Skipped skips={skips} />}
      {video.download_status === 'completed' && start.is_resumed && start.at_seconds > 0 && (
        <p>
          Resumed at {durationWords(start.at_seconds)} ·{' '}
          <a class="start-over" href={`${watchPath(video)}?t=0`} data-seek="0">
            Start over
          </a>
        </p>
      )}
    </div>
  </div>
)

/** `skips`: the kinds of parts that are skipped. */
type PlayerProps = { video: Video; start: Start; skips?: Category[]; next?: NextVideo | undefined }

const Player = ({ video, start, skips = [], next }: PlayerProps) => {
  if (video.download_status !== 'completed')
    return (
      <>
        <Thumbnail video={video} size="stage" leads />
        {canArrive(video) && <WatchNow video={video} start={start} />}
      </>
    )
  const stream = streamPath(video)
  // The browser handles the fragment: the player starts there, also without a script.
  const src = start.at_seconds > 0 ? `${stream}#t=${start.at_seconds}` : stream
  const is_sound = isSound(video)
  const playing = {
    ...playerFacts(video, skips),
    src,
    autoplay: start.is_now,
    preload: 'metadata',
    'data-start': start.at_seconds,
    'data-video': video.video_id,
  } as const
  return (
    <>
      {is_sound && <Thumbnail video={video} size="stage" />}
      {is_sound ? (
        <audio {...playing} />
      ) : (
        <video {...playing} playsinline poster={video.picture_url ?? undefined}>
          {video.subtitles.map(language => (
            <track
              kind="subtitles"
              src={`${stream}/subtitles/${encodeURIComponent(language)}`}
              srclang={languageTag(language)}
              label={languageWords(language)}
            />
          ))}
        </video>
      )}
      <BigPlay />
      <Fault video={video} />
      <PlayerBar video={video} at_seconds={start.at_seconds} is_sound={is_sound} next={next} />
      <p class="said" role="status"></p>
    </>
  )
}

/**
 * `player/faults.js` says here why the file does not play, and shows what helps. A broken file is deleted before it is downloaded again.
 */
const Fault = ({ video }: { video: Video }) => {
  const original = webUrl(video.video_url)
  return (
    <div class="fault" hidden>
      <p role="alert"></p>
      <div class="actions">
        <button type="button" class="button main" data-act="retry" data-helps="lost broken ended">
          Try again
        </button>
        {!isOnlyCopy(video) && (
          <form
            method="post"
            action={watchNowPath(video)}
            data-helps="missing broken"
            data-removes={removePath(video.video_id)}
          >
            <Button>Download again</Button>
          </form>
        )}
        <a class="button main" href={`/download/${encodeURIComponent(video.video_id)}`} data-helps="unsupported">
          Save to this device
        </a>
        {original && (
          <a class="button plain" href={original} rel="noreferrer" data-helps="missing broken unsupported">
            Open on {siteWords(original)}
          </a>
        )}
      </div>
    </div>
  )
}

/** On a paused picture. A press anywhere on the picture plays, and the bar has the button. */
const BigPlay = () => (
  <span class="big-play scripted" aria-hidden="true">
    <Icon name="play" />
  </span>
)

/** Says which parts are skipped. Shown where the video has such parts. */
const Skipped = ({ skips }: { skips: Category[] }) => (
  <p class="segments" hidden>
    Skips
    {skips.map(category => (
      <span data-category={category} hidden>
        {' '}
        <span class="times"></span> (<span class="name">{categoryWords[category].toLowerCase()}</span>)
      </span>
    ))}
  </p>
)

/** The licence of the parts. `player/segments.js` shows it where the video has such parts. */
export const SegmentsCredit = () => (
  <p class="quiet credit" hidden>
    Segments from <a href={sponsorblock_page}>SponsorBlock</a>, CC BY-NC-SA 4.0
  </p>
)

const isArriving = (video: Video, { is_now = false }: Start): boolean =>
  is_now && (video.download_status === 'downloading' || video.queued)

/** Whether pressing Watch can lead to a picture. A stream that has not ended is not downloaded. */
export const canArrive = (video: Video): boolean =>
  !isLost(video) &&
  video.availability !== 'members_only' &&
  video.live_status !== 'upcoming' &&
  video.live_status !== 'live'

/** The primary button of a video that is not on disk. A time and a list in the address of the page go along. */
const WatchNow = ({ video, start: { at_seconds, is_resumed, list } }: { video: Video; start: Start }) => (
  <Post
    action={pathWith(watchNowPath(video), { t: is_resumed ? undefined : `${at_seconds}`, list })}
    form_class="watch-now"
    kind="main"
  >
    <Icon name="play" />
    {at_seconds > 0 ? `${is_resumed ? 'Continue' : 'Watch'} from ${durationWords(at_seconds)}` : 'Watch now'}
  </Post>
)

/**
 * `player/arriving.js` feeds this player with the parts that have arrived, until the file is complete. Without that script, the page says
 * when to come back.
 */
const ArrivingPlayer = ({ video, start, skips = [], next }: PlayerProps) => (
  <>
    <video
      {...playerFacts(video, skips)}
      class="player unplayed"
      playsinline
      poster={video.picture_url ?? undefined}
      data-arriving={`${streamPath(video)}/index.m3u8`}
      data-whole={streamPath(video)}
      data-ask={`${watchNowPath(video)}/again`}
      data-start={start.at_seconds}
    ></video>
    <BigPlay />
    <Fault video={video} />
    <PlayerBar video={video} at_seconds={start.at_seconds} is_sound={false} next={next} />
    <p class="said" role="status"></p>
    <p class="arriving-words scripted" role="status">
      Starting the download…
    </p>
    <noscript>
      <p class="quiet">
        It can be watched when the download is complete.{' '}
        <a class="button plain" href={nowPath(video)}>
          Reload
        </a>
      </p>
    </noscript>
  </>
)

/**
 * Where the player starts. `is_resumed`: at the saved position, not at one that the address names. `is_now`: the person pressed Watch, so
 * it plays as soon as it can, although it is still being downloaded.
 */
export type Start = { at_seconds: number; is_resumed: boolean; is_now?: boolean; list?: string | undefined }

const streamPath = ({ video_id }: Video): string => `/stream/${encodeURIComponent(video_id)}`

/** The attributes of every player, whatever it plays. `skips`: the kinds of parts that are skipped. */
const playerFacts = (video: Video, skips: Category[]) =>
  ({
    class: 'player',
    controls: true,
    'aria-labelledby': titleId(video.video_id),
    'data-position': `${videoPath(video.video_id)}/position`,
    'data-channel': video.channel_id,
    'data-length': video.duration_seconds ?? undefined,
    'data-segments': skips.length > 0 ? `/api/segments/${encodeURIComponent(video.video_id)}` : undefined,
  }) as const
