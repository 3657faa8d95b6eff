/**
 * The videos around the one that is watched: the one that is offered at the end, links to the previous and the next, in the channel or in
 * the list it is watched in, and more of the channel at the side of the page.
 */
import type { ListedVideo, Neighbours, PlaceInList, Video } from '../../schema/videos/video.ts'
import { pathWith, watchPath } from '../ui/paths.ts'
import { VideoGrid } from '../videos/video-lists.tsx'

type NeighboursProps = { neighbours: Neighbours; place: PlaceInList | undefined }

/** Shown at the end of the video. `player/next.js` counts down before it plays the next one, which must be on disk. */
export function UpNext({ neighbours, place }: NeighboursProps) {
  const { next } = beside(neighbours, place)
  const playable = place ? next : neighbours.newer.find(isOnDisk)
  const shown = playable ?? next
  return (
    <div class="up-next" hidden>
      {shown ? (
        <>
          <a href={pathIn(place, shown)} data-plays={playable && ''}>
            Next: <bdi>{shown.title}</bdi>
          </a>
          {playable ? (
            <p>
              <span class="count quiet" role="timer"></span>
              <button type="button" class="button main" data-act="playnext">
                Play now
              </button>
              <button type="button" class="button plain" data-act="stay">
                Stay here
              </button>
            </p>
          ) : (
            <p class="quiet">It is not on disk yet.</p>
          )}
        </>
      ) : (
        <p class="quiet">{place ? `That was the last of ${place.name} on disk.` : 'Nothing newer in this channel.'}</p>
      )}
    </div>
  )
}

/** The videos before and after this one: of the list, or of the channel by date, for watching a series in order. */
export function Beside({ neighbours, place }: NeighboursProps) {
  const { next, previous } = beside(neighbours, place)
  return next || previous ? (
    <nav class="beside" aria-label={place ? `In ${place.name}` : 'In this channel'}>
      {place && (
        <p class="quiet">
          {place.place === undefined ? `${place.total}` : `${place.place} of ${place.total}`} on disk in{' '}
          <bdi>{place.name}</bdi>
        </p>
      )}
      {previous && <Step rel="prev" video={previous} place={place} words={place ? 'Previous' : 'Older'} />}
      {next && <Step rel="next" video={next} place={place} words={place ? 'Next' : 'Newer'} />}
    </nav>
  ) : null
}

type StepProps = { rel: 'prev' | 'next'; video: ListedVideo; place: PlaceInList | undefined; words: string }
const Step = ({ rel, video, place, words }: StepProps) => (
  <a rel={rel} href={pathIn(place, video)}>
    <span class="quiet">{words}</span>
    <span class="name" dir="auto">
      {video.title}
    </span>
  </a>
)

const isOnDisk = ({ download_status }: ListedVideo) => download_status === 'completed'

/** Newer is next. */
const beside = ({ newer, older }: Neighbours, place: PlaceInList | undefined) =>
  place ?? { next: newer[0], previous: older[0] }

const pathIn = (place: PlaceInList | undefined, video: ListedVideo) => pathWith(watchPath(video), { list: place?.list })

type NextToProps = { video: Pick<Video, 'title' | 'channel_title'>; neighbours: Neighbours; now: Date }

/** The videos next to one in its channel: newer ones, the video itself as a mark, older ones. */
export const NextTo = ({ video, neighbours: { newer, older }, now }: NextToProps) =>
  newer.length + older.length > 0 ? (
    <aside class="more" aria-labelledby="more">
      <h2 id="more">
        More from <bdi>{video.channel_title}</bdi>
      </h2>
      {newer.length > 0 && (
        <>
          <VideoGrid videos={newer.toReversed()} now={now} heading="h3" small />
          <p class="here">
            <span class="quiet">This video</span> <bdi>{video.title}</bdi>
          </p>
        </>
      )}
      {older.length > 0 && <VideoGrid videos={older} now={now} heading="h3" small />}
    </aside>
  ) : null
