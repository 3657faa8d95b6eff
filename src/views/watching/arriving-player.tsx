/** The player of a video that is still being downloaded, and the button that leads to it. */
import type { Category } from '../../schema/sources/segment.ts'
import type { Video } from '../../schema/videos/video.ts'
import { watchNowPath } from '../downloads/download-act.tsx'
import { isLost } from '../downloads/settled-cell.tsx'
import { Button } from '../ui/forms.tsx'
import { Icon } from '../ui/icon.tsx'
import { durationWords } from '../ui/words.ts'
import { PlayerBar } from './player-bar.tsx'
import { playerFacts, type Start, streamPath } from './player-facts.ts'

/** Whether pressing Watch can lead to a picture. A stream that has not ended is not downloaded. */
export const canArrive = (video: Video): boolean =>
  !isLost(video) &&
  video.availability !== 'members_only' &&
  video.live_status !== 'upcoming' &&
  video.live_status !== 'live'

/** The primary button of a video that is not on disk. A time in the address of the page goes along. */
export const WatchNow = ({ video, start: { at_seconds, is_resumed } }: { video: Video; start: Start }) => (
  <form class="watch-now" method="post" action={`${watchNowPath(video)}${is_resumed ? '' : `?t=${at_seconds}`}`}>
    <Button kind="main">
      <Icon name="play" />
      {at_seconds > 0 ? `${is_resumed ? 'Continue' : 'Watch'} from ${durationWords(at_seconds)}` : 'Watch now'}
    </Button>
  </form>
)

/** `player-arriving.js` feeds it with what has arrived, until the file is complete. Without that script, the page says when to come back. */
export const ArrivingPlayer = ({ video, start, skips }: { video: Video; start: Start; skips: Category[] }) => (
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
    <PlayerBar video={video} at_seconds={start.at_seconds} is_sound={false} />
    <p class="said" role="status"></p>
    <p class="arriving-words" role="status">
      Starting the download…
    </p>
    <noscript>
      <p class="quiet">It can be watched here when the download is complete.</p>
    </noscript>
  </>
)
