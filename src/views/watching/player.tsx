/** The player of a downloaded video or sound file; before the download, its picture. */
import type { Child } from 'hono/jsx'
import { isSound } from '../../schema/downloads/quality.ts'
import { type Category, categoryWords, sponsorblock_page } from '../../schema/sources/segment.ts'
import { awaitsPicture } from '../../schema/values/picture.ts'
import type { Video } from '../../schema/videos/video.ts'
import { watchPath } from '../ui/paths.ts'
import { Thumbnail } from '../ui/thumbnail.tsx'
import { durationWords, languageWords } from '../ui/words.ts'
import { ArrivingPlayer, canArrive, WatchNow } from './arriving-player.tsx'
import { PlayerBar, tagOf } from './player-bar.tsx'
import { playerFacts, type Start, streamPath } from './player-facts.ts'

/** In the order in which they run: the first has what the others use. */
export const player_scripts = [
  'player.js',
  'player-timeline.js',
  'player-chapters.js',
  'player-controls.js',
  'player-screen.js',
  'player-remembered.js',
  'player-session.js',
  'player-gestures.js',
  'player-segments.js',
  'player-next.js',
  'player-in-place.js',
  'player-position.js',
  'player-keys.js',
  'player-arriving.js',
  'folded.js',
  'transcript.js',
  'player-file.js',
]

/** Keeps its id: when the download finishes, `player-file.js` fetches this part and replaces the picture. */
type StageProps = PlayerProps & { children?: Child }
export const Stage = ({ video, start, skips = [], children }: StageProps) => (
  <div id="stage" class="stage">
    {isArriving(video, start) ? (
      <ArrivingPlayer video={video} start={start} skips={skips} />
    ) : (
      <Player video={video} start={start} skips={skips} />
    )}
    {skips.length > 0 && <Skipped skips={skips} />}
    {children}
    {video.download_status === 'completed' && start.is_resumed && start.at_seconds > 0 && (
      <p class="quiet resumed">
        Resumed at {durationWords(start.at_seconds)} ·{' '}
        <a class="start-over" href={`${watchPath(video)}?t=0`} data-seek="0">
          Start over
        </a>
      </p>
    )}
  </div>
)

/** `skips`: the kinds of parts that are skipped. */
type PlayerProps = { video: Video; start: Start; skips?: Category[] }

const Player = ({ video, start, skips = [] }: PlayerProps) => {
  if (video.download_status !== 'completed')
    return (
      <>
        <Thumbnail video={video} is_awaited={awaitsPicture(video)} size="stage" leads />
        {canArrive(video) && <WatchNow video={video} start={start} />}
      </>
    )
  const stream = streamPath(video)
  // The browser handles the fragment: the player starts there, also without a script.
  const src = start.at_seconds > 0 ? `${stream}#t=${start.at_seconds}` : stream
  const is_sound = isSound(video)
  const playing = {
    ...playerFacts(video, skips),
    ...{ src, autoplay: start.is_now, preload: 'metadata', 'data-start': start.at_seconds },
  } as const
  return (
    <>
      {is_sound && <Thumbnail video={video} is_awaited={awaitsPicture(video)} size="stage" />}
      {is_sound ? (
        <audio {...playing} />
      ) : (
        <video {...playing} playsinline poster={video.picture_url ?? undefined}>
          {video.subtitles.map(language => (
            <track
              kind="subtitles"
              src={`${stream}/subtitles/${encodeURIComponent(language)}`}
              srclang={tagOf(language)}
              label={languageWords(language)}
            />
          ))}
        </video>
      )}
      <PlayerBar video={video} at_seconds={start.at_seconds} is_sound={is_sound} />
      <p class="said" role="status"></p>
    </>
  )
}

/** What is skipped, in words. Shown where the video has such parts. */
const Skipped = ({ skips }: { skips: Category[] }) => (
  <p class="quiet segments" hidden>
    Skips{' '}
    {skips.map(category => (
      <span data-category={category} hidden>
        {categoryWords[category]} <span class="times"></span> ·{' '}
      </span>
    ))}
    Segments from <a href={sponsorblock_page}>SponsorBlock</a>, CC BY-NC-SA 4.0
  </p>
)

const isArriving = (video: Video, { is_now = false }: Start): boolean =>
  is_now && (video.download_status === 'downloading' || video.queued)
