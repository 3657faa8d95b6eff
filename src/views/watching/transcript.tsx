/**
 * What is said in a video, beside its player: lines with times, a search in them, and a copy of all. The lines are fetched when it opens;
 * `player/transcript.js` follows the player. Without a script the lines have a page of their own.
 */

import { watchPath } from '../../schema/http/paths.ts'
import { automaticName, languageWords, type Transcript, type TranscriptAbout } from '../../schema/sources/subtitles.ts'
import { durationWords } from '../../schema/values/words.ts'
import type { Video } from '../../schema/videos/video.ts'
import type { PageContext } from '../frames/context.ts'
import { Layout } from '../frames/layout.tsx'
import { Icon } from '../ui/icon.tsx'

type Props = { video: Pick<Video, 'video_id'>; about: TranscriptAbout | undefined }

/** Folded until it is opened. Without a transcript there is nothing but its place, where `player/file.js` puts one that is read soon. */
export const TranscriptPane = ({ video, about }: Props) =>
  about?.is_read ? <Folded video={video} about={about} /> : <div id="transcript" data-waits={about && ''} hidden></div>

const Folded = ({ video, about }: Pick<Props, 'video'> & { about: TranscriptAbout }) => (
  <details
    id="transcript"
    class="transcript"
    name="companion"
    hx-get={transcriptPath(video)}
    hx-trigger="toggle once"
    hx-target={`#${lines_id}`}
    hx-select={`#${lines_id}`}
    hx-swap="outerHTML"
  >
    <summary>
      Transcript <span class="quiet">{spokenWords(about)}</span>
      <Icon name="chevron" />
    </summary>
    <div class="pane" id={lines_id}>
      <a class="button" href={transcriptPath(video)}>
        Read the transcript
      </a>
    </div>
  </details>
)

/** The tools stay hidden without `player/transcript.js`. */
export const TranscriptLines = ({ video, can_play, transcript: { language, lines } }: Lines) => (
  <div class="pane" id={lines_id}>
    <div class="tools" hidden>
      <input type="search" name="words" aria-label="Search in the transcript" placeholder="Search" />
      <button type="button" class="button" data-transcript="previous" aria-label="Previous match">
        <Icon name="up" />
      </button>
      <button type="button" class="button" data-transcript="next" aria-label="Next match">
        <Icon name="chevron" />
      </button>
      <button type="button" class="button" data-transcript="copy">
        Copy
      </button>
      <p class="quiet" role="status"></p>
    </div>
    <ol class="lines" lang={language === 'und' ? undefined : language.replaceAll('_', '-')} dir="auto">
      {lines.map(({ start_seconds, text }) => (
        <li>
          <a href={can_play ? `${watchPath(video)}?t=${start_seconds}` : undefined} data-seek={start_seconds}>
            <span class="at">{durationWords(start_seconds)}</span> <span class="line-text">{text}</span>
          </a>
        </li>
      ))}
    </ol>
    <button type="button" class="button main follow" data-transcript="follow" hidden>
      Follow
    </button>
  </div>
)
/** `can_play`: there is a file, or it can be downloaded. A line leads to its time then. */
type Lines = { video: Pick<Video, 'video_id'>; can_play: boolean; transcript: Transcript }

/** "English (automatic)". */
const spokenWords = ({ language, automatic }: Pick<Transcript, 'language' | 'automatic'>): string =>
  language === 'und' ? '' : languageWords(automatic ? automaticName(language) : language)

const lines_id = 'transcript-lines'
const transcriptPath = (video: Pick<Video, 'video_id'>) => `${watchPath(video)}/transcript`

type TranscriptPageProps = Lines & { page: PageContext; video: Pick<Video, 'title'> }

/** The transcript on a page of its own, where no script opens it beside the player. */
export const TranscriptPage = ({ page, video, can_play, transcript }: TranscriptPageProps) => (
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
