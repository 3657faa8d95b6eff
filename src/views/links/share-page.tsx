/** A video for a person who has a link to it: its title and a player. */
import { isSound } from '../../schema/downloads/quality.ts'
import { languageWords } from '../../schema/sources/subtitles.ts'
import type { Video } from '../../schema/videos/video.ts'
import type { Versions } from '../ui/context.ts'
import { LinkFrame } from '../ui/link-frame.tsx'
import { languageTag } from '../watching/player-bar.tsx'

/** `path`: of this page. The file and the subtitles are below it. */
type Props = { versions: Versions; video: Video; file_name: string; path: string }

export const SharePage = ({ versions, video, file_name, path }: Props) => {
  const player = {
    ...{ class: 'shared', src: below(path, file_name), controls: true, preload: 'metadata' },
    'aria-labelledby': 'title',
  } as const
  return (
    <LinkFrame versions={versions} title={video.title}>
      <h1 id="title">{video.title}</h1>
      {isSound(video) ? (
        <audio {...player} />
      ) : (
        <video {...player} playsinline>
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
    </LinkFrame>
  )
}

const below = (path: string, name: string): string => `${path}/${encodeURIComponent(name)}`
