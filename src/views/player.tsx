/** The file of a video, to watch or to hear; before it is there, its picture. */
import { isSound } from '../schema/quality.ts'
import type { Video } from '../schema/video.ts'
import { titleId } from './download-cell.tsx'
import { Thumbnail } from './thumbnail.tsx'
import { languageWords, webUrl } from './words.ts'

export const Player = ({ video }: { video: Video }) => {
  const poster = webUrl(video.thumbnail_url)
  if (video.download_status !== 'completed') return <Thumbnail video={video} />
  const source = `/stream/${encodeURIComponent(video.video_id)}`
  if (isSound(video))
    return (
      <>
        <Thumbnail video={video} />
        {/* biome-ignore lint/a11y/useMediaCaption: subtitles are not fetched with sound alone */}
        <audio class="player" controls preload="metadata" src={source} aria-labelledby={titleId(video.video_id)} />
      </>
    )
  return (
    <video
      class="player"
      controls
      preload="metadata"
      playsinline
      src={source}
      aria-labelledby={titleId(video.video_id)}
      {...(poster ? { poster } : {})}
    >
      {video.subtitles.map(language => (
        <track
          kind="subtitles"
          src={`${source}/subtitles/${encodeURIComponent(language)}`}
          srclang={language.replaceAll('_', '-')}
          label={languageWords(language)}
        />
      ))}
    </video>
  )
}
