/** What is said in a video, on a page of its own: where no script opens it beside the player. */
import type { Transcript } from '../../schema/search/transcript.ts'
import type { Video } from '../../schema/videos/video.ts'
import type { PageContext } from '../ui/context.ts'
import { Layout } from '../ui/layout.tsx'
import { watchPath } from '../ui/paths.ts'
import { spokenWords, TranscriptLines } from '../watching/transcript.tsx'

type Props = { page: PageContext; video: Pick<Video, 'video_id' | 'title'>; can_play: boolean; transcript: Transcript }

export const TranscriptPage = ({ page, video, can_play, transcript }: Props) => (
  <Layout page={page} title={`Transcript of ${video.title}`}>
    <header class="heading">
      <h1>Transcript</h1>
      <p>
        <a href={watchPath(video)}>
          <bdi>{video.title}</bdi>
        </a>{' '}
        <span class="quiet">{spokenWords(transcript)}</span>
      </p>
    </header>
    <div class="transcript">
      <TranscriptLines video={video} can_play={can_play} transcript={transcript} />
    </div>
  </Layout>
)
