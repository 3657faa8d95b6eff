/** A video for a person who has a link to it: its title and a player. */
import { isSound } from '../../schema/downloads/quality.ts'
import { languageWords } from '../../schema/sources/subtitles.ts'
import type { Video } from '../../schema/videos/video.ts'
import type { Versions } from '../frames/context.ts'
import { LinkFrame } from '../frames/link-frame.tsx'
import { languageTag } from '../watching/player-bar.tsx'

/** `path`: of this page. The file, the subtitles and the picture are below it. */
type Props = { versions: Versions; video: Video; file_name: string; path: string }

export const SharePage = ({ versions, video, file_name, path }: Props) => {
  const file = below(path, file_name)
  const player = { src: file, controls: true, preload: 'metadata', 'aria-labelledby': 'title' } as const
  const picture = video.picture_url === null ? undefined : below(path, poster_name)
  return (
    <LinkFrame versions={versions} title={video.title}>
      <article class="shared">
        <h1 id="title">{video.title}</h1>
        {isSound(video) && picture && <img src={picture} alt="" />}
        {isSound(video) ? (
          <audio {...player} />
        ) : (
          <video {...player} playsinline poster={picture}>
            {video.subtitles.map(language => (
              <track
                kind="subtitles"
                src={below(path, `${language}.vtt`)}
                srclang={languageTag(language)}
                label={languageWords(language)}
              />
            ))}
          </video>
        )}
      </article>
    </LinkFrame>
  )
}

/** No file of a video has such a name, because it has no extension. */
export const poster_name = 'poster'

const below = (path: string, name: string): string => `${path}/${encodeURIComponent(name)}`
